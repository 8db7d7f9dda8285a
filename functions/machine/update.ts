/**
 * Runs an in-place update: delays changes that stop the machine until its node is drained, releases them, waits for the
 * report of the cloud, and has the updaters of the node run. The WorkloadNode measures the time: an update that is not
 * done in time has failed. Everything is derived from what is observed on every call; a finished update never runs
 * again.
 */
import { hasEnded, type MachineUpdate, type MachineUpdateStatus } from '#lib/api/contracts/machine-update.ts';
import { seconds } from '#lib/api/fields/text.ts';
import { at, stringAt } from '#lib/api/json.ts';
import { type WorkloadNodeSpec, WorkloadNodeUpdate } from '#lib/api/kinds/workload-node.ts';
import { describeObject } from '#lib/api/names.ts';
import { parseAs } from '#lib/api/parse.ts';
import type { MachinePlan } from '#lib/cloud/machine.ts';
import type { Request } from '#lib/fn/request.ts';
import type { MachineState } from './state.ts';
import { NODE } from './node.ts';
import { type Claimants, claimantsOf, impossible, type OwnPart, ownParts } from './order.ts';
import { type Scripts, scriptsName, scriptsOf } from './scripts.ts';
import type { Situation } from './situation.ts';

/** What an update allows in this call. */
export interface Update {
  readonly order: MachineUpdate;
  /** The changes that the machine step itself makes. */
  readonly own: ReadonlySet<OwnPart>;
  /** Whether that may change now, or has changed. */
  readonly released: boolean;
  readonly scripts: Scripts;
  readonly claimants: Claimants;
  /** The final result that was reported earlier for this update. */
  readonly ended: MachineUpdateStatus | undefined;
  /** Why it cannot begin; until it begins it may be cancelled. */
  readonly obstacle: Obstacle | undefined;
  /** The state of the update on the node; undefined until the node has it. */
  readonly node: { readonly phase: string; readonly message?: string | undefined } | undefined;
}

/** Phases in which the node is drained and may be stopped. */
const EMPTY: ReadonlySet<string> = new Set(['Drained', 'Running', 'Verifying', 'Succeeded']);

/** Undefined if none was requested. @param resizable fields that the cloud can change on a stopped machine */
export function updateOf(
  request: Request,
  { machine, previous, observed }: Situation,
  state: MachineState,
  resizable: ReadonlySet<string>,
): Update | undefined {
  const order = machine.spec.update;
  if (order === undefined) return undefined;
  const scripts = scriptsOf(request, order);
  const reported = previous.update?.id === order.id ? previous.update : undefined;
  const ended = hasEnded(reported?.phase) ? reported : undefined;
  const begun = stringAt(observed.get(NODE), 'spec', 'update', 'id') === order.id;
  const said = begun && state.node.update?.id === order.id ? state.node.update : undefined;
  const node = begun ? (said ?? { phase: order.disruptive ? 'Draining' : 'Running' }) : undefined;
  return {
    order,
    own: ownParts(order, resizable),
    released: ended === undefined ? said !== undefined && EMPTY.has(said.phase) : ended.phase === 'Succeeded',
    scripts,
    claimants: claimantsOf(request, order),
    ended,
    obstacle: begun || ended !== undefined ? undefined : obstacleOf(order, state, resizable, scripts),
    node,
  };
}

interface Obstacle {
  readonly why: string;
  /** Waiting does not help: it failed before it began, and the node is not touched. */
  readonly final: boolean;
}

/** An update that cannot be completed does not begin. */
function obstacleOf(
  order: MachineUpdate,
  { lost, node }: MachineState,
  resizable: ReadonlySet<string>,
  { fields, waiting }: Scripts,
): Obstacle | undefined {
  if (lost !== undefined) return { why: lost, final: false };
  if (node.nodeRef === undefined) return { why: 'waiting for the Node to register', final: false };
  if (waiting !== undefined) return { why: waiting, final: false };
  const cause = impossible(order, resizable, fields);
  return cause === undefined ? undefined : { why: cause, final: true };
}

/**
 * The update status of the Machine.
 * @param cloud why it has not applied the released changes yet, and why it will not
 */
export function updateStatus(
  { order, ended, obstacle, node, claimants }: Update,
  { unfinished, failed = claimants.failed }: Pick<MachinePlan, 'unfinished' | 'failed'>,
): MachineUpdateStatus {
  const { id } = order;
  if (ended !== undefined) return ended;
  if (obstacle !== undefined) return { id, phase: obstacle.final ? 'Failed' : 'Pending', message: obstacle.why };
  if (node === undefined) return { id, phase: 'Pending' };
  if (failed !== undefined) return { id, phase: 'Failed', message: failed };
  const phase = node.phase === 'Drained' ? 'Running' : node.phase;
  const parts = [node.message, phase === 'Succeeded' ? undefined : unfinished];
  const message = parts.filter((part) => part !== undefined).join('; ');
  return { id, phase, ...(message === '' ? {} : { message }) };
}

/** The result of an update whose request was removed by a direct edit: it will not finish. */
export function withdrawn(reported: MachineUpdateStatus | undefined): MachineUpdateStatus | undefined {
  if (reported === undefined || hasEnded(reported.phase)) return reported;
  return { id: reported.id, phase: 'Failed', message: 'spec.update was removed before the update ended' };
}

/** The update for the WorkloadNode: while another party still has work to do, it waits, drained. */
export function nodeUpdate(
  { machine, observed }: Situation,
  { order, ended, obstacle, own, released, claimants }: Update,
  unfinished: string | undefined,
): WorkloadNodeSpec['update'] {
  if (ended !== undefined || obstacle !== undefined) return given(observed.get(NODE));
  const tasks = order.updaters.filter(({ runsOn }) => runsOn === 'Node');
  const done = own.size === 0 || (released && unfinished === undefined);
  return {
    id: order.id,
    disruptive: order.disruptive,
    hold: !done || !claimants.done,
    updaters: tasks.map(({ name }) => name),
    ...(tasks.length === 0 ? {} : { payloadSecretRef: { name: scriptsName(machine, order.id) } }),
    ...(tasks.some(({ fields }) => fields.includes('spec.version')) ? { version: machine.spec.version } : {}),
    timeout: `${order.updaters.reduce((sum, { timeout }) => sum + seconds(timeout), 0)}s`,
  };
}

/** The update that it already has. */
function given(node: Situation['composite'] | undefined): WorkloadNodeSpec['update'] {
  const update = at(node, 'spec', 'update');
  if (node === undefined || update === undefined) return undefined;
  return parseAs(WorkloadNodeUpdate, update, `spec.update of ${describeObject(node)}`, 'InvalidObserved');
}
