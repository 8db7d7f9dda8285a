/** The script that installs a snap with snapd, from the given channel, and holds its version. */
import type { Machine } from '#lib/api/kinds/machine.ts';
import { quoted } from '#lib/fn/quoted.ts';

/** Folder of the commands of snaps. */
export const SNAP_PATH = 'PATH="$PATH:/snap/bin"';

export interface Snap {
  /** Name in the store. */
  readonly name: string;
  /** Name in messages. */
  readonly title: string;
  /** Such as 1.35/stable. */
  readonly channel: string;
  readonly classic: boolean;
}

/** A snap in the image is refused: it was started without the configuration of the plan. */
export function snapInstallScript({ name, title, channel, classic }: Snap, { spec }: Machine): string {
  const { http, https } = spec.provisioning.proxy ?? {};
  const settings = [
    ...(http === undefined ? [] : [`proxy.http=${http}`]),
    ...(https === undefined ? [] : [`proxy.https=${https}`]),
  ];
  const installed = `/var/lib/slipway/${name}-installed`;
  return `#!/bin/sh
# Makes sure that ${title} of ${channel} is on this host, for Kubernetes ${spec.version}.
set -eu
${SNAP_PATH}

if ! command -v snap >/dev/null; then
  echo 'slipway: this image has no snapd, which is needed to install ${title}' >&2
  exit 1
fi
snap wait system seed.loaded
${settings.length === 0 ? '' : `snap set system ${settings.map(quoted).join(' ')}\n`}
if snap list ${name} >/dev/null 2>&1; then
  if [ ! -e ${installed} ]; then
    echo 'slipway: the image has ${title} already; use one without it' >&2
    exit 1
  fi
else
  tries=20
  until snap install ${name} --channel=${channel}${classic ? ' --classic' : ''}; do
    tries=$((tries - 1))
    if [ "$tries" -le 0 ]; then exit 1; fi
    sleep 10
  done
  mkdir -p /var/lib/slipway
  : >${installed}
fi
# Nodes are updated when their pool says so, not when snapd does.
if ! snap refresh --hold ${name} >/dev/null; then
  echo 'slipway: snapd cannot hold ${title}; it must be 2.58 or newer' >&2
  exit 1
fi
`;
}
