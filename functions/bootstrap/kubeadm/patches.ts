/** Patches of the files that kubeadm writes on a machine: files in a folder that kubeadm reads, also on upgrades. */
import { minor } from 'semver';
import { canonical, sameJson } from '#lib/api/json.ts';
import { refusalFor } from '#lib/api/refusal.ts';
import type { KubeadmFacts } from './facts.ts';
import { traits } from './traits.ts';

export const PATCH_FOLDER = '/etc/kubernetes/patches';

/** The first minor version that supports each target; all other targets are supported by every accepted version. */
const SINCE: Readonly<Record<string, number>> = {
  kubeletconfiguration: traits.minors.since['patches of kubeletconfiguration'],
  corednsdeployment: traits.minors.since['patches of corednsdeployment'],
};

export interface PatchFile {
  readonly path: string;
  readonly text: string;
}

export function patchFiles({ machine, config, clusterConfig, owner }: KubeadmFacts): readonly PatchFile[] {
  const { role, version, bootstrap } = machine.spec;
  const ofPool = config.kubeletConfiguration;
  // The first machine writes its configuration to the cluster; a joining machine reads it and only differs by a patch.
  const differs = bootstrap.action === 'Join' && !sameJson(ofPool ?? {}, clusterConfig.kubeletConfiguration ?? {});
  const pool = differs ? [{ target: 'kubeletconfiguration', type: 'merge', patch: ofPool ?? {} }] : [];
  const claimed = config.patches.filter(({ target }) => role === 'control-plane' || target === 'kubeletconfiguration');
  const field = differs ? 'spec.bootstrap.config.kubeletConfiguration' : 'spec.bootstrap.config.patches';
  return [...pool, ...claimed].map(({ target, type, patch }, index) => {
    const since = SINCE[target] ?? 0;
    if (minor(version) < since)
      throw refusalFor(
        owner,
        field,
        `kubeadm of ${version} does not patch ${target}; accepted: v1.${since} and newer`,
        'Unsupported',
      );
    // kubeadm applies them in the order of their names.
    const name = `${target}${String(index).padStart(2, '0')}+${type}.json`;
    return { path: `${PATCH_FOLDER}/${name}`, text: `${canonical(patch)}\n` };
  });
}
