/**
 * User data for Ignition without generated data: the open part of the first-boot data, and a unit that fetches the
 * sealed part with the identity of the machine before the host becomes a node. Ignition itself could only fetch what
 * everyone in the network may read.
 */
import { type Json, type JsonObject, stringAt } from '#lib/api/json.ts';
import { stableGzip } from '#lib/fn/gzip.ts';
import type { Apart } from './first-boot.ts';
import { DONE } from './sealed-files.ts';

const SCRIPT_PATH = '/etc/slipway/first-boot.sh';
const UNIT = 'slipway-first-boot.service';

/** In the specification of the open part. @param script fetches the sealed part, and marks that with `DONE` */
export function ignitionStub(script: string, { open, before }: Apart): Uint8Array {
  const version = stringAt(JSON.parse(Buffer.from(open).toString()) as Json, 'ignition', 'version') ?? '';
  const contents = { source: url(Buffer.from(script)) };
  const config: JsonObject = {
    ignition: { version, config: { merge: [{ source: url(stableGzip(open)), compression: 'gzip' }] } },
    storage: { files: [{ path: SCRIPT_PATH, overwrite: true, mode: 0o700, contents }] },
    systemd: { units: [{ name: UNIT, enabled: true, contents: unit(before) }] },
  };
  return Buffer.from(JSON.stringify(config));
}

/** Whether user data is such a configuration. */
export function isIgnitionStub(userData: Uint8Array): boolean {
  return Buffer.from(userData).includes(`"path":"${SCRIPT_PATH}"`);
}

function url(bytes: Uint8Array): string {
  return `data:;base64,${Buffer.from(bytes).toString('base64')}`;
}

function unit(before: string): string {
  return `[Unit]
Description=Fetches what makes this host a Kubernetes node
ConditionPathExists=!${DONE}
Wants=network-online.target
After=network-online.target
Before=${before}

[Service]
Type=oneshot
RemainAfterExit=yes
Environment=PATH=/opt/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
ExecStart=/bin/sh ${SCRIPT_PATH}

[Install]
RequiredBy=${before}
`;
}
