/**
 * Add-ons that are taken out. The policy of an object is carried out by its provider when the object goes: so it is
 * told first, and the object goes once that is observed.
 */
import { at, type KubeObject } from '#lib/api/json.ts';
import type { Law } from '#lib/fn/law.ts';
import { asItIs, DELETED, MANAGED, policyOf, PROVIDER_CONFIGS } from './part.ts';
import { addOnOf } from './situation.ts';

/** Whether its provider does what its policy says when the object is deleted now. */
export function mayGo(object: KubeObject): boolean {
  const policy = policyOf(object);
  if (policy !== 'Keep' && policy !== 'Delete') return false;
  return isDeletedWithIt(object) === (policy === 'Delete');
}

function isDeletedWithIt({ spec }: KubeObject): boolean {
  const policies = at(spec, 'managementPolicies');
  // Left out, it is everything.
  return !Array.isArray(policies) || policies.some((one) => one === '*' || one === 'Delete');
}

/** The object as it has to be before it may go. */
export function toldToLeave(object: KubeObject): KubeObject {
  const kept = asItIs(object);
  const managementPolicies = policyOf(object) === 'Delete' ? DELETED : MANAGED;
  return { ...kept, spec: { ...kept.spec, managementPolicies } };
}

const CONFIG_KEYS: ReadonlySet<string> = new Set(PROVIDER_CONFIGS.values());

/** Nothing of an add-on goes before its provider knows what to do with it, and no way to the cluster goes at all. */
export const LAW: Law = {
  answersFor: ({ key, object }) => addOnOf(object) !== undefined || CONFIG_KEYS.has(key),
  objection: ({ gone }) =>
    gone.every(({ key, object }) => !CONFIG_KEYS.has(key) && mayGo(object))
      ? undefined
      : 'its policy was not carried out',
};
