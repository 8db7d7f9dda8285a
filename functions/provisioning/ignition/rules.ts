/** Values that Ignition cannot express, and files that a claim cannot have beside its own. Fields that it cannot express at all are in its traits. */
import type { Claimed } from '#lib/api/fields/provisioning.ts';
import { refusalFor } from '#lib/api/refusal.ts';
import { CHRONY_FILE } from '../chrony.ts';
import { MODULES_FILE, SYSCTL_FILE } from '../kernel.ts';
import { proxyFiles } from '../proxy.ts';

export const TIMESYNCD_FILE = '/etc/systemd/timesyncd.conf.d/90-slipway.conf';
export const SWAP_SCRIPT = '/etc/slipway/swap-file.sh';

/** sudo only reads files without a dot in the name. */
export function sudoersFile(user: string): string {
  return `/etc/sudoers.d/90-slipway-${user}`;
}

type Settings = Pick<Claimed, 'units' | 'users' | 'ntp' | 'sysctls' | 'kernelModules' | 'proxy' | 'swap'>;

/** Files that Ignition writes for other settings of a claim, which has none of its own at their paths. */
export function filesOfIgnition({
  units,
  users,
  ntp,
  sysctls,
  kernelModules,
  proxy,
  swap,
}: Settings): readonly string[] {
  return [
    ...users.flatMap(({ name, sudo }) => (sudo === undefined ? [] : [sudoersFile(name)])),
    ...(ntp === undefined ? [] : [TIMESYNCD_FILE, CHRONY_FILE]),
    ...proxyFiles(proxy, []).flatMap(({ path, append }) => (append || isOfPackages(path) ? [] : [path])),
    ...(Object.keys(sysctls).length === 0 ? [] : [SYSCTL_FILE]),
    ...(kernelModules.length === 0 ? [] : [MODULES_FILE]),
    ...(swap === undefined ? [] : [SWAP_SCRIPT]),
    ...units
      .filter(isHidden)
      .flatMap(({ name, contents, contentsFrom, dropIns }) => [
        ...(contents === undefined && contentsFrom === undefined ? [] : [`/etc/systemd/system/${name}`]),
        ...dropIns.map((dropIn) => `/etc/systemd/system/${name}.d/${dropIn.name}`),
      ]),
  ];
}

interface Sealed {
  readonly contentsFrom?: unknown;
}

interface SealedUnit extends Sealed {
  readonly dropIns: readonly Sealed[];
}

/** Whether a unit is written as files, and not in the open part of the data: as a whole. */
export function isHidden({ contentsFrom, dropIns }: SealedUnit): boolean {
  return contentsFrom !== undefined || dropIns.some((dropIn) => dropIn.contentsFrom !== undefined);
}

/** There is no package manager on such an image. */
export function isOfPackages(path: string): boolean {
  return /^\/etc\/(apt|dnf)\//.test(path);
}

/** Throws Unsupported for an option that only works in /etc/fstab; a unit would accept and ignore it. */
export function refuseFstabWords({ mounts }: Pick<Claimed, 'mounts'>, owner: string): void {
  for (const [index, { options }] of mounts.entries())
    for (const [at, option] of options.entries())
      if (/^(x-systemd\.|(no)?auto$|_netdev$)/.test(option))
        throw refusalFor(
          owner,
          `spec.provisioning.mounts[${index}].options[${at}]`,
          `ignition cannot express ${JSON.stringify(option)}; accepted: options of mount(8), or units with a mount unit of your own`,
          'Unsupported',
        );
}
