/** What machines that exist, or the pool of a control plane, were made with: an earlier release accepted that. */
import type { Override } from '#lib/api/fields/infrastructure.ts';
import { at, type Json, type KubeObject, sameJson } from '#lib/api/json.ts';

/** @param path  of a field below `spec.machine` @param value  undefined: the field is not set */
export function isMadeWith(
  { spec }: Pick<KubeObject, 'spec'>,
  path: readonly string[],
  value: Json | undefined,
): boolean {
  return sameJson(at(spec, 'machine', ...path) ?? null, value ?? null);
}

/** Whether one of its overrides is the same. */
export function hasOverride({ spec }: Pick<KubeObject, 'spec'>, override: Override): boolean {
  const has = at(spec, 'infrastructure', 'overrides');
  return Array.isArray(has) && has.some((one: Json) => sameJson(one, override));
}
