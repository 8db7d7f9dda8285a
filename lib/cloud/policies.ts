/** Values of managementPolicies, besides the default. Crossplane accepts few sets of policies; these are among them. */
import type { KubeObject } from '#lib/api/json.ts';

export const POLICIES = {
  /** A part of another object, with which the cloud deletes it: it stays while that one does. */
  part: ['Observe', 'Create', 'Update', 'LateInitialize'],
  /** What the cloud fills in does not become a wish. */
  asked: ['Observe', 'Create', 'Update', 'Delete'],
  /** What is gone is not made again. */
  once: ['Observe', 'Delete'],
} as const;

export function withPolicies(resource: KubeObject, policies: readonly string[]): KubeObject {
  return { ...resource, spec: { ...resource.spec, managementPolicies: [...policies] } };
}
