/** Why machines are not ready: messages of the cloud first, then of their nodes. */
import { conditionOf, whyNotReady } from '#lib/api/conditions.ts';
import { oneLine } from '#lib/api/errors.ts';
import { firstNames } from '#lib/api/shortened.ts';
import { CONDITION } from '#lib/api/words.ts';
import { lacksCapacity } from './capacity.ts';
import type { PoolMachine } from './machines.ts';

/**
 * `Machine general-0-abcde and 2 more: why`, one line for each cause, so that many starting machines do not hide one
 * that fails: machines that were ready or will never be ready first, then by name.
 */
export function problemsOf(machines: readonly PoolMachine[]): readonly string[] {
  const unready = machines
    .filter(({ ready }) => !ready)
    .toSorted((a, b) => Number(isStarting(a)) - Number(isStarting(b)) || (a.name < b.name ? -1 : 1));
  return [...Map.groupBy(unready, whyOf)].map(([why, all]) => {
    const names = all.map(({ name }) => name);
    return `Machine ${firstNames(names, 1)}: ${why}`;
  });
}

function whyOf({ object }: PoolMachine): string {
  const ready = whyNotReady(object) ?? 'not ready';
  // Its other conditions are then from an earlier call.
  if (conditionOf(object, 'Synced')?.status === 'False') return oneLine(ready);
  for (const type of [CONDITION.infrastructureReady, CONDITION.nodeHealthy]) {
    const condition = conditionOf(object, type);
    if (condition !== undefined && condition.status !== 'True') return oneLine(condition.message ?? condition.reason);
  }
  return oneLine(ready);
}

function isStarting(machine: PoolMachine): boolean {
  if (machine.lost || machine.isNode || lacksCapacity(machine)) return false;
  return conditionOf(machine.object, 'Synced')?.status !== 'False';
}
