/** Overrides of the virtual machine that say otherwise than a field of the claim which means the same on every cloud. */
import type { Override } from '#lib/api/fields/infrastructure.ts';
import type { JsonObject } from '#lib/api/json.ts';
import { refusalFor } from '#lib/api/refusal.ts';
import { otherDisks } from './data-disks.ts';
import type { CloudFields, Said, SaidTwice } from './fields.ts';
import { otherCapacity } from './spot.ts';

type Judge = (said: Said, patched: JsonObject, cloud: CloudFields) => SaidTwice | undefined;

const JUDGES: readonly Judge[] = [otherCapacity, otherDisks];

/** Throws InvalidClaim for the first one. */
export function refuseOverridesBeside(
  said: Said,
  overrides: readonly Override[],
  cloud: CloudFields | undefined,
  owner: string,
): void {
  if (cloud === undefined) return;
  for (const judge of JUDGES)
    for (const [index, { kind, patch }] of overrides.entries()) {
      if (kind !== cloud.kind.split('/')[1]) continue;
      const found = judge(said, patch as JsonObject, cloud);
      if (found === undefined) continue;
      const field = `spec.infrastructure.overrides[${index}].patch.spec.${found.path}`;
      throw refusalFor(owner, field, `is not accepted; accepted: nothing there, since ${found.said}`);
    }
}
