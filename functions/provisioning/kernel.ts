/** Kernel settings as files, which survive a reboot; used by every provisioner that can write files. */
import type { Provisioning } from '#lib/api/fields/provisioning.ts';

export const SYSCTL_FILE = '/etc/sysctl.d/90-slipway.conf';
export const MODULES_FILE = '/etc/modules-load.d/90-slipway.conf';

/** Empty if there are none. */
export function sysctlText(sysctls: Provisioning['sysctls']): string {
  return Object.entries(sysctls)
    .map(([name, value]) => `${name} = ${value}\n`)
    .toSorted()
    .join('');
}

/** Empty if there are none. */
export function modulesText(kernelModules: Provisioning['kernelModules']): string {
  return kernelModules.map((name) => `${name}\n`).join('');
}
