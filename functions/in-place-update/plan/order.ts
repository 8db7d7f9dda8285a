/** In-place updates: the requested update of a machine (its "order"), and its progress. */
import { isAtOrBelow } from '#lib/api/fields/field-path.ts';
import { MachineUpdate, MachineUpdateStatus } from '#lib/api/contracts/machine-update.ts';
import { at, type KubeObject, stringAt } from '#lib/api/json.ts';
import { shortHash } from '#lib/api/names.ts';
import { formatPath, type Path, valueAt } from '../change.ts';
import { stepsOf } from '../field-path.ts';
import type { Decided } from '../decision.ts';

/** None: no update requested. Pending: it may still be cancelled. UnderWay: it must end first. */
export type Progress = 'None' | 'Pending' | 'UnderWay' | 'Succeeded' | 'Failed';

export interface Ordered {
  readonly progress: Progress;
  /** The requested update; undefined: none. */
  readonly order: MachineUpdate | undefined;
  /** The message of the machine. */
  readonly phase: string;
  readonly message: string | undefined;
}

/** The requested update and its progress. An unreadable one counts as running: nothing disruptive is added to it. */
export function orderedOf(object: KubeObject): Ordered {
  const ordered = known.get(object) ?? readOrdered(object);
  known.set(object, ordered);
  return ordered;
}

/** Objects of a request never change, and a call asks for each several times. */
const known = new WeakMap<KubeObject, Ordered>();

function readOrdered(object: KubeObject): Ordered {
  const given = at(object, 'spec', 'update');
  const status = at(object, 'status', 'update');
  const reported = status === undefined ? undefined : MachineUpdateStatus.safeParse(status).data;
  if (given === undefined) return takenAway(reported);
  const order = MachineUpdate.safeParse(given).data;
  if (reported === undefined || reported.id !== stringAt(given, 'id'))
    return { progress: order === undefined ? 'UnderWay' : 'Pending', order, phase: 'Pending', message: undefined };
  return { progress: progressOf(reported.phase), order, phase: reported.phase, message: reported.message };
}

/**
 * Only after a direct edit: a request otherwise stays on its object. Its fields have their new values, but nothing
 * updates them.
 */
function takenAway(reported: MachineUpdateStatus | undefined): Ordered {
  if (reported === undefined || reported.phase === 'Succeeded')
    return { progress: 'None', order: undefined, phase: 'None', message: undefined };
  const message = reported.phase === 'Failed' ? reported.message : 'spec.update was removed before the update ended';
  return { progress: 'Failed', order: undefined, phase: 'Failed', message };
}

function progressOf(phase: string): Progress {
  if (phase === 'Pending' || phase === 'Succeeded' || phase === 'Failed') return phase;
  return 'UnderWay';
}

/**
 * The update request for the changed fields; undefined if there are none. It includes the fields of an earlier update
 * that did not succeed, because these already have their new values and do not differ any more.
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
 * The update request that cleans up after a failed one (a cordoned node) if a patch alone reverts its target. Undefined
 * if nothing of it is reverted. It is not disruptive: only verification is left.
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
 * Each id is updated once, but a value may come back after it was removed by a change that needs no update. So the
 * previous request is part of the id; names of updaters are not.
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

// A list item has no path of its own in an update request.
function anyItem(path: Path): Path {
  return path.map((step) => (typeof step === 'number' ? '*' : step));
}

/** The field, or the list that contains it. */
function listOf(field: string): Path {
  const steps = stepsOf(field);
  const star = steps.indexOf('*');
  return star < 0 ? steps : steps.slice(0, star);
}

/** The object with an update request; an existing request stays until another one replaces it. */
export function withOrder(object: KubeObject, order: MachineUpdate | undefined): KubeObject {
  if (order === undefined) return object;
  return { ...object, spec: { ...object.spec, update: order } };
}
