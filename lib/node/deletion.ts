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
import { departureOf, drainTimeout, FINALIZER, leavingOf } from './leaving.ts';
import { leaveStore, outlastsNode, storeConditions } from './leave-store.ts';
import { cordonOf } from './marks.ts';
import { isAnother, isUnreachable, nameAsked, nameOf, uidOf } from './node.ts';
import type { NodeDeletion, NodeSituation } from './situation.ts';

export function decideDeletion(situation: NodeSituation): Decision {
  const { object, now, config, workload } = situation;
  if (config === undefined) return look('Config', 'a Node is not drained when its whole cluster is deleted');
  const obstacle = workload !== undefined && 'cause' in workload ? workload : undefined;
  const leaving = leavingOf(departureOf(object, config.found, now, obstacle));
  if (leaving.way === 'LetGo') return letGo(situation, leaving.why);
  const [other] = othersAmong(object.metadata?.finalizers);
  if (other !== undefined) {
    const message = `waits until its controller removes the finalizer ${other}`;
    return wait([DELETING, SYNCED, nodeCondition('Drained', 'WaitingForHook', message)], {});
  }
  if (leaving.way === 'Wait') {
    const synced = obstacle === undefined || obstacle.isMissing ? SYNCED : notSynced(obstacle.cause);
    return wait([DELETING, synced, nodeCondition('Drained', 'Unreachable', leaving.why)], { poll: RETRY });
  }
  if (workload === undefined || 'cause' in workload) return look('Workload', 'the object is deleted');
  const { node } = workload;
  if (node === undefined) return leaveBehind(situation) ?? gone(situation);
  if (isAnother(object, node)) return gone(situation);
  return empty(situation, node);
}

/** As with every provider: who else keeps the object may need its Node. Those of the API server itself do not. */
function othersAmong(finalizers: readonly string[] = []): readonly string[] {
  return finalizers.filter((one) => one !== FINALIZER && one !== 'foregroundDeletion' && one !== 'orphan').toSorted();
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
  const store = leaveStore(situation, nameOf(node));
  if (store === undefined) return remove(node, drain);
  if (!('waits' in store)) return store;
  const drained = drain.way === 'Done' ? nodeCondition('Drained', 'Drained') : nodeCondition('Drained', 'TimedOut');
  return wait([DELETING, SYNCED, drained, store.waits], { poll: RETRY }, { startedAt: stampOf(begin) });
}

/** When the drain began; what the status says of a drain before the deletion is that of an update. */
function beginOf(object: KubeObject, now: number): number {
  const deletion = timeOf(object.metadata?.deletionTimestamp) ?? 0;
  const begin = timeOf(stringAt(object, 'status', 'drain', 'startedAt')) ?? 0;
  return begin >= deletion && begin > 0 ? begin : now;
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

/** Its Node was deleted by somebody else, such as a cloud controller: the member of the store stays. */
function leaveBehind(situation: NodeSituation): Decision | undefined {
  const { object, deleted } = situation;
  const name = stringAt(object, 'status', 'nodeRef', 'name');
  if (name === undefined || deleted !== undefined || !outlastsNode(object)) return undefined;
  const store = leaveStore(situation, name);
  return store !== undefined && 'waits' in store ? wait([DELETING, SYNCED, store.waits], { poll: RETRY }) : store;
}

/** The Node does not exist (any more). */
function gone(situation: NodeSituation): Decision {
  const abandonment = abandonmentOf(situation);
  if (abandonment !== undefined) return abandonment;
  const { object, deleted } = situation;
  const release = { again: {} };
  const left = storeConditions(situation);
  if (deleted?.because === 'Drained')
    return {
      end: {
        ...release,
        report: { status: {}, conditions: [nodeCondition('Drained', 'Drained'), ...left] },
        release: {},
      },
    };
  if (deleted?.because !== 'TimedOut') return { end: { ...release, release: {} } };
  const undrained = `not drained within ${drainTimeout(object)} seconds (spec.drain.timeout)`;
  const late = nodeCondition('Drained', 'TimedOut', `Node "${nameAsked(object)}" was ${undrained}`);
  return { end: { ...release, report: { status: {}, conditions: [late, ...left] }, release: { undrained } } };
}

/** Without a drain, and without leaving etcd: the Node is deleted with its cluster, or is unreachable. */
function letGo({ object }: NodeSituation, why: string): Decision {
  const wasSeen = at(object, 'status', 'nodeRef') !== undefined;
  return { end: { again: {}, release: wasSeen ? { undrained: why } : {} } };
}

function wait(conditions: readonly Condition[], again: Again, drain?: JsonObject): Decision {
  return { end: { again, report: { status: drain === undefined ? {} : { drain }, conditions } } };
}
