/** How many objects may and must exist, from the update policy of the XR. */
import { z } from 'zod';
import { UpdatePolicy } from '#lib/api/fields/update.ts';
import type { KubeObject } from '#lib/api/json.ts';
import { describeObject } from '#lib/api/names.ts';
import { parseAs } from '#lib/api/parse.ts';
import type { Budget } from './plan/room.ts';

const Spec = z.looseObject({
  spec: z.looseObject({
    replicas: z.int().min(0).optional(),
    update: UpdatePolicy.prefault({}),
    paused: z.boolean().default(false),
  }),
});

/** The update policy of the XR; `minReadySeconds`: how long an object must have been ready to count as available. */
export type Terms = z.output<typeof Spec>['spec'];

/** Throws InvalidClaim for a policy that cannot be met. */
export function termsOf(composite: KubeObject): Terms {
  return parseAs(Spec, { spec: composite.spec ?? {} }, describeObject(composite)).spec;
}

/** @param wanted how many slots the earlier step desires @param leaving objects that are being deleted */
export function budgetOf({ replicas: specified, update }: Terms, wanted: number, leaving: number): Budget {
  const replicas = specified ?? wanted;
  // A control plane grows and shrinks by one machine at a time: until the change is done, the larger number counts.
  const most = Math.max(replicas, wanted);
  const { maxSurge, maxUnavailable, strategy, fallback } = update;
  const surge = absolute(maxSurge, replicas, Math.ceil);
  const floored = absolute(maxUnavailable, replicas, Math.floor);
  // A percentage of few machines may be zero; without a surge, nothing could ever change.
  const unavailable = surge === 0 && floored === 0 ? 1 : floored;
  return {
    replicas,
    maxTotal: most + surge,
    minAvailable: Math.max(0, most - unavailable),
    maxUnavailable: unavailable,
    leaving,
    strategy,
    fallback,
  };
}

/** Percentages of surge are rounded up and of unavailability down, so that more machines are kept in both cases. */
function absolute(value: number | string, replicas: number, round: (value: number) => number): number {
  return typeof value === 'number' ? value : round((Number(value.slice(0, -1)) * replicas) / 100);
}
