/** Patches of the files that kubeadm writes on a machine: files in a folder that kubeadm reads, also on upgrades. */
import { canonical, sameJson } from '#lib/api/json.ts';
import type { KubeadmFacts } from './facts.ts';
import { KUBELET_FIELD, PATCHES_FIELD, patchesFor } from './patch-rules.ts';
import { knowsPatchesOf, refuseNewerPatch } from './since.ts';
import { traits } from './traits.ts';

export const PATCH_FOLDER = '/etc/kubernetes/patches';

export interface PatchFile {
  readonly path: string;
  readonly text: string;
}

type Facts = Pick<KubeadmFacts, 'machine' | 'config' | 'clusterConfig' | 'owner'>;

/** For the first boot. The first machine writes its kubelet's settings into the cluster instead. */
export function patchFiles(facts: Facts): readonly PatchFile[] {
  const isFirst = facts.machine.spec.bootstrap.action !== 'Join';
  return filesOf([...(isFirst ? [] : settingsOf(facts)), ...claimedOf(facts)], facts);
}

/**
 * Those of the kubelet, for a machine that exists. The Cluster may have got settings since it was made that a node keeps
 * for its life: these are for new machines.
 */
export function kubeletPatches({ clusterConfig, ...facts }: Facts): readonly PatchFile[] {
  const lasting = new Set<string>(traits.kubelet.lasting);
  const ofCluster = Object.entries(clusterConfig.kubeletConfiguration ?? {}).filter(([name]) => !lasting.has(name));
  const kept = { ...facts, clusterConfig: { ...clusterConfig, kubeletConfiguration: Object.fromEntries(ofCluster) } };
  const all = filesOf([...settingsOf(kept), ...claimedOf(kept)], kept);
  return all.filter(({ path }) => path.startsWith(`${PATCH_FOLDER}/kubeletconfiguration`));
}

interface Patch {
  readonly target: string;
  readonly type: string;
  readonly patch: unknown;
  /** Of the claim, for messages. */
  readonly field: string;
}

/**
 * The cluster keeps the settings that its first machine had. What the claims say by now is laid over them: those of the
 * Cluster, then those of the pool where they are others.
 */
function settingsOf({ machine, config, clusterConfig }: Facts): readonly Patch[] {
  const [ofCluster = {}, ofPool = {}] = [clusterConfig.kubeletConfiguration, config.kubeletConfiguration];
  const knowsPatches = knowsPatchesOf('kubeletconfiguration', machine.spec.version);
  const differs = !sameJson(ofPool, ofCluster);
  return [...(knowsPatches && Object.keys(ofCluster).length > 0 ? [ofCluster] : []), ...(differs ? [ofPool] : [])].map(
    (patch) => ({
      target: 'kubeletconfiguration',
      type: 'merge',
      patch,
      field: KUBELET_FIELD,
    }),
  );
}

function claimedOf({ machine, config }: Facts): readonly Patch[] {
  return patchesFor(config, machine.spec.role).map((patch) => ({ ...patch, field: PATCHES_FIELD }));
}

function filesOf(patches: readonly Patch[], { machine, owner }: Facts): readonly PatchFile[] {
  return patches.map(({ target, type, patch, field }, index) => {
    refuseNewerPatch(target, field, machine.spec.version, owner);
    // kubeadm applies them in the order of their names.
    const name = `${target}${String(index).padStart(2, '0')}+${type}.json`;
    return { path: `${PATCH_FOLDER}/${name}`, text: `${canonical(patch)}\n` };
  });
}
