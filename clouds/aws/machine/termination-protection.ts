/** Whether AWS refuses to terminate an instance that its provider does not delete. */
import { at, type Json, type JsonObject } from '#lib/api/json.ts';
import { isOverridden } from '#lib/cloud/kept-fields.ts';
import { VM } from './instance-name.ts';
import type { Situation } from './situation.ts';

/**
 * With forceDestroy, the provider lifts the protection before it deletes the instance; it must have known that before,
 * so both are set together, and forceDestroy stays. Spot instances cannot be protected.
 */
export function terminationProtection(situation: Situation, existing: Json | undefined): JsonObject {
  const { terminationProtection: isWanted } = situation.input.aws;
  const isSpot = situation.machine.spec.machine.capacityType === 'spot';
  if (isWanted && !isSpot && !isOverridden(situation, VM, ['instanceMarketOptions']))
    return { disableApiTermination: true, forceDestroy: true };
  // Without the field, an instance would stay protected.
  return at(existing, 'forceDestroy') === true ? { disableApiTermination: false, forceDestroy: true } : {};
}
