/**
 * Deletion of a WorkloadNode: cordon, drain, leave etcd, delete the Node, release. Each step is derived from what is
 * observed, so that it continues after an interruption.
 */
import { type Condition, DELETING, SYNCED, notSynced } from '#lib/api/conditions.ts';
import { nodeCondition } from '#lib/api/contracts/workload-node.ts';
import { stampOf, timeOf } from '#lib/api/fields/text.ts';
import { type JsonObject, type KubeObject, at, stringAt } from '#lib/api/json.ts';
import { type Again, type Decision, look, RETRY } from './decision.ts';
import { type Drain, drainOf } from './drain.ts';
import { abandonmentOf } from './join.ts';
import { departureOf, drainTimeout, leavingOf } from './leaving.ts';
import { membershipOf } from './membership.ts';
import { cordonOf } from './marks.ts';
import { isAnother, isUnreachable, nameAsked, nameOf, uidOf } from './node.ts';
import type { Etcd, NodeDeletion, NodeSituation } from './situation.ts';

export function decideDeletion(situation: NodeSituation): Decision {
  const { object, now, config, workload } = situation;
  if (config === undefined) return look('Config', 'a Node is not drained when its whole cluster is deleted');
  const obstacle = workload !== undefined && 'cause' in workload ? workload : undefined;
  const leaving = leavingOf(departureOf(object, config.found, now, obstacle));
  if (leaving.way === 'LetGo') return letGo(situation, leaving.why);
  if (leaving.way === 'Wait') {
    const synced = obstacle === undefined || obstacle.isMissing ? SYNCED : notSynced(obstacle.cause);
    return wait([DELETING, synced, nodeCondition('Drained', 'Unreachable', leaving.why)], { poll: RETRY });
  }
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
  const begin = beginOf(object, now);
  const drain = drainOf(situation, node);
  if (drain.way === 'Act') return drain.decision;
  const timeout = drainTimeout(object);
  const left = timeout - (now - begin) / 1000;
  const isLate = drain.way === 'Wait' && timeout !== 0 && left <= 0;
  if (drain.way === 'Wait' && !isLate)
    return wait(
      [DELETING, SYNCED, nodeCondition('Drained', drain.reason, drain.message)],
      { poll: drain.poll, ...(timeout === 0 ? {} : { due: left }) },
      { startedAt: stampOf(begin) },
    );
  return leaveEtcd(situation, node, drain, { startedAt: stampOf(begin) }) ?? remove(node, drain);
}

/** When the drain began; what the status says of a drain before the deletion is that of an update. */
function beginOf(object: KubeObject, now: number): number {
  const deletion = timeOf(object.metadata?.deletionTimestamp) ?? 0;
  const begin = timeOf(stringAt(object, 'status', 'drain', 'startedAt')) ?? 0;
  return begin >= deletion && begin > 0 ? begin : now;
}

/** The next action, or what to wait for, until the Node is not an etcd member; undefined if it is none. */
function leaveEtcd(
  situation: NodeSituation,
  node: KubeObject,
  drain: Drain,
  progress: JsonObject,
): Decision | undefined {
  const { object, etcd, leave } = situation;
  if (at(object, 'spec', 'etcdMember') !== true) return undefined;
  if (etcd === undefined) return look('Etcd', 'the Node is a member of etcd');
  const standing = etcdDepartureOf(etcd, node);
  if (standing === 'Left') return undefined;
  const { condition, next } = standing;
  if (next !== undefined && leave === undefined) return { next };
  const blocked = leave === undefined ? condition : nodeCondition('MembershipLeft', 'Waiting', leave.refusal);
  const drained = drain.way === 'Done' ? nodeCondition('Drained', 'Drained') : nodeCondition('Drained', 'TimedOut');
  const conditions = [DELETING, SYNCED, drained, ...(blocked === undefined ? [] : [blocked])];
  return wait(conditions, { poll: RETRY }, progress);
}

interface EtcdDeparture {
  readonly condition?: Condition;
  readonly next?: Extract<Decision, { next: unknown }>['next'];
}

function etcdDepartureOf(etcd: Etcd, node: KubeObject): 'Left' | EtcdDeparture {
  if (etcd === 'NotPlayed') return 'Left';
  if ('cause' in etcd) return { condition: nodeCondition('MembershipLeft', 'Unreachable', etcd.cause) };
  const membership = membershipOf(nameOf(node), etcd.members);
  if (membership.way === 'Left') return 'Left';
  if (membership.way === 'Wait')
    return { condition: nodeCondition('MembershipLeft', membership.reason, membership.message) };
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
function gone(situation: NodeSituation): Decision {
  const abandonment = abandonmentOf(situation);
  if (abandonment !== undefined) return abandonment;
  const { object, deleted } = situation;
  const release = { again: {} };
  if (deleted?.because === 'Drained')
    return {
      end: { ...release, report: { status: {}, conditions: [nodeCondition('Drained', 'Drained')] }, release: {} },
    };
  if (deleted?.because !== 'TimedOut') return { end: { ...release, release: {} } };
  const undrained = `not drained within ${drainTimeout(object)} seconds (spec.drain.timeout)`;
  const conditions = [nodeCondition('Drained', 'TimedOut', `Node "${nameAsked(object)}" was ${undrained}`)];
  return { end: { ...release, report: { status: {}, conditions }, release: { undrained } } };
}

/** Without a drain, and without leaving etcd: the Node is deleted with its cluster, or is unreachable. */
function letGo({ object }: NodeSituation, why: string): Decision {
  const wasSeen = at(object, 'status', 'nodeRef') !== undefined;
  return { end: { again: {}, release: wasSeen ? { undrained: why } : {} } };
}

function wait(conditions: readonly Condition[], again: Again, drain?: JsonObject): Decision {
  return { end: { again, report: { status: drain === undefined ? {} : { drain }, conditions } } };
}
