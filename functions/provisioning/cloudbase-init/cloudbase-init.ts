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

const LINUX = 'nothing: it exists only on Linux';
const SCRIPTED = 'an image that has it, or PowerShell in commands.pre';

export const cloudbaseInit: Provisioner<'scripted'> = {
  takes: ['scripted'],
  os: 'windows',
  limits: {
    packages: 'an image that has them, or PowerShell in commands.pre',
    sysctls: LINUX,
    kernelModules: LINUX,
    kernelArguments: LINUX,
    units: 'New-Service in commands.pre',
    caCertificates: 'files, and Import-Certificate in commands.pre',
    disks: SCRIPTED,
    filesystems: SCRIPTED,
    mounts: SCRIPTED,
    swap: 'an image with a page file',
    proxy: SCRIPTED,
    registries: 'files where containerd of the image looks for them',
    raw: 'the other fields of spec.provisioning: cloudbase-init ignores keys it does not know',
  },
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
  const { customisation, owner } = order;
  const { ntp, timezone } = customisation;
  return {
    write_files: writeFiles(order),
    ...(timezone === undefined ? {} : { timezone }),
    ...(ntp === undefined ? {} : { ntp: { enabled: true, servers: ntp.servers } }),
    ...accounts(customisation, owner),
    runcmd: [`powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File ${onDriveC(SCRIPT_PATH)}`],
  };
}
