/** A restart that was put off: what machines do when its time has come. */
import { timeOf } from '#lib/api/fields/text.ts';
import { type KubeObject, stringAt } from '#lib/api/json.ts';
import type { PlanEntry } from './entry.ts';
import { withLater } from './later.ts';
import type { World } from './world.ts';

/** @param plan plans the pool in a world */
export async function planRestart(
  world: World,
  pool: KubeObject,
  plan: (world: World) => Promise<readonly PlanEntry[]>,
): Promise<readonly PlanEntry[]> {
  const now = await plan(world);
  const asked = stringAt(pool, 'spec', 'update', 'rolloutAfter');
  const time = timeOf(asked);
  if (time === undefined || time <= world.now.getTime()) return now;
  // Other things come with time as well, such as a machine that is given up; nobody asked for those.
  const restarts = (await plan({ ...world, now: new Date(time) })).filter(({ field }) => field === 'spec.rolloutAfter');
  return withLater(now, restarts, `update.rolloutAfter, which is ${asked}`, false);
}
