/** Patches of a claim that the kubeadm of its machines does not know. */
import { sameJson } from '#lib/api/json.ts';
import type { Machine } from '#lib/api/kinds/machine.ts';
import type { KubeadmConfig } from './config.ts';
import { refuseNewerPatch } from './since.ts';

type Role = Machine['spec']['role'];

export const PATCHES_FIELD = 'spec.bootstrap.config.patches';
/** Settings of a pool are a patch over those of its cluster. */
export const KUBELET_FIELD = 'spec.bootstrap.config.kubeletConfiguration';

/** On a worker, kubeadm writes nothing but the configuration of the kubelet. */
export function patchesFor({ patches }: KubeadmConfig, role: Role): KubeadmConfig['patches'] {
  return patches.filter(({ target }) => role === 'control-plane' || target === 'kubeletconfiguration');
}

export function refusePatches(
  config: KubeadmConfig,
  {
    ofCluster,
    role,
    version,
    owner,
  }: Readonly<{ ofCluster: KubeadmConfig; role: Role; version: string; owner: string }>,
): void {
  const [settings = {}, inCluster = {}] = [config.kubeletConfiguration, ofCluster.kubeletConfiguration];
  if (role === 'worker' && !sameJson(settings, inCluster))
    refuseNewerPatch('kubeletconfiguration', KUBELET_FIELD, version, owner);
  for (const { target } of patchesFor(config, role)) refuseNewerPatch(target, PATCHES_FIELD, version, owner);
}
