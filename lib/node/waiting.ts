/** What `status.drain` tells: when it began, how many pods were evicted, and which ones it waits for since when. */
import { stampOf, timeOf } from '#lib/api/fields/text.ts';
import { type Json, type JsonObject, type KubeObject, at, stringAt } from '#lib/api/json.ts';
import type { NodeSituation } from './situation.ts';

/** A pod by `namespace/name`, why it is still there, and since when that is known: UTC, whole seconds. */
export interface Waiting {
  readonly pod: string;
  readonly why: string;
  readonly since: string;
}

/** Times in `status.drain`, from which limits count. */
export const DRAIN_TIMES = ['startedAt', 'podsGoneAt', 'unreachableSince', 'unidentifiedSince'] as const;
type DrainTime = (typeof DRAIN_TIMES)[number];

/** As many as the schema of WorkloadNode takes. */
const MOST = 10;

/** @param pods  those that are waited for now. The times are those of the status, for pods that are in it already */
export function waitingSince(
  object: KubeObject,
  pods: readonly { readonly pod: string; readonly why: string }[],
  now: number,
): readonly Waiting[] {
  const known = new Map(
    listAt(object).map((entry) => [stringAt(entry, 'pod') ?? '', stringAt(entry, 'since') ?? stampOf(now)]),
  );
  return pods.map(({ pod, why }) => ({ pod, why, since: known.get(pod) ?? stampOf(now) }));
}

/** When the drain began, in milliseconds; what the status says of a drain before the deletion is that of an update. */
export function drainBegan({ object, now }: NodeSituation): number {
  return timeIn(object, 'startedAt') ?? now;
}

/** @param key  of a time in `status.drain`. Undefined: it says none, or one before the deletion */
export function timeIn(object: KubeObject, key: DrainTime): number | undefined {
  const deletion = timeOf(object.metadata?.deletionTimestamp) ?? 0;
  const time = timeOf(stringAt(object, 'status', 'drain', key));
  return time === undefined || time < deletion ? undefined : time;
}

/** The new `status.drain`, as a whole. @param times  milliseconds; undefined: not (yet) */
export function drainStatus(
  situation: NodeSituation,
  times: Readonly<Partial<Record<DrainTime, number | undefined>>>,
  waiting: readonly Waiting[] = [],
): JsonObject {
  const { object, evictions } = situation;
  const accepted = [...(evictions?.values() ?? [])].filter((answer) => answer === 'Accepted').length;
  const before = at(object, 'status', 'drain', 'evicted');
  const isSame = timeIn(object, 'startedAt') !== undefined;
  const evicted = (isSame && typeof before === 'number' ? before : 0) + accepted;
  const stamps = Object.entries(times).flatMap(([key, time]) => (time === undefined ? [] : [[key, stampOf(time)]]));
  const more = waiting.length - MOST;
  return {
    ...(Object.fromEntries(stamps) as JsonObject),
    ...(evicted === 0 ? {} : { evicted }),
    ...(waiting.length === 0 ? {} : { waiting: waiting.slice(0, MOST).map((one) => ({ ...one })) }),
    ...(more > 0 ? { moreWaiting: more } : {}),
  };
}

function listAt(object: KubeObject): readonly Json[] {
  const list = at(object, 'status', 'drain', 'waiting');
  return Array.isArray(list) ? (list as readonly Json[]) : [];
}
