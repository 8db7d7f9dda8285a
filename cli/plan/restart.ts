/** A restart at a later time: what machines do when that time is reached. */
import { timeOf } from '#lib/api/fields/text.ts';
import { type KubeObject, stringAt } from '#lib/api/json.ts';
import type { Event } from './phases.ts';
import type { PlanWorld } from './world.ts';

export function restartEvents({ now }: PlanWorld, pool: KubeObject): readonly Event[] {
  const asked = stringAt(pool, 'spec', 'update', 'rolloutAfter');
  const time = timeOf(asked);
  if (time === undefined || time <= now.getTime()) return [];
  return [
    {
      blockedBy: `update.rolloutAfter, which is ${asked}`,
      happens: ({ world, pool: present }) => ({
        world: { ...world, now: new Date(Math.max(time, world.now.getTime())) },
        pool: present,
      }),
    },
  ];
}
