/**
 * An in-place update of a Node: cordon, drain, wait while another controller changes the machine, run the updaters,
 * verify, uncordon. A finished update stays until another id is requested; a failed one leaves its Node cordoned. The
 * phase is that of the status, and never goes back. The pod that ran updaters is removed once the status says how they
 * ended.
 */
import { hasEnded } from '#lib/api/contracts/machine-update.ts';
import { seconds, stampOf, timeOf } from '#lib/api/fields/text.ts';
import { type KubeObject, at, stringAt } from '#lib/api/json.ts';
import { WorkloadNodeUpdate } from '#lib/api/kinds/workload-node.ts';
import { type Again, type Decision, look } from './decision.ts';
import { type DrainWait, drainOf } from './drain.ts';
import { isReady, kubeletVersion, nameOf, withoutUpdaters } from './node.ts';
import type { NodeSituation } from './situation.ts';

export type UpdatePhase = 'Draining' | 'Drained' | 'Running' | 'Verifying' | 'Succeeded' | 'Failed';

/** Progress of an update on a Node. */
export interface Progress {
  readonly id: string;
  readonly phase: UpdatePhase;
  readonly message?: string;
  /** UTC, whole seconds; undefined where an earlier release reported the end. */
  readonly startedAt?: string;
  /** In the workload cluster, as long as it may exist. */
  readonly pod?: string;
}

/** What follows for the Node now. */
export interface Advance {
  readonly progress: Progress;
  readonly cordoned: boolean;
  /** What the drain waits for; undefined: nothing. */
  readonly drain?: DrainWait;
  /** To be done once the Node is marked and cordoned; then it goes on from there. */
  readonly decision?: Decision;
  readonly again: Again;
}

interface Step {
  readonly phase: UpdatePhase;
  readonly message?: string;
  readonly pod?: string;
  readonly drain?: DrainWait;
  readonly decision?: Decision;
  /** Seconds. */
  readonly poll?: number;
}

/** Seconds. */
const POLL = { scripts: 5, run: 10, waiting: 30, clear: 1 } as const;
/** The updaters are over, one way or another. */
const OVER: ReadonlySet<UpdatePhase> = new Set(['Verifying', 'Succeeded', 'Failed']);

/** Undefined when no update is asked for. */
export function advanceOf(situation: NodeSituation, node: KubeObject): Advance | undefined {
  const { object, now } = situation;
  const asked = at(object, 'spec', 'update');
  if (asked === undefined) return undefined;
  const update = WorkloadNodeUpdate.parse(asked);
  const { id, disruptive, timeout } = update;
  const reported = progressOf(object, id);
  if (reported !== undefined && hasEnded(reported.phase))
    return { progress: reported, cordoned: reported.phase === 'Failed' && disruptive, again: {} };
  const begin = timeOf(reported?.startedAt) ?? now;
  const left = seconds(timeout) - (now - begin) / 1000;
  const phase = reported?.phase ?? (disruptive ? 'Draining' : 'Drained');
  const step: Step =
    left <= 0 ? late(phase, situation, update, reported?.message) : stepFrom(phase, situation, node, update, left);
  const { message, drain, decision } = step;
  const pod = step.pod ?? reported?.pod;
  const isOver = hasEnded(step.phase);
  const poll = pod !== undefined && OVER.has(step.phase) ? POLL.clear : step.poll;
  return {
    progress: {
      id,
      phase: step.phase,
      ...(message === undefined ? {} : { message }),
      startedAt: stampOf(begin),
      ...(pod === undefined ? {} : { pod }),
    },
    cordoned: disruptive && step.phase !== 'Succeeded',
    ...(drain === undefined ? {} : { drain }),
    ...(decision === undefined ? {} : { decision }),
    again: { ...(isOver ? {} : { due: left }), ...(poll === undefined ? {} : { poll }) },
  };
}

/**
 * What is removed from the workload cluster before anything else: the pod of an update that the status says is over, of
 * an earlier one, or of one that is no longer asked for. Undefined: nothing is left.
 */
export function clearingOf({ object }: NodeSituation): Decision | undefined {
  const reported = progressOf(object);
  if (reported?.pod === undefined) return undefined;
  const asked = stringAt(object, 'spec', 'update', 'id');
  if (asked === reported.id && !OVER.has(reported.phase)) return undefined;
  const { pod, ...update } = reported;
  const status = { update: { ...update, pod: null } };
  return { next: { do: 'ClearRun', pod, status, why: `update ${reported.id} is over` } };
}

/** A pod that the status does not tell of is looked for, so that none is left behind. */
function late(
  phase: UpdatePhase,
  { run }: NodeSituation,
  { id, timeout, updaters }: WorkloadNodeUpdate,
  message: string | undefined,
): Step {
  if (phase === 'Running' && updaters.length > 0 && run === undefined)
    return { phase, decision: look('Run', `update ${id} takes too long`) };
  const doing = message === undefined ? phase : `${phase}: ${message}`;
  return {
    phase: 'Failed',
    message: `not done within ${timeout}, while ${doing}`,
    ...(run?.pod === undefined ? {} : { pod: run.pod }),
  };
}

/** Advances as far as the current observation allows. */
function stepFrom(
  phase: UpdatePhase,
  situation: NodeSituation,
  node: KubeObject,
  update: WorkloadNodeUpdate,
  left: number,
): Step {
  switch (phase) {
    case 'Draining': {
      const drain = drainOf(situation, node);
      if (drain.way === 'Act') return { phase, decision: drain.decision };
      if (drain.way === 'Wait') return { phase, message: drain.message, drain, poll: drain.poll };
      return stepFrom('Drained', situation, node, update, left);
    }
    case 'Drained':
      return update.hold ? { phase } : stepFrom('Running', situation, node, update, left);
    case 'Running':
      return update.updaters.length === 0 ? verify(node, update) : running(situation, node, update, left);
    case 'Verifying':
      return verify(node, update);
    default:
      return { phase }; // it has ended
  }
}

function running({ run, scripts }: NodeSituation, node: KubeObject, update: WorkloadNodeUpdate, left: number): Step {
  const phase = 'Running';
  const { id, updaters, version } = update;
  const why = withoutUpdaters(node, version);
  if (why !== undefined) return { phase: 'Failed', message: `no updater runs on Node "${nameOf(node)}": ${why}` };
  if (run === undefined) return { phase, decision: look('Run', `update ${id} is running`) };
  const pod = run.pod === undefined ? {} : { pod: run.pod };
  switch (run.state) {
    case 'Running':
      return { phase, ...pod, poll: POLL.run };
    case 'Waiting':
      return { phase, ...pod, message: run.cause, poll: POLL.waiting };
    case 'Succeeded':
      return { ...verify(node, update), ...pod };
    case 'Failed':
      return {
        phase: 'Failed',
        message: `updater ${run.updater} failed on Node "${nameOf(node)}": ${run.cause}`,
        ...pod,
      };
    default:
      run.state satisfies 'None';
  }
  if (scripts === undefined) return { phase, decision: look('Scripts', `update ${id} is to be run`) };
  const missing = updaters.find((name) => !scripts.has(name));
  if (missing !== undefined)
    return { phase, message: `waiting for the script of updater ${missing}`, poll: POLL.scripts };
  return { phase, decision: { next: { do: 'RunUpdaters', id, updaters, seconds: left, why: `update ${id}` } } };
}

function verify(node: KubeObject, { version }: WorkloadNodeUpdate): Step {
  const phase = 'Verifying';
  if (!isReady(node)) return { phase, message: `Node "${nameOf(node)}" is not ready` };
  const reported = kubeletVersion(node);
  if (version !== undefined && reported !== version)
    return { phase, message: `the kubelet reports ${reported}, expected ${version}` };
  return { phase: 'Succeeded' };
}

/** What the status tells of an update. @param id  only of this one */
function progressOf(object: KubeObject, id?: string): Progress | undefined {
  const reported = at(object, 'status', 'update');
  const phase = PHASES.find((one) => one === stringAt(reported, 'phase'));
  const known = stringAt(reported, 'id');
  if (known === undefined || phase === undefined || (id !== undefined && known !== id)) return undefined;
  const message = stringAt(reported, 'message');
  const startedAt = stringAt(reported, 'startedAt');
  const pod = stringAt(reported, 'pod');
  return {
    id: known,
    phase,
    ...(message === undefined ? {} : { message }),
    ...(startedAt === undefined ? {} : { startedAt }),
    ...(pod === undefined ? {} : { pod }),
  };
}

const PHASES: readonly UpdatePhase[] = ['Draining', 'Drained', 'Running', 'Verifying', 'Succeeded', 'Failed'];
