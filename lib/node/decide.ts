/**
 * What provider-node does about one WorkloadNode: pure, and the same for the simulator and for the controller. The
 * caller gets the next action, carries it out, adds the result to the situation, and calls again until there is a
 * verdict.
 */
import { SYNCED, notSynced } from '#lib/api/conditions.ts';
import { nodeCondition } from '#lib/api/contracts/workload-node.ts';
import type { KubeObject } from '#lib/api/json.ts';
import { isTracked, usageOf } from './config.ts';
import { type Again, type Decision, look, RETRY } from './decision.ts';
import { decideDeletion } from './deletion.ts';
import { flapEnds } from './flap.ts';
import { admissionOf, withdrawalOf } from './join.ts';
import { isDeleting } from './leaving.ts';
import { patchOf } from './marks.ts';
import { nameAsked, nameOf, uidOf } from './node.ts';
import { reportOf } from './report.ts';
import type { NodeSituation } from './situation.ts';
import { servingOf } from './serving.ts';
import { startOf } from './start.ts';
import { advanceOf } from './update.ts';

export const FINALIZER = 'workloadnode.node.slipway.dev';

export function decide(situation: NodeSituation): Decision {
  const { object, workload } = situation;
  if (isDeleting(object)) return decideDeletion(situation);
  if (object.metadata?.finalizers?.includes(FINALIZER) !== true)
    return { next: { do: 'Hold', why: 'the Node is drained before the object is deleted' } };
  const tracking = trackingOf(situation);
  if (tracking !== undefined) return tracking;
  const start = startOf(situation);
  if (start !== undefined) {
    if (!('wait' in start)) return start;
    const conditions = [SYNCED, nodeCondition('Ready', 'WaitingForStart', start.wait)];
    return { end: { report: { status: {}, conditions }, again: { poll: RETRY } } };
  }
  if (workload === undefined) return look('Workload', 'the Node is managed by this object');
  if ('cause' in workload) {
    const report = { status: {}, conditions: [notSynced(workload.cause)] };
    return { end: { report, again: workload.isMissing ? {} : { poll: RETRY } } };
  }
  return workload.node === undefined ? awaitNode(situation) : receive(situation, workload.node);
}

/** The machine boots; its token is in the cluster before it asks to join. */
function awaitNode(situation: NodeSituation): Decision {
  const joining = admissionOf(situation);
  if (joining.way === 'Act') return joining.decision;
  if (joining.way === 'Wait') {
    const conditions = [SYNCED, nodeCondition('Ready', 'WaitingForJoinToken', joining.message)];
    return { end: { report: { status: {}, conditions }, again: { poll: RETRY } } };
  }
  const { status, due } = joining;
  const message = `waiting for Node "${nameAsked(situation.object)}" to register`;
  const conditions = [SYNCED, nodeCondition('Ready', 'WaitingForNode', message)];
  return { end: { report: { status, conditions }, again: due === undefined ? {} : { due } } };
}

/** A Node that is there needs no token any more; what becomes of that is reported with the Node. */
function receive(situation: NodeSituation, node: KubeObject): Decision {
  const joining = withdrawalOf(situation);
  if (joining.way === 'Act') return joining.decision;
  const decision = lookAfter(situation, node);
  if ('next' in decision || decision.end.report === undefined || joining.way === 'Wait') return decision;
  const { report } = decision.end;
  return { end: { ...decision.end, report: { ...report, status: { ...report.status, ...joining.status } } } };
}

/** The usage comes first, so that the ProviderConfig is still there when the object is deleted with its cluster. */
function trackingOf({ object, config }: NodeSituation): Decision | undefined {
  if (config === undefined) return look('Config', 'the object says that it uses its ProviderConfig');
  const { found, usage } = config;
  if (found === undefined || isDeleting(found) || isTracked(object, usage)) return undefined;
  return { next: { do: 'Track', usage: usageOf(object), why: 'the object uses its ProviderConfig' } };
}

function lookAfter(situation: NodeSituation, node: KubeObject): Decision {
  const serving = servingOf(situation, node);
  if (serving !== undefined) return serving;
  const advance = advanceOf(situation, node);
  // The result of a run comes first: a Node whose update is over is not cordoned again.
  if (advance?.decision !== undefined && isLookAtRun(advance.decision)) return advance.decision;
  // Labels, taints and cordon are set before an update changes the Node, and removed after it.
  const patch = patchOf(node, situation.object, advance?.cordoned === true);
  if (patch !== undefined)
    return { next: { do: 'PatchNode', name: nameOf(node), uid: uidOf(node), patch, why: WHY_PATCH } };
  if (advance?.decision !== undefined) return advance.decision;
  const again = { ...advance?.again, ...soonest(advance?.again.due, flapEnds(situation, node)) };
  return { end: { report: reportOf(situation, node, advance), again } };
}

function soonest(...seconds: readonly (number | undefined)[]): Again {
  const known = seconds.filter((one) => one !== undefined);
  return known.length === 0 ? {} : { due: Math.min(...known) };
}

function isLookAtRun(decision: Decision): boolean {
  return 'next' in decision && decision.next.do === 'Look' && decision.next.at === 'Run';
}

const WHY_PATCH = 'the Node differs from what its object asks for';
