/** How many objects there may and must be, from the XR's own update policy. */
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

/** What the XR says of updates; `minReadySeconds`: how long an object must have been ready to count as available. */
export type Terms = z.output<typeof Spec>['spec'];

/** Throws InvalidClaim for terms that cannot be kept. */
export function termsOf(composite: KubeObject): Terms {
  return parseAs(Spec, { spec: composite.spec ?? {} }, describeObject(composite)).spec;
}

/**
 * @param wanted how many slots the earlier step desires
 * @param leaving objects on their way out
 */
export function budgetOf({ replicas: told, update }: Terms, wanted: number, leaving: number): Budget {
  const replicas = told ?? wanted;
  // A control plane grows and shrinks by one machine at a time: until it is there the larger number counts.
  const most = Math.max(replicas, wanted);
  const { maxSurge, maxUnavailable, strategy, fallback } = update;
  const surge = absolute(maxSurge, replicas, Math.ceil);
  const floored = absolute(maxUnavailable, replicas, Math.floor);
  // A share of few machines may be none of them; with no surge either, nothing could ever change.
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

/** Percentages of surge are rounded up and of unavailability down, so that both err on the side of keeping machines. */
function absolute(value: number | string, replicas: number, round: (value: number) => number): number {
  return typeof value === 'number' ? value : round((Number(value.slice(0, -1)) * replicas) / 100);
}
