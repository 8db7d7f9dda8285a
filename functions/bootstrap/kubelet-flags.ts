/** Kubelet flags of a machine, for every bootstrapper. */
import type { Taint } from '#lib/api/fields/node-marks.ts';
import type { Flags } from './claim-config.ts';
import type { MachineFacts } from './machine-facts.ts';

const PROVIDER_ID = 'nothing, since each machine has its own';

/** The same as a field of KubeletConfiguration, which many machines share. */
export const OWNED_FIELD: Readonly<Record<string, string>> = { providerID: PROVIDER_ID };

/** Flags that have their own field in the claim, which other steps read as well. */
export const OWNED_FLAGS: Readonly<Record<string, string>> = {
  'cloud-provider': 'spec.bootstrap.config.cloudProvider',
  'hostname-override': 'the name of the Machine',
  'node-labels': 'spec.labels',
  'provider-id': PROVIDER_ID,
  'register-with-taints': 'spec.taints',
};

export interface KubeletFacts extends Pick<MachineFacts, 'cloudProvider' | 'providerID'> {
  readonly config: { readonly kubelet: { readonly extraArgs: Flags } };
}

/** Includes the flags of the claim; each bootstrapper adds labels and taints itself. */
export function kubeletFlags({ config, cloudProvider, providerID }: KubeletFacts): Flags {
  return {
    ...(cloudProvider === 'external' ? { 'cloud-provider': 'external' } : {}),
    ...(providerID === undefined ? {} : { 'provider-id': providerID }),
    ...config.kubelet.extraArgs,
  };
}

/** As the flags of the kubelet write it. */
export function taintText({ key, value, effect }: Taint): string {
  return `${key}${value === undefined ? '' : `=${value}`}:${effect}`;
}
