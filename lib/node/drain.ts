/**
 * The drain of a Node: pods are evicted, so that disruption budgets are respected, those of the lowest order first. The
 * rules are those of Cluster API and of the object (`pods.ts`).
 */
import type { DrainAsked } from '#lib/api/fields/drain.ts';
import type { KubeObject } from '#lib/api/json.ts';
import { type Decision, look } from './decision.ts';
import { drainAsked } from './leaving.ts';
import { isUnreachable, nameOf } from './node.ts';
import { keyOf, treatmentOf } from './pods.ts';
import type { Eviction, NodeSituation } from './situation.ts';
import { type Waiting, waitingSince } from './waiting.ts';

export type Draining = { readonly way: 'Act'; readonly decision: Decision } | DrainWait | { readonly way: 'Done' };

export interface DrainWait {
  readonly way: 'Wait';
  readonly reason: 'Draining' | 'BlockedByBudget';
  readonly message: string;
  /** Every pod that has to go, in the order of their names. */
  readonly pods: readonly Waiting[];
  /** Seconds: how often to look again. */
  readonly poll: number;
}

interface Leaving {
  readonly pod: KubeObject;
  readonly isEvicted: boolean;
  readonly order: number;
}

/** Seconds. A refused eviction is tried again this often; pods that end are looked at soon, and then ever less often. */
const AGAIN = { refused: 20, ending: { least: 2, most: 30 } } as const;
/** How many pods a message names. */
const NAMED = 3;

/** The next step of the drain of a Node. */
export function drainOf(situation: NodeSituation, node: KubeObject): Draining {
  const { object, pods, evictions = new Map<string, Eviction>() } = situation;
  const drain = drainAsked(object);
  if (drain.skip) return { way: 'Done' };
  const why = `Node "${nameOf(node)}" is drained`;
  if (pods === undefined) return { way: 'Act', decision: look('Pods', why) };
  const left = leavingOf(situation, node, drain);
  const [first] = left.map(({ order }) => order).toSorted((one, other) => one - other);
  if (first === undefined) return { way: 'Done' };
  const due = left.filter(
    ({ pod, isEvicted, order }) =>
      order === first && isEvicted && pod.metadata?.deletionTimestamp === undefined && !evictions.has(keyOf(pod)),
  );
  const gracePeriodSeconds = isUnreachable(node) ? 1 : drain.gracePeriodSeconds;
  if (due.length > 0)
    return {
      way: 'Act',
      decision: {
        next: {
          do: 'Evict',
          pods: due.map(({ pod: { metadata } }) => ({
            namespace: metadata?.namespace ?? '',
            name: metadata?.name ?? '',
          })),
          ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
          why,
        },
      },
    };
  return waitFor(situation, left, first, node);
}

/** The pods that stay on an empty Node. */
export function stayingOf(situation: NodeSituation, node: KubeObject): readonly KubeObject[] {
  const leaving = new Set(leavingOf(situation, node, drainAsked(situation.object)).map(({ pod }) => pod));
  return (situation.pods?.items ?? []).filter((pod) => !leaving.has(pod));
}

/** In the order of their names, so that messages do not change without a reason. */
function leavingOf({ pods, now }: NodeSituation, node: KubeObject, drain: DrainAsked): readonly Leaving[] {
  if (pods === undefined) return [];
  const unreachable = isUnreachable(node);
  return pods.items
    .flatMap((pod): readonly Leaving[] => {
      const treatment = treatmentOf(pod, pods, drain, unreachable, now);
      if (treatment === 'Stays') return [];
      return [{ pod, isEvicted: treatment.behaviour === 'Drain', order: treatment.order }];
    })
    .toSorted((one, other) => (keyOf(one.pod) < keyOf(other.pod) ? -1 : 1));
}

function waitFor(
  { object, now, evictions = new Map<string, Eviction>() }: NodeSituation,
  left: readonly Leaving[],
  first: number,
  node: KubeObject,
): Draining {
  const reasons = left.map(({ pod, isEvicted, order }) => {
    const answer = evictions.get(keyOf(pod));
    if (order !== first) return { pod, why: `waits until pods of order ${first} are gone` };
    if (!isEvicted) return { pod, why: 'it is not evicted, and has not finished' };
    if (answer === undefined || answer === 'Accepted') return { pod, why: 'it is ending' };
    return { pod, why: answer.refusal, isBudget: answer.isBudget };
  });
  const waiting = waitingSince(
    object,
    reasons.map(({ pod, why }) => ({ pod: keyOf(pod), why })),
    now,
  );
  const refused = waiting.filter((_one, index) => reasons[index]?.isBudget !== undefined);
  const named = refused
    .slice(0, NAMED)
    .map(({ pod, why, since }) => `cannot evict Pod "${pod}" since ${since}: ${why}`);
  const more = refused.length > NAMED ? [`${refused.length - NAMED} more`] : [];
  const message = refused.length === 0 ? `evicting pods from Node "${nameOf(node)}"` : [...named, ...more].join('; ');
  const isBlocked = reasons.some(({ isBudget }) => isBudget === true);
  return {
    way: 'Wait',
    reason: isBlocked ? 'BlockedByBudget' : 'Draining',
    message,
    pods: waiting,
    poll: refused.length === 0 ? endingPoll(left, evictions, now) : AGAIN.refused,
  };
}

/** As many seconds as have passed since the last of them was told to end. */
function endingPoll(left: readonly Leaving[], evictions: ReadonlyMap<string, Eviction>, now: number): number {
  const { least, most } = AGAIN.ending;
  const passed = left.flatMap(({ pod }) => {
    if (evictions.get(keyOf(pod)) === 'Accepted') return [0];
    const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = pod.metadata ?? {};
    // The time in it is the one at which the pod has to have ended.
    const ends = Date.parse(deletionTimestamp ?? '');
    return Number.isNaN(ends) ? [] : [(now - ends) / 1000 + Number(deletionGracePeriodSeconds)];
  });
  return passed.length === 0 ? most : Math.max(least, Math.min(most, ...passed));
}
