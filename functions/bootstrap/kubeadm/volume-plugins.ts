/**
 * The folder of volume plug-ins. kubeadm before v1.36 mounts it into the controller manager, which makes it if it is
 * missing: below /usr, its default, that fails on images that boot by Ignition, because they cannot write there.
 */
import { minor } from 'semver';
import type { Machine } from '#lib/api/kinds/machine.ts';
import type { Flags } from '../claim-config.ts';
import type { KubeadmConfig } from './config.ts';
import { traits } from './traits.ts';

const MANAGER_FLAG = 'flex-volume-plugin-dir';
const FOLDER = '/var/lib/kubelet/volume-plugins';
/** Formats of such images. */
const FORMATS: ReadonlySet<string> = new Set(['ignition', 'ignition-2.3']);

/** Of the controller manager. */
export function managerFlags(machine: Machine): Flags {
  return isElsewhere(machine) ? { [MANAGER_FLAG]: FOLDER } : {};
}

/** Of the kubelet, which has to look where the controller manager does, unless the claim says where it looks. */
export function kubeletFlags(
  machine: Machine,
  { kubeletConfiguration, controllerManager }: Pick<KubeadmConfig, 'kubeletConfiguration' | 'controllerManager'>,
): Flags {
  if (!isElsewhere(machine) || kubeletConfiguration?.['volumePluginDir'] !== undefined) return {};
  return { 'volume-plugin-dir': controllerManager.extraArgs[MANAGER_FLAG] ?? FOLDER };
}

function isElsewhere({ spec: { version, provisioning } }: Machine): boolean {
  return FORMATS.has(provisioning.format) && minor(version) < traits.minors.since['no folder of volume plug-ins'];
}
