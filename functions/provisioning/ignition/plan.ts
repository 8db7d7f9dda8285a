/** A plan and a customisation as an Ignition configuration of specification 3.3. */
import { metadataServiceOf, shellLookup } from '../metadata.ts';
import type { Order } from '../provisioner.ts';
import { script, SCRIPT_PATH, type Step } from '../script.ts';
import { modeSteps } from '../special-modes.ts';
import { trusting } from '../trust.ts';
import { type HostFile, rootFile } from '../host-file.ts';
import type { Config } from './config.ts';
import type { Packing } from './data-url.ts';
import { fileNodes, writtenFiles } from './files.ts';
import { dataDiskMountSteps, filesystemsOf, refuseHidden } from './mounts.ts';
import { settingsFiles, timezoneLinks } from './settings.ts';
import { swapFiles, swapStep } from './swap.ts';
import { unitFiles, unitsOf } from './units.ts';
import { accountSteps, passwd, sudoers } from './users.ts';

export interface Ways {
  readonly packing: Packing;
  /** Whether filesystems are mounted before the files are written, so that files below a mount are stored there. */
  readonly mountsFilesystems: boolean;
}

/** Every file of a first boot. @param checks  of what the Ignition of a specification does not check */
export function filesOf(order: Order<'scripted'>, checks: readonly Step[] = []): readonly HostFile[] {
  const { users, swap } = order.customisation;
  const lookup = shellLookup(metadataServiceOf(order.plan));
  return writtenFiles(order, [
    ...sudoers(users),
    ...settingsFiles(order),
    ...swapFiles(swap),
    ...unitFiles(order),
    // It contains the commands of the plan.
    { ...rootFile(SCRIPT_PATH, script(order, lookup, stepsOf(order.customisation, checks)), '0700'), sealed: true },
  ]);
}

/** @param files  those it writes */
export function configOf(
  order: Order<'scripted'>,
  { packing, mountsFilesystems }: Ways,
  files: readonly HostFile[],
): Config {
  const { customisation, owner } = order;
  const { users, groups, disks, mounts, timezone, kernelArguments } = customisation;
  const filesystems = filesystemsOf(customisation);
  refuseHidden(files, mounts, mountsFilesystems ? filesystems : [], owner);
  const links = timezoneLinks(timezone);
  return {
    ignition: { version: '3.3.0' },
    ...(kernelArguments.length === 0 ? {} : { kernelArguments: { shouldExist: [...new Set(kernelArguments)] } }),
    ...(users.length + groups.length === 0 ? {} : { passwd: passwd(customisation) }),
    storage: {
      ...(disks.length === 0 ? {} : { disks: disksOf(disks) }),
      ...(filesystems.length === 0 ? {} : { filesystems }),
      files: fileNodes(files, packing),
      ...(links.length === 0 ? {} : { links }),
    },
    systemd: { units: unitsOf(order) },
  };
}

/** What Ignition cannot express, and checks of what it does not check: it fails itself if it cannot make a user or file. */
function stepsOf(customisation: Order['customisation'], checks: readonly Step[]): Parameters<typeof script>[2] {
  const { caCertificates, swap, users, timezone, files } = customisation;
  return {
    checks: [
      ...dataDiskMountSteps(customisation),
      ...checks,
      ...(swap === undefined ? [] : [swapStep(swap)]),
      ...(timezone === undefined ? [] : [{ field: 'timezone', command: '[ -e /etc/localtime ]' }]),
    ],
    settings: [
      ...(caCertificates.length === 0 ? [] : [{ field: 'caCertificates', command: trusting(caCertificates) }]),
      ...accountSteps(users),
      ...modeSteps({ files }),
    ],
  };
}

function disksOf(disks: Order['customisation']['disks']): NonNullable<Config['storage']['disks']> {
  return disks.map(({ device, wipe, partitions }) => ({
    device,
    ...(wipe ? { wipeTable: true } : {}),
    partitions: partitions.map(({ label, sizeMiB }, index) => ({
      number: index + 1,
      ...(label === undefined ? {} : { label }),
      ...(sizeMiB === undefined ? {} : { sizeMiB }),
    })),
  }));
}
