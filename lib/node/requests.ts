/** What the annotations of a WorkloadNode ask of its provider: an earlier look, and how often to look. */
import { type KubeObject, at, stringAt } from '#lib/api/json.ts';
import { CROSSPLANE } from '#lib/api/words.ts';
import type { Verdict } from './decision.ts';

const PART = /([0-9]+(?:\.[0-9]+)?)(ms|s|m|h)/gy;
const WHOLE = /^(?:[0-9]+(?:\.[0-9]+)?(?:ms|s|m|h))+$/;
const SECONDS: ReadonlyMap<string, number> = new Map([
  ['ms', 0.001],
  ['s', 1],
  ['m', 60],
  ['h', 3600],
]);
/** Seconds. */
const SHORTEST = 1;

/** Seconds, from the annotation `crossplane.io/poll-interval`; undefined where there is none, or no duration. */
export function pollInterval(object: KubeObject): number | undefined {
  const text = stringAt(object, 'metadata', 'annotations', CROSSPLANE.pollInterval) ?? '';
  if (!WHOLE.test(text)) return undefined;
  const parts = [...text.matchAll(PART)].map(([, number, unit = '']) => Number(number) * (SECONDS.get(unit) ?? 0));
  const sum = parts.reduce((total, one) => total + one, 0);
  return sum === 0 ? undefined : Math.max(SHORTEST, sum);
}

/** The value of `crossplane.io/reconcile-requested-at`, if no look was reported for it yet. */
export function requestOf(object: KubeObject): string | undefined {
  const asked = stringAt(object, 'metadata', 'annotations', CROSSPLANE.reconcileRequestedAt);
  return asked === at(object, 'status', 'lastHandledReconcileAt') ? undefined : asked;
}

/** A verdict that also answers what the annotations ask for. */
export function answering(object: KubeObject, verdict: Verdict): Verdict {
  const { poll = pollInterval(object), due } = verdict.again;
  const again = { ...(poll === undefined ? {} : { poll }), ...(due === undefined ? {} : { due }) };
  const asked = requestOf(object);
  if (asked === undefined || verdict.report === undefined) return { ...verdict, again };
  const { report, tell = [] } = verdict;
  return {
    ...verdict,
    again,
    report: { ...report, status: { ...report.status, lastHandledReconcileAt: asked } },
    tell: [...tell, { type: 'Normal', reason: 'ReconcileRequestHandled', message: `looked at it as asked: ${asked}` }],
  };
}
