/** Flags of a machine's kubelet, whoever starts it. */
import { refusal } from '#lib/api/refusal.ts';
import type { Flags } from './claim-config.ts';
import type { Surroundings } from './surroundings.ts';

/** Flags that have a field of their own, where they are not forgotten by the other things that read that field. */
export const OWNED_FLAGS: Readonly<Record<string, string>> = {
  'cloud-provider': 'spec.bootstrap.config.cloudProvider',
  'hostname-override': 'the name of the Machine',
  'node-labels': 'spec.labels',
  'register-with-taints': 'spec.taints',
};

export interface KubeletFacts extends Pick<Surroundings, 'owner' | 'cloudProvider' | 'providerID'> {
  readonly config: { readonly kubelet: { readonly extraArgs: Flags } };
}

/** The claim's own among them; labels and taints are each bootstrapper's. Throws InvalidClaim for a flag that has a field. */
export function kubeletFlags({ owner, config, cloudProvider, providerID }: KubeletFacts): Flags {
  const { extraArgs } = config.kubelet;
  for (const [flag, instead] of Object.entries(OWNED_FLAGS)) {
    if (extraArgs[flag] !== undefined)
      throw refusal(owner, `spec.bootstrap.config.kubelet.extraArgs.${flag}`, extraArgs[flag], instead);
  }
  return {
    ...(cloudProvider === 'external' ? { 'cloud-provider': 'external' } : {}),
    ...(providerID === undefined ? {} : { 'provider-id': providerID }),
    ...extraArgs,
  };
}
