/** What the functions observed of a pool and its machines, as the judges read it. */
import { hasEnded } from '#lib/api/contracts/machine-update.ts';
import { isCompositeReady } from '#lib/api/conditions.ts';
import { at, type KubeObject, stringAt } from '#lib/api/json.ts';
import { budgetOf, termsOf } from '../../functions/in-place-update/budget.ts';
import type { Budget } from '../../functions/in-place-update/plan/room.ts';
import type { StepResult } from './crossplane.ts';
import { nameOf } from './observation.ts';

export function budgetOfPool(pool: KubeObject): Budget {
  return budgetOf(termsOf(pool), 0, 0);
}

/** Machines that stay, as the functions observed them: observed, or else only listed. */
export function shownOf({ view, before }: StepResult): ReadonlyMap<string, KubeObject> {
  const all = new Map([...view.required, ...view.machines].map((machine) => [nameOf(machine), machine]));
  return new Map([...all].filter(([name]) => before.get(name)?.going === undefined && before.has(name)));
}

/** Ready, and not about to be drained: every update request is assumed to be disruptive. */
export function isAvailable(machine: KubeObject): boolean {
  return isCompositeReady(machine) && !isDisrupted(machine);
}

/** There is a disruptive update request whose end was not reported. */
export function isDisrupted(machine: KubeObject): boolean {
  const order = at(machine, 'spec', 'update');
  if (at(order, 'disruptive') !== true) return false;
  const reported = at(machine, 'status', 'update');
  return stringAt(reported, 'id') !== stringAt(order, 'id') || !hasEnded(stringAt(reported, 'phase') ?? '');
}
