/**
 * The folder of volume plug-ins. kubeadm before v1.36 mounts it into the controller manager, which makes it if it is
 * missing: below /usr, its default, that fails on images that cannot write there.
 */
import { minor } from 'semver';
import { own } from '#lib/api/json.ts';
import type { Machine } from '#lib/api/kinds/machine.ts';
import type { Flags } from '../claim-config.ts';
import { PROVISIONER_TRAITS } from '../../provisioning/traits.ts';
import type { KubeadmConfig } from './config.ts';
import { traits } from './traits.ts';

const MANAGER_FLAG = 'flex-volume-plugin-dir';
const FOLDER = '/var/lib/kubelet/volume-plugins';

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
  const readOnly = own(PROVISIONER_TRAITS, provisioning.format)?.readOnlyUsr === true;
  return readOnly && minor(version) < traits.minors.since['no folder of volume plug-ins'];
}
