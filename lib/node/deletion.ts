/**
 * Deletion of a WorkloadNode: cordon, drain, leave etcd, delete the Node, release. Each step is derived from what is
 * observed, so that it continues after an interruption.
 */
import { type Condition, falseCondition, trueCondition, DELETING, SYNCED, notSynced } from '#lib/api/conditions.ts';
import { type KubeObject, at } from '#lib/api/json.ts';
import { type Again, type Decision, look, RETRY } from './decision.ts';
import { type Drain, drainOf } from './drain.ts';
import { departureOf, drainTimeout, leavingOf } from './leaving.ts';
import { membershipOf } from './membership.ts';
import { cordonOf } from './marks.ts';
import { isAnother, isUnreachable, nameAsked, nameOf, uidOf } from './node.ts';
import type { Etcd, NodeDeletion, NodeSituation } from './situation.ts';

export function decideDeletion(situation: NodeSituation): Decision {
  const { object, now, management, workload } = situation;
  if (management === undefined) return look('Management', 'a Node is not drained when its whole Cluster is deleted');
  const obstacle = workload !== undefined && 'cause' in workload ? workload : undefined;
  const leaving = leavingOf(departureOf(object, management, now, obstacle));
  if (leaving.way === 'LetGo') return letGo(situation, leaving.why);
  if (leaving.way === 'Wait') return wait(situation, [DELETING, notSynced(leaving.why)], { poll: RETRY });
  if (workload === undefined || 'cause' in workload) return look('Workload', 'the object is deleted');
  const { node } = workload;
  if (node === undefined || isAnother(object, node)) return gone(situation);
  return empty(situation, node);
}

function empty(situation: NodeSituation, node: KubeObject): Decision {
  const patch = cordonOf(node);
  if (patch !== undefined)
    return { next: { do: 'PatchNode', name: nameOf(node), uid: uidOf(node), patch, why: 'the object is deleted' } };
  const { object, now } = situation;
  const { drain: begin = now } = situation.began;
  const began: NodeSituation = { ...situation, began: { ...situation.began, drain: begin } };
  const drain = drainOf(situation, node);
  if (drain.way === 'Act') return drain.decision;
  const timeout = drainTimeout(object);
  const left = timeout - (now - begin) / 1000;
  const isLate = drain.way === 'Wait' && timeout !== 0 && left <= 0;
  if (drain.way === 'Wait' && !isLate)
    return wait(began, [DELETING, SYNCED, falseCondition('Drained', drain.reason, drain.message)], {
      poll: drain.poll,
      ...(timeout === 0 ? {} : { due: left }),
    });
  return leaveEtcd(began, node, drain) ?? remove(node, drain);
}

/** The next action, or what to wait for, until the Node is not an etcd member; undefined if it is none. */
function leaveEtcd(situation: NodeSituation, node: KubeObject, drain: Drain): Decision | undefined {
  const { object, etcd, leave } = situation;
  if (at(object, 'spec', 'etcdMember') !== true) return undefined;
  if (etcd === undefined) return look('Etcd', 'the Node is a member of etcd');
  const standing = etcdDepartureOf(etcd, node);
  if (standing === 'Left') return undefined;
  const { condition, next } = standing;
  if (next !== undefined && leave === undefined) return { next };
  const blocked = leave === undefined ? condition : falseCondition('MembershipLeft', 'Waiting', leave.refusal);
  const drained = drain.way === 'Done' ? trueCondition('Drained', 'Drained') : falseCondition('Drained', 'TimedOut');
  return wait(situation, [DELETING, SYNCED, drained, ...(blocked === undefined ? [] : [blocked])], { poll: RETRY });
}

interface EtcdDeparture {
  readonly condition?: Condition;
  readonly next?: Extract<Decision, { next: unknown }>['next'];
}

function etcdDepartureOf(etcd: Etcd, node: KubeObject): 'Left' | EtcdDeparture {
  if (etcd === 'NotPlayed') return 'Left';
  if ('cause' in etcd) return { condition: falseCondition('MembershipLeft', 'Unreachable', etcd.cause) };
  const membership = membershipOf(nameOf(node), etcd.members);
  if (membership.way === 'Left') return 'Left';
  if (membership.way === 'Wait')
    return { condition: falseCondition('MembershipLeft', membership.reason, membership.message) };
  const { way: _way, ...leave } = membership;
  return { next: { do: 'LeaveEtcd', ...leave, why: 'the object is deleted, and the Node is drained' } };
}

function remove(node: KubeObject, drain: Drain): Decision {
  const because: NodeDeletion = drain.way === 'Wait' ? 'TimedOut' : isUnreachable(node) ? 'Unreachable' : 'Drained';
  return { next: { do: 'DeleteNode', name: nameOf(node), uid: uidOf(node), because, why: WHY[because] } };
}

const WHY: Readonly<Record<NodeDeletion, string>> = {
  Drained: 'the Node is empty',
  Unreachable: 'the Node does not respond',
  TimedOut: 'the drain took too long',
};

/** The Node does not exist (any more). */
function gone({ object, began, deleted }: NodeSituation): Decision {
  const release = { began, again: {} };
  if (deleted?.because === 'Drained')
    return {
      end: { ...release, report: { status: {}, conditions: [trueCondition('Drained', 'Drained')] }, release: {} },
    };
  if (deleted?.because !== 'TimedOut') return { end: { ...release, release: {} } };
  const undrained = `not drained within ${drainTimeout(object)} seconds (spec.drain.timeout)`;
  const conditions = [falseCondition('Drained', 'TimedOut', `Node "${nameAsked(object)}" was ${undrained}`)];
  return { end: { ...release, report: { status: {}, conditions }, release: { undrained } } };
}

/** Without a drain, and without leaving etcd: the Node is deleted with its cluster, or is unreachable. */
function letGo({ object, began }: NodeSituation, why: string): Decision {
  const wasSeen = at(object, 'status', 'nodeRef') !== undefined;
  return { end: { began, again: {}, release: wasSeen ? { undrained: why } : {} } };
}

function wait({ began }: NodeSituation, conditions: readonly Condition[], again: Again): Decision {
  return { end: { began, again, report: { status: {}, conditions } } };
}
