/** Spot machines: what makes a virtual machine one, and overrides that say otherwise than the claim. */
import { at, type Json, type JsonObject, sameJson } from '#lib/api/json.ts';
import type { Override } from '#lib/api/fields/infrastructure.ts';
import type { MachineShape } from '#lib/api/fields/machine-template.ts';
import { refusalFor } from '#lib/api/refusal.ts';
import { mergePatch } from '#lib/fn/overrides.ts';
import type { CloudFields, SpotFields } from './fields.ts';
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
 * Throws InvalidClaim for the first override of the virtual machine that says another capacity type than the claim; one
 * that says the same, and a price besides, is accepted.
 */
export function refuseOtherCapacity(
  { capacityType }: Pick<MachineShape, 'capacityType'>,
  overrides: readonly Override[],
  cloud: CloudFields | undefined,
  owner: string,
): void {
  if (capacityType === undefined || cloud?.spot === undefined) return;
  const { spot, kind } = cloud;
  const isMeant = capacityType === 'spot';
  const saysOther = (override: Override): boolean =>
    override.kind === kind.split('/')[1] && isSpot(laidOver(isMeant ? spot.fields : {}, override), spot) !== isMeant;
  const index = overrides.findIndex(saysOther);
  if (index === -1) return;
  const field = `spec.infrastructure.overrides[${index}].patch.spec.forProvider.${spot.toldBy.join('.')}`;
  const reason = `is not accepted; accepted: nothing there, since spec.machine.capacityType says ${capacityType}`;
  throw refusalFor(owner, field, reason);
}

function laidOver(fields: JsonObject, { patch }: Override): Json {
  return mergePatch(fields, at(patch, 'spec', 'forProvider') ?? {});
}
