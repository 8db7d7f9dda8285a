/**
 * Generated from the CRDs of the provider by `npm run generate`: the fields of every kind that existing composes. Each
 * is text until a claim overrides its kind.
 */
import type { KindFields } from '#lib/api/kind-fields.ts';

export const KIND_FIELDS: KindFields = {
  HostClaim: '{"region!":"string","failureDomain":"string","size!":"string","image":"string","version!":"string","rootDisk!":{"sizeGiB!":"integer","type":"string","encrypted!":"boolean"},"dataDisks":[{"name!":"string","sizeGiB!":"integer","type":"string","encrypted!":"boolean"}],"role!":{"=":["control-plane","worker"]},"nodeName!":"string","loadBalancerTargets":[{"id!":"string","port!":"integer"}],"userDataSecretRef!":{"name!":"string","key!":"string"}}',
};
