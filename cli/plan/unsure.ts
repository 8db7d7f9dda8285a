/** What a plan cannot know about a pool, as sentences on the affected lines. */
import { availableAt } from '#lib/api/conditions.ts';
import { at, type KubeObject } from '#lib/api/json.ts';
import type { PlanEntry } from './entry.ts';
import { slotOf } from './fate.ts';
import { nameOf } from './world.ts';

/** Also applies to whether the old machine is gone, and its slot free, when the next call is made. */
export const MAY_MOVE = 'its replacement may get another slot number';
export const MAY_BE_ANOTHER = 'another machine may be chosen when the functions run next';
export const MAY_COME_FIRST = 'which one is kept depends on whether it is ready when the functions run next';
export const MAY_GO_ON =
  'it is updated in place if the control plane reaches the version while a temporary replacement exists';
export const MAY_STAND_IN = 'one may be replaced instead, as a temporary replacement while others are updated';

interface Unknowns {
  /** What the pool waits for if it follows a control plane that is changing its version; undefined: it follows none. */
  readonly follows: string | undefined;
  /** The existing machines. */
  readonly machines: readonly KubeObject[];
  readonly now: Date;
}

export function unsure(pool: KubeObject, entries: readonly PlanEntry[], unknowns: Unknowns): readonly PlanEntry[] {
  const { follows } = unknowns;
  const { maxUnavailable = 0 } = (at(pool, 'spec', 'update') ?? {}) as { readonly maxUnavailable?: unknown };
  const goesFirst = maxUnavailable !== 0 && maxUnavailable !== '0%';
  const slots = comingSlots(pool, entries, unknowns);
  const racing = new Set(slots.filter(({ length }) => length > 1).flatMap((members) => members.map(nameOf)));
  const arrives = slots.length > 0;
  const busy = entries.some(({ decision, blockedBy }) => isChange(decision) && blockedBy !== follows);
  const replaced = new Set(entries.filter(({ decision }) => decision === 'Recreate').map(({ name }) => name));
  return entries.map((entry) => {
    const { decision, blockedBy, name, held } = entry;
    const moves = decision === 'Recreate' && goesFirst;
    if (decision !== 'Ignore' && racing.has(name))
      return withCaveat(entry, moves ? `${MAY_COME_FIRST}; ${MAY_MOVE}` : MAY_COME_FIRST);
    if (moves) return withCaveat(entry, MAY_MOVE);
    const waits = blockedBy !== undefined;
    if (decision === 'Drop' && !replaced.has(name) && waits && (follows !== undefined || goesFirst || arrives))
      return withCaveat(entry, MAY_BE_ANOTHER);
    if (decision === 'Update' && held === true && follows !== undefined && busy) return withCaveat(entry, MAY_GO_ON);
    const other = waits && blockedBy === follows && busy;
    if (decision === 'Update' && (other || arrives)) return withCaveat(entry, MAY_STAND_IN);
    return entry;
  });
}

function withCaveat(entry: PlanEntry, caveat: string): PlanEntry {
  return { ...entry, reason: `${entry.reason}; ${caveat}` };
}

/** Members of slots in which an outdated machine is starting. */
function comingSlots(
  pool: KubeObject,
  entries: readonly PlanEntry[],
  { machines, now }: Unknowns,
): readonly (readonly KubeObject[])[] {
  const minReady = Number(at(pool, 'spec', 'update', 'minReadySeconds') ?? 0);
  const changed = new Set(entries.filter(({ decision }) => isChange(decision)).map(({ name }) => name));
  const isComing = (machine: KubeObject): boolean =>
    changed.has(nameOf(machine)) && (availableAt(machine, minReady) ?? Infinity) > now.getTime();
  return [...Map.groupBy(machines, slotOf).values()].filter((members) => members.some(isComing));
}

function isChange(decision: PlanEntry['decision']): boolean {
  return decision === 'Update' || decision === 'Recreate' || decision === 'Drop';
}
