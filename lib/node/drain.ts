/**
 * Which pods must be evicted before a Node is deleted, as in Cluster API and `kubectl drain`: pods of DaemonSets and
 * static pods stay, all others are evicted, so that disruption budgets are respected.
 */
import { type Json, type KubeObject, at, isJsonObject, stringAt } from '#lib/api/json.ts';
import { type Decision, look } from './decision.ts';
import { isUnreachable, nameOf } from './node.ts';
import type { Eviction, Pods, NodeSituation } from './situation.ts';

export type Drain =
  | { readonly way: 'Act'; readonly decision: Decision }
  | {
      readonly way: 'Wait';
      readonly reason: 'Draining' | 'BlockedByBudget';
      readonly message: string;
      /** Seconds: how often to look again. */
      readonly poll: number;
    }
  | { readonly way: 'Done' };

/** Cluster API's label: a pod that is not drained, or that is waited for until it has finished by itself. */
const DRAIN_LABEL = 'cluster.x-k8s.io/drain';
/** Set by the kubelet on pods it runs from files of its own. */
const MIRROR = 'kubernetes.io/config.mirror';
/** Seconds. A refused eviction is tried again this often; pods that end are looked at soon, and then ever less often. */
const AGAIN = { refused: 20, ending: { least: 2, most: 30 } } as const;
/** Milliseconds after which a terminating pod on an unreachable Node is assumed to be gone. */
const ASSUMED_GONE_AFTER = 1000;
/** How many pods a message names. */
const NAMED = 3;

/** The next step of the drain of a Node. */
export function drainOf(situation: NodeSituation, node: KubeObject): Drain {
  const { pods, evictions = new Map<string, Eviction>(), now } = situation;
  if (pods === undefined) return { way: 'Act', decision: look('Pods', `Node "${nameOf(node)}" is drained`) };
  const unreachable = isUnreachable(node);
  const left = pods.items.filter((pod) => hasToGo(pod, pods, unreachable, now));
  if (left.length === 0) return { way: 'Done' };
  const due = left.filter((pod) => mayBeEvicted(pod) && !evictions.has(keyOf(pod)));
  if (due.length > 0)
    return {
      way: 'Act',
      decision: {
        next: {
          do: 'Evict',
          pods: due.toSorted(byKey).map(({ metadata }) => ({
            namespace: metadata?.namespace ?? '',
            name: metadata?.name ?? '',
          })),
          ...(unreachable ? { gracePeriodSeconds: 1 } : {}),
          why: `Node "${nameOf(node)}" is drained`,
        },
      },
    };
  return waitFor(left, evictions, node, now);
}

function waitFor(
  left: readonly KubeObject[],
  evictions: ReadonlyMap<string, Eviction>,
  node: KubeObject,
  now: number,
): Drain {
  const refused = left.toSorted(byKey).flatMap((pod) => {
    const answer = evictions.get(keyOf(pod));
    return answer === undefined || answer === 'Accepted' ? [] : [{ key: keyOf(pod), ...answer }];
  });
  if (refused.length === 0)
    return {
      way: 'Wait',
      reason: 'Draining',
      message: `evicting pods from Node "${nameOf(node)}"`,
      poll: endingPoll(left, evictions, now),
    };
  const named = refused.slice(0, NAMED).map(({ key, refusal }) => `cannot evict Pod "${key}": ${refusal}`);
  const more = refused.length > NAMED ? [`${refused.length - NAMED} more`] : [];
  return {
    way: 'Wait',
    reason: refused.some(({ isBudget }) => isBudget) ? 'BlockedByBudget' : 'Draining',
    message: [...named, ...more].join('; '),
    poll: AGAIN.refused,
  };
}

/** As many seconds as have passed since the last of them was told to end. */
function endingPoll(left: readonly KubeObject[], evictions: ReadonlyMap<string, Eviction>, now: number): number {
  const { least, most } = AGAIN.ending;
  const passed = left.flatMap((pod) => {
    if (evictions.get(keyOf(pod)) === 'Accepted') return [0];
    const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = pod.metadata ?? {};
    // The time in it is the one at which the pod has to have ended.
    const ends = Date.parse(deletionTimestamp ?? '');
    return Number.isNaN(ends) ? [] : [(now - ends) / 1000 + Number(deletionGracePeriodSeconds)];
  });
  return Math.max(least, Math.min(most, ...passed));
}

/** Whether the Node is not empty as long as the pod is there. */
function hasToGo(pod: KubeObject, { daemonSets }: Pods, unreachable: boolean, now: number): boolean {
  const label = stringAt(pod, 'metadata', 'labels', DRAIN_LABEL);
  if (label === 'skip' || stringAt(pod, 'metadata', 'annotations', MIRROR) !== undefined) return false;
  if (label === 'wait-completed') return !hasFinished(pod);
  const daemonSet = daemonSetOf(pod);
  // A pod whose DaemonSet was deleted would not be created again, and nothing else would end it.
  if (daemonSet !== undefined && daemonSets.has(daemonSet) && !hasFinished(pod)) return false;
  const deletedAt = Date.parse(pod.metadata?.deletionTimestamp ?? '');
  return !(unreachable && now - deletedAt > ASSUMED_GONE_AFTER);
}

function mayBeEvicted(pod: KubeObject): boolean {
  const waits = stringAt(pod, 'metadata', 'labels', DRAIN_LABEL) === 'wait-completed';
  return !waits && pod.metadata?.deletionTimestamp === undefined;
}

function hasFinished(pod: KubeObject): boolean {
  const phase = stringAt(pod, 'status', 'phase');
  return phase === 'Succeeded' || phase === 'Failed';
}

function daemonSetOf(pod: KubeObject): string | undefined {
  const owners = at(pod, 'metadata', 'ownerReferences');
  if (!Array.isArray(owners)) return undefined;
  const owner = (owners as readonly Json[])
    .filter(isJsonObject)
    .find((one) => one['controller'] === true && one['kind'] === 'DaemonSet');
  return owner === undefined ? undefined : `${pod.metadata?.namespace ?? ''}/${stringAt(owner, 'name') ?? ''}`;
}

function keyOf({ metadata }: KubeObject): string {
  return `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;
}

function byKey(left: KubeObject, right: KubeObject): number {
  return keyOf(left) < keyOf(right) ? -1 : 1;
}
