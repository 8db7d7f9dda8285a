/** Updates in place: the order a machine is given, and how far it says it got. */
import { isAtOrBelow } from '#lib/api/fields/field-path.ts';
import { MachineUpdate, MachineUpdateStatus } from '#lib/api/contracts/machine-update.ts';
import { at, type KubeObject, stringAt } from '#lib/api/json.ts';
import { shortHash } from '#lib/api/names.ts';
import { formatPath, type Path, valueAt } from '../change.ts';
import { stepsOf } from '../field-path.ts';
import type { Decided } from '../decision.ts';

/** None: nothing was ordered. Pending: it may still be taken back. UnderWay: only its end may follow. */
export type Progress = 'None' | 'Pending' | 'UnderWay' | 'Succeeded' | 'Failed';

export interface Ordered {
  readonly progress: Progress;
  /** What was ordered; undefined: nothing. */
  readonly order: MachineUpdate | undefined;
  /** In the machine's own words. */
  readonly phase: string;
  readonly message: string | undefined;
}

/** What was ordered and how it goes. An order that cannot be read counts as under way: nothing disruptive is added to it. */
export function orderedOf(object: KubeObject): Ordered {
  const given = at(object, 'spec', 'update');
  const told = MachineUpdateStatus.safeParse(at(object, 'status', 'update')).data;
  if (given === undefined) return takenAway(told);
  const order = MachineUpdate.safeParse(given).data;
  if (told === undefined || told.id !== stringAt(given, 'id'))
    return { progress: order === undefined ? 'UnderWay' : 'Pending', order, phase: 'Pending', message: undefined };
  return { progress: progressOf(told.phase), order, phase: told.phase, message: told.message };
}

/** Only by hand: an order stays on its object. Its fields have their new values, and nobody brings them about. */
function takenAway(told: MachineUpdateStatus | undefined): Ordered {
  if (told === undefined || told.phase === 'Succeeded')
    return { progress: 'None', order: undefined, phase: 'None', message: undefined };
  const message = told.phase === 'Failed' ? told.message : 'spec.update was removed before the update ended';
  return { progress: 'Failed', order: undefined, phase: 'Failed', message };
}

function progressOf(phase: string): Progress {
  if (phase === 'Pending' || phase === 'Succeeded' || phase === 'Failed') return phase;
  return 'UnderWay';
}

/**
 * The order for the fields that are updated; undefined when there are none. What an order that did not succeed was to
 * bring about is part of it: those fields have their new values already and differ no more.
 */
export function orderFor(fields: readonly Decided[], before: Ordered, desired: KubeObject): MachineUpdate | undefined {
  const updated = fields.filter(({ decision }) => decision === 'Update');
  if (updated.length === 0) return undefined;
  const unfinished = before.progress === 'Pending' || before.progress === 'Failed';
  const tasks = new Map<string, Task>();
  for (const task of updated.flatMap(tasksOf)) add(tasks, task);
  const again = new Set(updated.map(({ path }) => formatPath(anyItem(path))));
  for (const { fields: open, ...task } of unfinished ? (before.order?.updaters ?? []) : [])
    for (const field of open) if (!again.has(field)) add(tasks, { ...task, fields: [field] });
  const updaters = [...tasks.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  const targets = [...new Set(updaters.flatMap((task) => task.fields))].sort();
  return {
    id: shortHash([...targets.map((field) => [field, valueAt(desired, listOf(field)) ?? null]), ...after(before)], 10),
    disruptive: updaters.some(({ disruptive }) => disruptive),
    updaters,
  };
}

/**
 * The order that ends what a failed one left – a node that is cordoned – when a patch alone takes its target back.
 * Undefined when nothing of it is taken back. It disrupts nobody: there is nothing left to do but to verify.
 */
export function wayBack(fields: readonly Decided[], failed: Ordered): MachineUpdate | undefined {
  const { order } = failed;
  const patched = fields.filter(({ decision }) => decision === 'Patch').map(({ path }) => formatPath(anyItem(path)));
  const named = order?.updaters.flatMap((task) => task.fields) ?? [];
  if (order === undefined || !patched.some((field) => named.some((one) => overlap(field, one)))) return undefined;
  return {
    id: shortHash(['back', ...patched.toSorted(), order.id], 10),
    disruptive: false,
    updaters: order.updaters.map((task) => ({ ...task, disruptive: false })),
  };
}

function overlap(a: string, b: string): boolean {
  return isAtOrBelow(a, b) || isAtOrBelow(b, a);
}

/**
 * An id is carried out once, and a value may come back after it was taken away by what needs no order. So the order
 * before is part of the id; how updaters are called is not.
 */
function after({ order }: Ordered): readonly string[] {
  return order === undefined ? [] : [order.id];
}

type Task = MachineUpdate['updaters'][number];

function tasksOf({ path, updaters }: Decided): readonly Task[] {
  return updaters.map((updater) => ({ ...updater, fields: [formatPath(anyItem(path))] }));
}

function add(tasks: Map<string, Task>, task: Task): void {
  const known = tasks.get(task.name);
  const fields = [...new Set([...(known?.fields ?? []), ...task.fields])].sort();
  tasks.set(task.name, { ...(known ?? task), fields });
}

// One item of a list has no path of its own in an order.
function anyItem(path: Path): Path {
  return path.map((step) => (typeof step === 'number' ? '*' : step));
}

/** The field, or the list it lies in. */
function listOf(field: string): Path {
  const steps = stepsOf(field);
  const star = steps.indexOf('*');
  return star < 0 ? steps : steps.slice(0, star);
}

/** The object with an order; an order that was given stays until another takes its place. */
export function withOrder(object: KubeObject, order: MachineUpdate | undefined): KubeObject {
  if (order === undefined) return object;
  return { ...object, spec: { ...object.spec, update: order } };
}
