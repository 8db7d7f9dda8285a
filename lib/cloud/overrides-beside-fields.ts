/** Overrides of the virtual machine that say otherwise than a field of the claim which means the same on every cloud. */
import type { SlipwayError } from '#lib/api/errors.ts';
import type { Override } from '#lib/api/fields/infrastructure.ts';
import type { JsonObject } from '#lib/api/json.ts';
import { refusalFor } from '#lib/api/refusal.ts';
import { otherDisks } from './data-disks.ts';
import type { CloudFields, Said, SaidAlready } from './fields.ts';
import { otherCapacity } from './spot.ts';

type Judge = (said: Said, patched: JsonObject, cloud: CloudFields) => SaidAlready | undefined;

const JUDGES: readonly (readonly [keyof Said, Judge])[] = [
  ['capacityType', otherCapacity],
  ['dataDisks', otherDisks],
];

/**
 * The refusal of the first one that is new.
 * @param machine  where the claim says it: `spec.machine`
 * @param isThere  whether machines have both, the override and the field: an earlier release accepted them
 */
export function overrideBeside(
  machine: string,
  said: Said,
  overrides: readonly Override[],
  cloud: CloudFields | undefined,
  owner: string,
  isThere: (override: Override, field: keyof Said) => boolean,
): SlipwayError | undefined {
  if (cloud === undefined) return undefined;
  for (const [field, judge] of JUDGES)
    for (const [index, override] of overrides.entries()) {
      if (override.kind !== cloud.kind.split('/')[1]) continue;
      const found = judge(said, override.patch as JsonObject, cloud);
      if (found === undefined || isThere(override, field)) continue;
      const path = `spec.infrastructure.overrides[${index}].patch.spec.${found.path}`;
      return refusalFor(owner, path, `is not accepted; accepted: nothing there, since ${machine}.${found.said}`);
    }
  return undefined;
}
