/**
 * Deletion of a WorkloadNode: cordon, drain, leave etcd, delete the Node, release. Each step is derived from what is
 * observed, so that it continues after an interruption.
 */
import { type Condition, DELETING, SYNCED, notSynced } from '#lib/api/conditions.ts';
import { nodeCondition, type NodeReason } from '#lib/api/contracts/workload-node.ts';
import type { DrainAsked } from '#lib/api/fields/drain.ts';
import { seconds } from '#lib/api/fields/text.ts';
import { type JsonObject, type KubeObject, at, stringAt } from '#lib/api/json.ts';
import { type Again, type Decision, look, RETRY } from './decision.ts';
import { type Draining, drainOf } from './drain.ts';
import { holderOf, hookOf } from './hooks.ts';
import { abandonmentOf } from './join.ts';
import { leaveStore, outlastsNode, storeConditions } from './leave-store.ts';
import { absenceOf, drainAsked, endOfCluster, leavingOf, patienceOf, wasNeverStarted } from './leaving.ts';
import { doubting, identify, isAnother, knownUid, managersIn, otherManagerOf } from './identity.ts';
import { cordonOf } from './marks.ts';
import { membershipAsked } from './membership.ts';
import { isUnreachable, nameAsked, nameOf, uidOf } from './node.ts';
import type { NodeDeletion, NodeSituation, Obstacle } from './situation.ts';
import { volumesOf } from './volumes.ts';
import { drainBegan, drainStatus, timeIn } from './waiting.ts';

export function decideDeletion(situation: NodeSituation): Decision {
  const { object, config, workload } = situation;
  if (config === undefined) return look('Config', 'a Node is not drained when its whole cluster is deleted');
  const end = endOfCluster(config.found);
  if (end !== undefined) return letGo(situation, end);
  if (wasNeverStarted(object)) return { end: { again: {}, release: {} } };
  const holder = holderOf(object);
  if (holder !== undefined) return wait([DELETING, SYNCED, nodeCondition('Drained', 'WaitingForHook', holder)], {});
  if (workload === undefined) return look('Workload', 'the object is deleted');
  if ('cause' in workload) return outOfReach(situation, workload);
  const { node, unclear, doubt } = identify(object, workload.nodes);
  if (unclear !== undefined)
    return doubting(
      wait([DELETING, notSynced(unclear), nodeCondition('Drained', 'Unidentified', unclear)], {}),
      situation,
    );
  if (doubt?.reason === 'StrangeName' && isLost(situation))
    return doubting(waitForName(situation, doubt.message ?? ''), situation);
  if (node === undefined) return leaveBehind(situation) ?? gone(situation);
  if (isAnother(object, node) || otherManagerOf(node, object, managersIn(situation)) !== undefined)
    return gone(situation);
  return empty(situation, node);
}

/** No Node was found before, as far as the status knows: any may be the one. */
function isLost({ object, deleted }: NodeSituation): boolean {
  return deleted === undefined && knownUid(object) === undefined;
}

/** What runs on the Node would be cut off with the machine, if it is the one. */
function waitForName(situation: NodeSituation, strange: string): Decision {
  const { object, now } = situation;
  const since = timeIn(object, 'unidentifiedSince') ?? now;
  const { seconds: limit, text } = patienceOf(drainAsked(object));
  const left = limit - (now - since) / 1000;
  const hook = hookOf(object, 'pre-drain') ?? hookOf(object, 'pre-terminate');
  if (left <= 0 && hook === undefined)
    return gone(situation, `${strange}; it was left alone, and waited for ${text}${memberLeft(object)}`);
  const message = `${strange}; deleted without a drain after ${text}; ${REMEDY}`;
  const drained =
    left > 0 ? nodeCondition('Drained', 'Unidentified', message) : nodeCondition('Drained', 'WaitingForHook', hook);
  return wait(
    [DELETING, notSynced(`cannot tell which Node is meant: ${strange}`), drained],
    left > 0 ? { due: left } : {},
    drainStatus(situation, { ...known(object), unidentifiedSince: since }),
  );
}

function memberLeft(object: KubeObject): string {
  return membershipAsked(object) === undefined ? '' : '; its member of the store may be left';
}

const REMEDY = 'if it is the one, put its name into spec.servingCertificates.names';

/** The workload cluster cannot be reached. */
function outOfReach(situation: NodeSituation, obstacle: Obstacle): Decision {
  const { object, now } = situation;
  const since = timeIn(object, 'unreachableSince') ?? now;
  const leaving = leavingOf(absenceOf(object, obstacle, since, now));
  const hook = hookOf(object, 'pre-drain') ?? hookOf(object, 'pre-terminate');
  if (leaving.way === 'LetGo' && hook === undefined) return letGo(situation, leaving.why);
  const synced = obstacle.isMissing ? SYNCED : notSynced(obstacle.cause);
  const drained =
    leaving.way === 'LetGo'
      ? nodeCondition('Drained', 'WaitingForHook', hook)
      : nodeCondition('Drained', 'Unreachable', leaving.why);
  const left = leaving.way === 'Wait' ? leaving.left : undefined;
  const times = { ...known(object), unreachableSince: since };
  return wait(
    [DELETING, synced, drained],
    { poll: RETRY, ...(left === undefined ? {} : { due: left }) },
    drainStatus(situation, times),
  );
}

function empty(situation: NodeSituation, node: KubeObject): Decision {
  const patch = cordonOf(node);
  if (patch !== undefined)
    return { next: { do: 'PatchNode', name: nameOf(node), uid: uidOf(node), patch, why: 'the object is deleted' } };
  const { object, now } = situation;
  const hook = hookOf(object, 'pre-drain');
  if (hook !== undefined) return wait([DELETING, SYNCED, nodeCondition('Drained', 'WaitingForHook', hook)], {});
  const startedAt = drainBegan(situation);
  const asked = drainAsked(object);
  const drain = drainOf(situation, node);
  if (drain.way === 'Act') return drain.decision;
  const times = { startedAt, podsGoneAt: undefined, unreachableSince: undefined };
  if (drain.way === 'Wait') {
    const limit = limitOf(asked, 'timeout', startedAt, now);
    if (!limit.isOver)
      return wait(
        [DELETING, SYNCED, drainedOf(drain, limit)],
        { poll: drain.poll, ...limit.due },
        drainStatus(situation, times, drain.pods),
      );
  }
  return detach(situation, node, drain, { ...times, podsGoneAt: timeIn(object, 'podsGoneAt') ?? now });
}

type Times = Parameters<typeof drainStatus>[1] & { readonly podsGoneAt: number };

/** The pods are gone, or their time is up. */
function detach(situation: NodeSituation, node: KubeObject, drain: Draining, times: Times): Decision {
  const { object, now } = situation;
  const asked = drainAsked(object);
  const volumes = asked.skip ? undefined : volumesOf(situation, node);
  if (volumes !== undefined && !('waits' in volumes)) return volumes;
  const progress = drainStatus(situation, times);
  if (volumes !== undefined) {
    const limit = limitOf(asked, 'volumeDetachTimeout', times.podsGoneAt, now);
    const waits = { reason: 'WaitingForVolumes', message: volumes.waits } as const;
    if (!limit.isOver)
      return wait([DELETING, SYNCED, drainedOf(waits, limit)], { poll: RETRY, ...limit.due }, progress);
  }
  const hook = hookOf(object, 'pre-terminate');
  if (hook !== undefined)
    return wait([DELETING, SYNCED, nodeCondition('Drained', 'WaitingForHook', hook)], {}, progress);
  const because = deletionOf(asked, node, drain, volumes !== undefined);
  const store = leaveStore(situation, nameOf(node));
  if (store === undefined)
    return { next: { do: 'DeleteNode', name: nameOf(node), uid: uidOf(node), because, why: WHY[because] } };
  if (!('waits' in store)) return store;
  return wait([DELETING, SYNCED, ENDED[because], store.waits], { poll: RETRY }, progress);
}

function deletionOf({ skip }: DrainAsked, node: KubeObject, drain: Draining, isAttached: boolean): NodeDeletion {
  if (skip) return 'Skipped';
  if (drain.way === 'Wait') return 'TimedOut';
  if (isAttached) return 'StillAttached';
  return isUnreachable(node) ? 'Unreachable' : 'Drained';
}

const WHY: Readonly<Record<NodeDeletion, string>> = {
  Drained: 'the Node is empty',
  Skipped: 'the Node is not to be drained',
  Unreachable: 'the Node does not respond',
  TimedOut: 'the drain took too long',
  StillAttached: 'its volumes were not detached in time',
};

const ENDED: Readonly<Record<NodeDeletion, Condition>> = {
  Drained: nodeCondition('Drained', 'Drained'),
  Skipped: nodeCondition('Drained', 'Skipped'),
  Unreachable: nodeCondition('Drained', 'Drained'),
  TimedOut: nodeCondition('Drained', 'TimedOut', 'pods are left'),
  StillAttached: nodeCondition('Drained', 'TimedOut', 'volumes are still attached'),
};

interface Limit {
  /** Nothing is waited for any longer. */
  readonly isOver: boolean;
  readonly due: Pick<Again, 'due'>;
  /** The time is over, but the object says to hold; undefined: it is not, or says to continue. */
  readonly held: string | undefined;
}

function limitOf(drain: DrainAsked, field: 'timeout' | 'volumeDetachTimeout', since: number, now: number): Limit {
  const limit = seconds(drain[field]);
  const left = limit - (now - since) / 1000;
  if (limit === 0) return { isOver: false, due: {}, held: undefined };
  if (left > 0) return { isOver: false, due: { due: left }, held: undefined };
  if (drain.onTimeout === 'Continue') return { isOver: true, due: {}, held: undefined };
  const held = `took longer than ${drain[field]} (spec.drain.${field}), and spec.drain.onTimeout is Hold`;
  return { isOver: false, due: {}, held };
}

function drainedOf(
  { reason, message }: { readonly reason: NodeReason<'Drained'>; readonly message: string },
  { held }: Limit,
): Condition {
  if (held === undefined) return nodeCondition('Drained', reason, message);
  return nodeCondition('Drained', 'TimedOut', `${held}: ${message}`);
}

function known(object: KubeObject): Record<'startedAt' | 'podsGoneAt' | 'unidentifiedSince', number | undefined> {
  return {
    startedAt: timeIn(object, 'startedAt'),
    podsGoneAt: timeIn(object, 'podsGoneAt'),
    unidentifiedSince: timeIn(object, 'unidentifiedSince'),
  };
}

/** Its Node was deleted by somebody else, such as a cloud controller: the member of the store stays. */
function leaveBehind(situation: NodeSituation): Decision | undefined {
  const { object, deleted } = situation;
  const name = stringAt(object, 'status', 'nodeRef', 'name');
  if (name === undefined || deleted !== undefined || !outlastsNode(object)) return undefined;
  const store = leaveStore(situation, name);
  return store !== undefined && 'waits' in store ? wait([DELETING, SYNCED, store.waits], { poll: RETRY }) : store;
}

/** The Node does not exist (any more). @param strange  a Node of another name, which may be the one */
function gone(situation: NodeSituation, strange?: string): Decision {
  const abandonment = abandonmentOf(situation);
  if (abandonment !== undefined) return abandonment;
  const { object, deleted } = situation;
  const release = { again: {} };
  if (strange !== undefined) {
    const report = { status: {}, conditions: [nodeCondition('Drained', 'TimedOut', strange)] };
    return { end: { ...release, report, release: { undrained: strange } } };
  }
  const left = storeConditions(situation);
  if (deleted === undefined || deleted.because === 'Unreachable') return { end: { ...release, release: {} } };
  const { because } = deleted;
  const undrained = UNDRAINED[because]?.(drainAsked(object));
  const drained =
    undrained === undefined
      ? ENDED[because]
      : nodeCondition('Drained', 'TimedOut', `Node "${nameAsked(object)}" was ${undrained}`);
  const report = { status: {}, conditions: [drained, ...left] };
  return { end: { ...release, report, release: undrained === undefined ? {} : { undrained } } };
}

const UNDRAINED: Readonly<Partial<Record<NodeDeletion, (drain: DrainAsked) => string>>> = {
  TimedOut: ({ timeout }) => `not drained within ${timeout} (spec.drain.timeout)`,
  StillAttached: ({ volumeDetachTimeout }) =>
    `let go with volumes attached after ${volumeDetachTimeout} (spec.drain.volumeDetachTimeout)`,
};

/** Without a drain, and without leaving etcd: the Node is deleted with its cluster, or is unreachable. */
function letGo({ object }: NodeSituation, why: string): Decision {
  const wasSeen = at(object, 'status', 'nodeRef') !== undefined;
  return { end: { again: {}, release: wasSeen ? { undrained: why } : {} } };
}

function wait(conditions: readonly Condition[], again: Again, drain?: JsonObject): Decision {
  return { end: { again, report: { status: drain === undefined ? {} : { drain }, conditions } } };
}
