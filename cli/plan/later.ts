/** What follows once something has come about, added to what happens now. */
import type { PlanEntry } from './entry.ts';

/**
 * @param later the plan made as if it had come about
 * @param blockedBy what has to come about
 * @param held whether it cannot before somebody mends something
 * @returns the plan of now, and of later what now does not do
 */
export function withLater(
  now: readonly PlanEntry[],
  later: readonly PlanEntry[],
  blockedBy: string,
  held: boolean,
): readonly PlanEntry[] {
  const known = new Set(now.map(keyOf));
  // What happens to a machine anyway happens at once, whatever follows.
  const busy = new Set(now.filter(({ decision }) => decision === 'Recreate').map(({ name }) => name));
  const isHeld = ({ decision, name }: PlanEntry): boolean => held && decision !== 'Ignore' && !busy.has(name);
  const follows = later.filter((entry) => !known.has(keyOf(entry)) && !isMade(entry));
  return [...now, ...follows.map((entry) => ({ ...entry, blockedBy, ...(isHeld(entry) ? HELD : {}) }))];
}

const HELD = { held: true } as const;

/** Machines that are made anyway; only one that stands in for the first time is news. */
function isMade({ decision, succeeds }: PlanEntry): boolean {
  return decision === 'Create' && succeeds === undefined;
}

/** One line of the plan whatever keeps it waiting; a successor has another name in every plan. */
function keyOf({ kind, name, field, decision, succeeds }: PlanEntry): string {
  return JSON.stringify(succeeds === undefined ? [kind, name, field, decision] : [succeeds]);
}
