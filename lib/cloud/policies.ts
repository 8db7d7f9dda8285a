/** Values of managementPolicies besides the default. Crossplane accepts few sets of policies; these are among them. */
import type { KubeObject } from '#lib/api/json.ts';

/** The provider fills in no field. Only for kinds whose id is their name, or is stored. */
export function notFilledIn(resource: KubeObject): KubeObject {
  return withPolicies(resource, ['Observe', 'Create', 'Update', 'Delete']);
}

/** The provider neither changes the object nor makes it again if it is gone, and deletes it. */
export function notMadeAgain(resource: KubeObject): KubeObject {
  return withPolicies(resource, ['Observe', 'Delete']);
}

/** A part of another object: the cloud deletes the part with that object, and the provider does not before. */
export function deletedWithItsWhole(resource: KubeObject): KubeObject {
  return withPolicies(resource, ['Observe', 'Create', 'Update', 'LateInitialize']);
}

function withPolicies(resource: KubeObject, managementPolicies: readonly string[]): KubeObject {
  return { ...resource, spec: { ...resource.spec, managementPolicies } };
}
