/**
 * A restart: machines created before `update.rolloutAfter`, or older than `update.expireAfter`, are replaced without any
 * other change.
 */
import { seconds, stampOf, timeOf } from '#lib/api/fields/text.ts';
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
  const [expired] = members
    .flatMap((one) => expiryOf(spec, one) ?? [])
    .filter((end) => end <= now)
    .toSorted((a, b) => a - b);
  if (expired !== undefined) return stampOf(expired);
  return members.toSorted((a, b) => (b.createdAt ?? 0) - (a.createdAt ?? 0))[0]?.rolloutAfter;
}

/** Milliseconds since 1970; undefined: it may live for ever. */
function expiryOf({ update }: NodePool['spec'], { createdAt }: PoolMachine): number | undefined {
  const { expireAfter } = update;
  if (expireAfter === undefined || createdAt === undefined) return undefined;
  return createdAt + seconds(expireAfter) * 1000;
}
