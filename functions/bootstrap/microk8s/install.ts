/** The script that brings the snap onto a host, in the channel of the machine's Kubernetes minor, and keeps it there. */
import { minor } from 'semver';
import { quoted } from '#lib/fn/quoted.ts';
import type { Facts } from './facts.ts';

export const SNAP_PATH = 'PATH="$PATH:/snap/bin"';

/** The track is the minor; strict ones have a track of their own. */
export function channelOf({ machine, config }: Facts): string {
  const track = `1.${minor(machine.spec.version)}${config.confinement === 'strict' ? '-strict' : ''}`;
  return `${track}/${config.riskLevel}`;
}

export function installScript(facts: Facts): string {
  const { machine, config } = facts;
  const { http, https } = machine.spec.provisioning.proxy ?? {};
  const settings = [
    ...(http === undefined ? [] : [`proxy.http=${http}`]),
    ...(https === undefined ? [] : [`proxy.https=${https}`]),
  ];
  const flags = [`--channel=${channelOf(facts)}`, ...(config.confinement === 'classic' ? ['--classic'] : [])];
  return `#!/bin/sh
# Makes sure that MicroK8s of ${channelOf(facts)} is on this host, for Kubernetes ${machine.spec.version}.
set -eu
${SNAP_PATH}

if ! command -v snap >/dev/null; then
  echo 'slipway: this image has no snapd, which MicroK8s is installed by' >&2
  exit 1
fi
snap wait system seed.loaded
${settings.length === 0 ? '' : `snap set system ${settings.map(quoted).join(' ')}\n`}
if snap list microk8s >/dev/null 2>&1; then
  # One that the image brings has not read its launch configuration.
  if [ ! -e /var/lib/slipway/microk8s-installed ]; then
    echo 'slipway: the image has MicroK8s already; use one without it' >&2
    exit 1
  fi
else
  tries=20
  until snap install microk8s ${flags.join(' ')}; do
    tries=$((tries - 1))
    if [ "$tries" -le 0 ]; then exit 1; fi
    sleep 10
  done
  mkdir -p /var/lib/slipway
  : >/var/lib/slipway/microk8s-installed
fi
# Nodes are updated when their pool says so, not when snapd does.
snap refresh --hold microk8s >/dev/null
`;
}
