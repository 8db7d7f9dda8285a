/**
 * A restart: machines created before `update.rolloutAfter` are replaced once that time has passed, without any other
 * change.
 */
import { timeOf } from '#lib/api/fields/text.ts';
import type { NodePool } from '#lib/api/kinds/node-pool.ts';
import type { PoolMachine } from './machines.ts';

/**
 * The `spec.rolloutAfter` of the machine of a slot. A machine with a different value is replaced, so only a machine
 * older than that time gets the new value; all others keep theirs, even if the claim removes the time or sets it back.
 * @param now milliseconds since 1970
 */
export function rolloutAfterOf(
  { spec }: NodePool,
  machines: readonly PoolMachine[],
  slot: number,
  now: number,
): string | undefined {
  const members = machines.filter((machine) => machine.slot === slot);
  const asked = spec.update.rolloutAfter;
  const time = timeOf(asked) ?? Infinity;
  const isOlder = ({ createdAt, rolloutAfter }: PoolMachine): boolean =>
    createdAt !== undefined && createdAt < time && rolloutAfter !== asked;
  if (time <= now && members.some(isOlder)) return asked;
  return members.toSorted((a, b) => (b.createdAt ?? 0) - (a.createdAt ?? 0))[0]?.rolloutAfter;
}
