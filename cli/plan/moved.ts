/**
 * Machines that are deleted before their replacement is created: the replacement may get another slot, because the slot
 * is taken until the old machine is gone.
 */
import type { KubeObject } from '#lib/api/json.ts';
import type { PlanEntry } from './entry.ts';
import { fateOf } from './fate.ts';
import type { Phase } from './phases.ts';
import { nameOf } from './world.ts';

/**
 * @param created lines about machines created for empty slots
 * @returns names of replacements, by the name of the replaced machine
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

/** It is deleted because it must be replaced, not because there are too many machines. */
function makesRoom(name: string, phases: readonly Phase[]): boolean {
  const said = phases.flatMap(({ play }) => play.passes.map(({ about }) => about.get(name) ?? []));
  const last = said.findLast((lines) => lines.some(({ decision }) => decision === 'Drop')) ?? [];
  return last.some(({ decision }) => decision === 'Recreate');
}
