/** Spot machines: what makes a virtual machine one, and overrides that say otherwise than the claim. */
import { at, type Json, type JsonObject, sameJson } from '#lib/api/json.ts';
import { leavesOf } from '#lib/fn/overridable.ts';
import { mergePatch } from '#lib/fn/overrides.ts';
import type { CloudFields, Said, SaidAlready, SpotFields } from './fields.ts';
import { keptFields } from './kept-fields.ts';
import type { MachineSituation } from './machine.ts';

type Of = Pick<MachineSituation, 'machine'>;

/**
 * The fields of forProvider that a cloud reads when it creates a machine, and never again.
 * @param existing spec.forProvider as observed; undefined: the machine is created now
 */
export function spotFields({ machine }: Of, spot: SpotFields, existing: Json | undefined): JsonObject {
  if (existing === undefined) return machine.spec.machine.capacityType === 'spot' ? spot.fields : {};
  // What a provider filled in for a machine that is none stays its own.
  return isSpot(existing, spot) ? keptFields(existing, Object.keys(spot.fields)) : {};
}

/** What the claim asks of them, as a field that stays. */
export function askedSpot(
  { machine }: Of,
  { fields, toldBy }: SpotFields,
): readonly [readonly string[], Json | undefined] {
  return [toldBy, machine.spec.machine.capacityType === 'spot' ? at(fields, ...toldBy) : undefined];
}

function isSpot(forProvider: Json, { fields, toldBy }: SpotFields): boolean {
  return sameJson(at(forProvider, ...toldBy) ?? null, at(fields, ...toldBy) ?? null);
}

/**
 * Undefined unless a patch of the virtual machine says another capacity type than the claim, or that a spot machine is
 * stopped where it should be ended; one that says the same, and a price besides, is accepted.
 */
export function otherCapacity(
  { capacityType }: Said,
  patch: JsonObject,
  { spot }: CloudFields,
): SaidAlready | undefined {
  if (capacityType === undefined || spot === undefined) return undefined;
  const said = `capacityType says ${capacityType}`;
  for (const part of ['forProvider', 'initProvider']) {
    const path = otherwise(spot, capacityType === 'spot', at(patch, 'spec', part) ?? {});
    if (path !== undefined) return { path: `${part}.${path.join('.')}`, said };
  }
  return undefined;
}

/** The path of the first field of a spot machine that the patch takes away, or makes one of what is none. */
function otherwise(spot: SpotFields, isMeant: boolean, patch: Json): readonly string[] | undefined {
  const laid = mergePatch(isMeant ? spot.fields : {}, patch);
  const says = (path: readonly string[]): boolean =>
    sameJson(at(laid, ...path) ?? null, at(spot.fields, ...path) ?? null);
  if (isMeant) return leavesOf(spot.fields, []).find((path) => !says(path));
  return [spot.toldBy, ...(spot.alsoToldBy ?? [])].find(says);
}
