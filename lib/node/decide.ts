/**
 * What provider-node does about one WorkloadNode: pure, and the same for the simulator and for the controller. The
 * caller gets the next action, carries it out, adds the result to the situation, and calls again until there is a
 * verdict.
 */
import { conditionOf, SYNCED, notSynced, waitingForNode } from '#lib/api/conditions.ts';
import { nodeCondition } from '#lib/api/contracts/workload-node.ts';
import { type KubeObject, stringAt } from '#lib/api/json.ts';
import { CROSSPLANE } from '#lib/api/words.ts';
import { isTracked, usageOf } from './config.ts';
import { tellExpiry } from './certificates.ts';
import { type Again, type Decision, look, RETRY, type Verdict } from './decision.ts';
import { decideDeletion } from './deletion.ts';
import { flapEnds } from './flap.ts';
import { doubting, identify, type Identity, managersIn, otherManagerOf } from './identity.ts';
import { admissionOf, withdrawalOf } from './join.ts';
import { FINALIZER, isDeleting } from './leaving.ts';
import { lookForMember, memberSeen } from './leave-store.ts';
import { markingOf } from './marks.ts';
import { nameAsked, nameOf, uidOf } from './node.ts';
import { isObserveOnly, type Permission, policyOf } from './policies.ts';
import { reportOf } from './report.ts';
import { answering } from './requests.ts';
import type { NodeSituation } from './situation.ts';
import { servingOf, tellPending } from './serving.ts';
import { startOf } from './start.ts';
import { advanceOf, clearingOf } from './update.ts';

export function decide(situation: NodeSituation): Decision {
  const { object } = situation;
  const policy = policyOf(object);
  if (policy.way === 'Paused') return pause(object, policy.by);
  const decision = policy.way === 'Refused' ? refuse(policy.message) : decideWithin(situation, policy.may);
  return 'next' in decision ? decision : { end: answering(object, decision.end) };
}

function decideWithin(situation: NodeSituation, may: ReadonlySet<Permission>): Decision {
  if (!isDeleting(situation.object)) return manage(situation, may);
  // As with every provider: what may not be deleted is not even looked at.
  return may.has('Delete') ? decideDeletion(situation) : { end: { again: {}, release: {} } };
}

/** Nothing is done, also not for a deletion. */
function pause(object: KubeObject, by: string): Decision {
  const message = `paused by ${by}`;
  const isNews = conditionOf(object, 'Synced')?.reason !== 'ReconcilePaused';
  const report = { status: {}, conditions: [nodeCondition('Synced', 'ReconcilePaused', message)] };
  const tell = isNews ? [{ type: 'Normal', reason: 'ReconciliationPaused', message } as const] : [];
  return { end: { report, again: {}, tell } };
}

function refuse(message: string): Decision {
  const tell = [{ type: 'Warning', reason: 'ManagementPolicyInvalid', message } as const];
  return { end: { report: { status: {}, conditions: [notSynced(message)] }, again: {}, tell } };
}

function manage(situation: NodeSituation, may: ReadonlySet<Permission>): Decision {
  const { object, workload } = situation;
  if (object.metadata?.finalizers?.includes(FINALIZER) !== true)
    return { next: { do: 'Hold', why: 'the Node is drained before the object is deleted' } };
  const tracking = trackingOf(situation);
  if (tracking !== undefined) return tracking;
  const start = may.has('Create') ? startOf(situation) : undefined;
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
  return doubting(identified(situation, identify(object, workload.nodes), may), situation);
}

function identified(
  situation: NodeSituation,
  { node, unclear, doubt }: Identity,
  may: ReadonlySet<Permission>,
): Decision {
  if (unclear !== undefined) return fail(unclear);
  if (node === undefined) return awaitNode(situation, may, doubt);
  const other = may.has('Update') ? otherManagerOf(node, situation.object, managersIn(situation)) : undefined;
  if (other === undefined) return receive(situation, node, may);
  return fail(`cannot manage Node "${nameOf(node)}": WorkloadNode "${other}" does`);
}

function fail(message: string): Decision {
  return { end: { report: { status: {}, conditions: [notSynced(message)] }, again: {} } };
}

/** The machine boots; its token is in the cluster before it asks to join. */
function awaitNode(situation: NodeSituation, may: ReadonlySet<Permission>, doubt: Identity['doubt']): Decision {
  const joining = may.has('Create') ? admissionOf(situation) : NO_JOIN;
  if (joining.way === 'Act') return joining.decision;
  if (joining.way === 'Wait') {
    const conditions = [SYNCED, nodeCondition('Ready', 'WaitingForJoinToken', joining.message)];
    return { end: { report: { status: {}, conditions }, again: { poll: RETRY } } };
  }
  const { status, due } = joining;
  const waiting = waitingForNode(nameAsked(situation.object));
  // Its machine is replaced after a while: then this is why.
  const message = doubt?.message === undefined ? waiting : `${waiting}; ${doubt.message}`;
  // Who only observes waits for nothing that is to come: that it is missing is an error then.
  const missing = `Node "${nameAsked(situation.object)}" does not exist, and spec.managementPolicies is [Observe]`;
  const synced = isObserveOnly(may) ? notSynced(missing) : SYNCED;
  const conditions = [synced, nodeCondition('Ready', 'WaitingForNode', message)];
  return { end: { report: { status, conditions }, again: due === undefined ? {} : { due } } };
}

/** A Node that is there needs no token any more; what becomes of that is reported with the Node. */
function receive(situation: NodeSituation, node: KubeObject, may: ReadonlySet<Permission>): Decision {
  const externalName = nameOf(node);
  if (stringAt(situation.object, 'metadata', 'annotations', CROSSPLANE.externalName) !== externalName)
    return { next: { do: 'Name', externalName, why: 'people and their tools look for the name there' } };
  const joining = may.has('Create') ? withdrawalOf(situation) : NO_JOIN;
  if (joining.way === 'Act') return joining.decision;
  const decision = may.has('Update') ? lookAfter(situation, node) : watch(situation, node);
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
  const clearing = clearingOf(situation);
  if (clearing !== undefined) return clearing;
  const serving = servingOf(situation, node);
  if (serving !== undefined) return serving;
  const advance = advanceOf(situation, node);
  // The result of a run comes first: a Node whose update is over is not cordoned again.
  if (advance?.decision !== undefined && isLookAtRun(advance.decision)) return advance.decision;
  // Labels, taints and cordon are set before an update changes the Node, and removed after it.
  const { record, patch, marks } = markingOf(node, situation.object, advance?.cordoned === true);
  if (record !== undefined) return { next: { do: 'Record', status: record, why: WHY_RECORD } };
  if (patch !== undefined)
    return { next: { do: 'PatchNode', name: nameOf(node), uid: uidOf(node), patch, why: WHY_PATCH } };
  if (advance?.decision !== undefined) return advance.decision;
  const looking = lookForMember(situation, node);
  if (looking !== undefined) return looking;
  const again = { ...advance?.again, ...soonest(advance?.again.due, flapEnds(situation, node)) };
  const report = reportOf(situation, node, advance);
  const member = memberSeen(situation, node);
  const status = { ...report.status, marks, ...(member === undefined ? {} : { member }) };
  return { end: { report: { ...report, status }, again, ...tellOf(situation, node) } };
}

function soonest(...seconds: readonly (number | undefined)[]): Again {
  const known = seconds.filter((one) => one !== undefined);
  return known.length === 0 ? {} : { due: Math.min(...known) };
}

/** Its Node may not be changed. */
function watch(situation: NodeSituation, node: KubeObject): Decision {
  return { end: { report: reportOf(situation, node, undefined), again: soonest(flapEnds(situation, node)) } };
}

function tellOf(situation: NodeSituation, node: KubeObject): Pick<Verdict, 'tell'> {
  const tell = [...tellPending(situation, node), ...tellExpiry(situation)];
  return tell.length === 0 ? {} : { tell };
}

function isLookAtRun(decision: Decision): boolean {
  return 'next' in decision && decision.next.do === 'Look' && decision.next.at === 'Run';
}

const NO_JOIN = { way: 'Done', status: {}, due: undefined } as const;
const WHY_RECORD = 'what is set on the Node is removed when it leaves the spec';
const WHY_PATCH = 'the Node differs from what its object asks for';
