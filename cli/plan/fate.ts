/**
 * What happened to a machine in a simulation, from the objects before and after; what was reported in between does not
 * matter.
 */
import { hasEnded } from '#lib/api/contracts/machine-update.ts';
import { type KubeObject, stringAt } from '#lib/api/json.ts';
import { LABEL } from '#lib/api/words.ts';
import { nameOf } from './world.ts';

/** Kept: it still exists; its lines say what was patched. */
export type Fate = 'kept' | 'updated' | 'replaced' | 'removed';

/** @param after the machines there are at the end */
export function fateOf(machine: KubeObject, after: readonly KubeObject[]): Fate {
  const now = after.find((one) => nameOf(one) === nameOf(machine));
  if (now === undefined) return successorOf(machine, after) === undefined ? 'removed' : 'replaced';
  const id = orderOf(now);
  if (id === undefined) return 'kept';
  return id !== orderOf(machine) || (isOpen(machine) && !isOpen(now)) ? 'updated' : 'kept';
}

/** The machine in its slot that was created after it. */
export function successorOf(machine: KubeObject, after: readonly KubeObject[]): KubeObject | undefined {
  return after.find((one) => slotOf(one) === slotOf(machine) && serialOf(one) > serialOf(machine));
}

export function slotOf({ metadata }: KubeObject): string | undefined {
  return metadata?.labels?.[LABEL.slot];
}

/** The first releases did not write it. */
function serialOf({ metadata }: KubeObject): number {
  return Number(metadata?.labels?.[LABEL.serial] ?? 0);
}

function orderOf(machine: KubeObject): string | undefined {
  return stringAt(machine, 'spec', 'update', 'id');
}

function isOpen(machine: KubeObject): boolean {
  const id = orderOf(machine);
  const phase = stringAt(machine, 'status', 'update', 'phase');
  return id !== undefined && !(stringAt(machine, 'status', 'update', 'id') === id && hasEnded(phase ?? ''));
}
