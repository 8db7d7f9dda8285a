/**
 * An in-place update of a Node: cordon, drain, wait while another controller changes the machine, run the updaters,
 * verify, uncordon. A finished update stays until another id is requested; a failed one leaves its Node cordoned. The
 * phase is that of the status, and never goes back.
 */
import { hasEnded } from '#lib/api/contracts/machine-update.ts';
import { seconds, stampOf, timeOf } from '#lib/api/fields/text.ts';
import { type KubeObject, at, stringAt } from '#lib/api/json.ts';
import { WorkloadNodeUpdate } from '#lib/api/kinds/workload-node.ts';
import { type Again, type Decision, look } from './decision.ts';
import { drainOf } from './drain.ts';
import { isReady, kubeletVersion, nameOf } from './node.ts';
import type { NodeSituation } from './situation.ts';

export type UpdatePhase = 'Draining' | 'Drained' | 'Running' | 'Verifying' | 'Succeeded' | 'Failed';

/** Progress of an update on a Node. */
export interface Progress {
  readonly id: string;
  readonly phase: UpdatePhase;
  readonly message?: string;
  /** UTC, whole seconds; undefined where an earlier release reported the end. */
  readonly startedAt?: string;
}

/** What follows for the Node now. */
export interface Advance {
  readonly progress: Progress;
  readonly cordoned: boolean;
  /** To be done once the Node is marked and cordoned; then it goes on from there. */
  readonly decision?: Decision;
  readonly again: Again;
}

interface Step {
  readonly phase: UpdatePhase;
  readonly message?: string;
  readonly decision?: Decision;
  /** Seconds. */
  readonly poll?: number;
}

/** Seconds. */
const POLL = { scripts: 5, run: 10 } as const;

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
    left <= 0
      ? { phase: 'Failed', message: `not done within ${timeout}, while ${phase}` }
      : stepFrom(phase, situation, node, update, left);
  return {
    progress: {
      id,
      phase: step.phase,
      ...(step.message === undefined ? {} : { message: step.message }),
      startedAt: stampOf(begin),
    },
    cordoned: disruptive && step.phase !== 'Succeeded',
    ...(step.decision === undefined ? {} : { decision: step.decision }),
    again: hasEnded(step.phase) ? {} : { due: left, ...(step.poll === undefined ? {} : { poll: step.poll }) },
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
      if (drain.way === 'Wait') return { phase, message: drain.message, poll: drain.poll };
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
  const { id, updaters } = update;
  if (run === undefined) return { phase, decision: look('Run', `update ${id} is running`) };
  if (run.state === 'Running') return { phase, poll: POLL.run };
  if (run.state === 'Succeeded') return verify(node, update);
  if (run.state === 'Failed')
    return { phase: 'Failed', message: `updater ${run.updater} failed on Node "${nameOf(node)}": ${run.cause}` };
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

/** What the status tells of the update of this id. */
function progressOf(object: KubeObject, id: string): Progress | undefined {
  const reported = at(object, 'status', 'update');
  const phase = PHASES.find((one) => one === stringAt(reported, 'phase'));
  if (stringAt(reported, 'id') !== id || phase === undefined) return undefined;
  const message = stringAt(reported, 'message');
  const startedAt = stringAt(reported, 'startedAt');
  return {
    id,
    phase,
    ...(message === undefined ? {} : { message }),
    ...(startedAt === undefined ? {} : { startedAt }),
  };
}

const PHASES: readonly UpdatePhase[] = ['Draining', 'Drained', 'Running', 'Verifying', 'Succeeded', 'Failed'];
