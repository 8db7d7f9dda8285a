/** A kubelet that says for a moment that its Node is not ready is no failure: only one that keeps saying so. */
import { conditionOf } from '#lib/api/conditions.ts';
import { timeOf } from '#lib/api/fields/text.ts';
import { type Json, type KubeObject, at, stringAt } from '#lib/api/json.ts';
import { isReady, isUnreachable } from './node.ts';
import type { NodeSituation } from './situation.ts';

/** Seconds. */
const GRACE = 30;

/**
 * Whether a Node that was healthy is not ready only since a moment. One whose kubelet is not heard of any more has had its
 * grace from Kubernetes.
 */
export function isFlap(situation: NodeSituation, node: KubeObject): boolean {
  return flapEnds(situation, node) !== undefined;
}

/** Seconds until it is none any more. */
export function flapEnds({ object, now }: NodeSituation, node: KubeObject): number | undefined {
  if (isReady(node) || isUnreachable(node) || conditionOf(object, 'NodeHealthy')?.status !== 'True') return undefined;
  const since = readySince(node);
  if (since === undefined) return undefined;
  // The clock of the machine may be ahead; one that is far ahead must not hide that the Node is not ready.
  const left = GRACE - Math.abs(now - since) / 1000;
  return left > 0 ? left : undefined;
}

/** Milliseconds since 1970: when its condition Ready became what it is. */
function readySince(node: KubeObject): number | undefined {
  const conditions = at(node, 'status', 'conditions');
  const list = Array.isArray(conditions) ? (conditions as readonly Json[]) : [];
  const ready = list.find((one) => stringAt(one, 'type') === 'Ready');
  return timeOf(stringAt(ready, 'lastTransitionTime'));
}
