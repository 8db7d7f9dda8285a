/**
 * Cloudbase-Init, for Windows: its #cloud-config with the few keys that it supports, and one PowerShell script for the
 * rest.
 */
import type { Payload } from '#lib/api/contracts/payload.ts';
import { cloudConfigText } from '../cloud-init/yaml.ts';
import type { Order, Provisioner } from '../provisioner.ts';
import { writeFiles } from './files.ts';
import { onDriveC } from './paths.ts';
import { SCRIPT_PATH } from './script.ts';
import { accounts } from './users.ts';
import { traits } from './traits.ts';

export const cloudbaseInit: Provisioner<'scripted'> = {
  ...traits.expresses,
  render,
};

function render(order: Order<'scripted'>): Payload {
  return {
    contract: 1,
    format: traits.payload,
    contentType: traits.contentType,
    value: Buffer.from(cloudConfigText(cloudConfig(order))).toString('base64'),
    gzip: true,
  };
}

/** The host keeps its name, because a new one needs a reboot; the node is named by its own flag. */
function cloudConfig(order: Order<'scripted'>): Readonly<Record<string, unknown>> {
  const { customisation } = order;
  const { ntp, timezone } = customisation;
  return {
    write_files: writeFiles(order),
    ...(timezone === undefined ? {} : { timezone }),
    ...(ntp === undefined ? {} : { ntp: { enabled: true, servers: ntp.servers } }),
    ...accounts(customisation),
    runcmd: [`powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File ${onDriveC(SCRIPT_PATH)}`],
  };
}
