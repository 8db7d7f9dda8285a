/** What both layouts say of a node's kubelet: image, flags, labels, taints. */
import type { JsonObject } from '#lib/api/json.ts';
import { refusal } from '#lib/api/refusal.ts';
import type { Flags } from '../claim-config.ts';
import { kubeletFlags } from '../kubelet-flags.ts';
import { kubeletLabels } from '../kubelet-labels.ts';
import { type Facts, isControlPlane } from './facts.ts';

/** A configuration cannot know the machine it is read on, so another has to say who it is. */
const PROVIDER_ID = 'nothing, since the cloud controller manager sets it';

/** Fields of KubeletConfiguration that Talos keeps for itself and refuses; the last is ours. */
const OWNED_FIELDS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      'apiVersion',
      'authentication',
      'authorization',
      'cgroupRoot',
      'kind',
      'kubeletCgroups',
      'port',
      'protectKernelDefaults',
      'resolvConf',
      'rotateCertificates',
      'seccompDefault',
      'staticPodPath',
      'systemCgroups',
    ].map((field) => [field, 'nothing, since Talos sets it']),
  ),
  registerWithTaints: 'spec.taints',
};

const FIELD = 'spec.bootstrap.config.kubelet';

export function kubeletImage({ machine }: Facts): string {
  return `ghcr.io/siderolabs/kubelet:${machine.spec.version}`;
}

/** An object in which nothing is set is left out: `{ extraArgs }` or `{}`. */
export function kubeletArgs(facts: Facts): JsonObject {
  const { config, owner } = facts;
  refuseOwned(config.kubelet.extraArgs, { 'provider-id': PROVIDER_ID }, `${FIELD}.extraArgs`, owner);
  return extraArgsOf(kubeletFlags({ ...facts, providerID: undefined }));
}

/** KubeletConfiguration, with the taints a node has from its first moment on. */
export function kubeletFields({ config, machine, owner }: Facts): JsonObject {
  const { extraConfig } = config.kubelet;
  refuseOwned(extraConfig, OWNED_FIELDS, `${FIELD}.extraConfig`, owner);
  const taints = machine.spec.taints.map(({ key, value, effect }) => ({
    key,
    ...(value === undefined ? {} : { value }),
    effect,
  }));
  return { ...(extraConfig as JsonObject), ...(taints.length === 0 ? {} : { registerWithTaints: taints }) };
}

export function nodeIP({ config }: Facts): JsonObject {
  const { nodeIP: wanted } = config.kubelet;
  return wanted === undefined ? {} : { nodeIP: { validSubnets: wanted.validSubnets } };
}

/** Those of the claim that a kubelet may set itself; a control plane is no backend of load balancers for Services. */
export function nodeLabels(facts: Facts): Readonly<Record<string, string>> {
  const claimed = kubeletLabels(facts.machine, facts.owner).map((pair) => {
    const split = pair.indexOf('=');
    return [pair.slice(0, split), pair.slice(split + 1)] as const;
  });
  const own = isControlPlane(facts) ? { 'node.kubernetes.io/exclude-from-external-load-balancers': '' } : {};
  return { ...own, ...Object.fromEntries(claimed) };
}

/** Whether Talos leaves its own taint away: the claim says so, or has taints that take its place. */
export function hasNoOwnTaint({ config, machine }: Facts): boolean {
  return config.allowSchedulingOnControlPlanes || machine.spec.taints.length > 0;
}

/** Flags in the order of their names; none at all are left out. */
export function extraArgsOf(flags: Flags): JsonObject {
  const sorted = Object.entries(flags).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return sorted.length === 0 ? {} : { extraArgs: Object.fromEntries(sorted) };
}

function refuseOwned(
  given: Readonly<Record<string, unknown>>,
  owned: Readonly<Record<string, string>>,
  field: string,
  owner: string,
): void {
  for (const [key, instead] of Object.entries(owned))
    if (given[key] !== undefined) throw refusal(owner, `${field}.${key}`, given[key], instead);
}
