/**
 * Machines that go before the one that replaces them is made: that one may get another slot, for as long as the old one is
 * on its way out its slot is taken.
 */
import type { KubeObject } from '#lib/api/json.ts';
import type { PlanEntry } from './entry.ts';
import { fateOf } from './fate.ts';
import type { Phase } from './phases.ts';
import { nameOf } from './world.ts';

/**
 * @param created lines about machines that are made for slots which had none
 * @returns names of those that take the place of a machine, by its name
 */
export function movedOf(
  machines: readonly KubeObject[],
  phases: readonly Phase[],
  created: readonly PlanEntry[],
): ReadonlyMap<string, string> {
  const after = phases.at(-1)?.after ?? [];
  const gone = machines.filter((machine) => fateOf(machine, after) === 'removed' && makesRoom(nameOf(machine), phases));
  return new Map(gone.slice(0, created.length).map((machine, index) => [nameOf(machine), created[index]?.name ?? '']));
}

/** It goes because it must be replaced, and not because there are too many. */
function makesRoom(name: string, phases: readonly Phase[]): boolean {
  const said = phases.flatMap(({ play }) => play.passes.map(({ about }) => about.get(name) ?? []));
  const last = said.findLast((lines) => lines.some(({ decision }) => decision === 'Drop')) ?? [];
  return last.some(({ decision }) => decision === 'Recreate');
}
