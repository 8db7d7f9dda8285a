/** The kubelet settings of both layouts: image, flags, labels, taints. */
import type { JsonObject } from '#lib/api/json.ts';
import type { Flags } from '../claim-config.ts';
import { kubeletFlags } from '../kubelet-flags.ts';
import { kubeletLabels } from '../kubelet-labels.ts';
import { type TalosFacts, isControlPlane } from './facts.ts';

export function kubeletImage({ machine }: TalosFacts): string {
  return `ghcr.io/siderolabs/kubelet:${machine.spec.version}`;
}

/** Leaves out empty objects: `{ extraArgs }` or `{}`. */
export function kubeletArgs(facts: TalosFacts): JsonObject {
  return extraArgsOf(kubeletFlags({ ...facts, providerID: undefined }));
}

/** KubeletConfiguration, with the taints that a node has from registration on. */
export function kubeletFields({ config, machine }: TalosFacts): JsonObject {
  const { extraConfig } = config.kubelet;
  const taints = machine.spec.taints.map(({ key, value, effect }) => ({
    key,
    ...(value === undefined ? {} : { value }),
    effect,
  }));
  return { ...(extraConfig as JsonObject), ...(taints.length === 0 ? {} : { registerWithTaints: taints }) };
}

export function nodeIP({ config }: TalosFacts): JsonObject {
  const { nodeIP: wanted } = config.kubelet;
  return wanted === undefined ? {} : { nodeIP: { validSubnets: wanted.validSubnets } };
}

/** Labels of the claim that a kubelet may set itself; control planes are excluded from load balancers of Services. */
export function nodeLabels(facts: TalosFacts): Readonly<Record<string, string>> {
  const claimed = kubeletLabels(facts.machine, facts.owner).map((pair) => {
    const split = pair.indexOf('=');
    return [pair.slice(0, split), pair.slice(split + 1)] as const;
  });
  const own = isControlPlane(facts) ? { 'node.kubernetes.io/exclude-from-external-load-balancers': '' } : {};
  return { ...own, ...Object.fromEntries(claimed) };
}

/** Whether Talos omits its default taint: if the claim says so, or if taints of the claim replace it. */
export function hasNoOwnTaint({ config, machine }: TalosFacts): boolean {
  return config.allowSchedulingOnControlPlanes || machine.spec.taints.length > 0;
}

/** Flags sorted by name; omitted if there are none. */
export function extraArgsOf(flags: Flags): JsonObject {
  const sorted = Object.entries(flags).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return sorted.length === 0 ? {} : { extraArgs: Object.fromEntries(sorted) };
}
