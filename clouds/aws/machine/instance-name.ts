/** What the instance of a machine is called, and what a claim overrides of it. */
import { at } from '#lib/api/json.ts';
import { overrideMatches } from '#lib/fn/overrides.ts';
import type { Situation } from './situation.ts';

/** Composition resource name. */
export const INSTANCE = 'instance';
export const INSTANCE_KIND = 'Instance';

/** @param field of spec.forProvider */
export function isOverridden({ spec }: Situation['machine'], field: string): boolean {
  return spec.infrastructure.overrides.some(
    (override) =>
      overrideMatches(override, INSTANCE, INSTANCE_KIND) &&
      at(override.patch, 'spec', 'forProvider', field) !== undefined,
  );
}
