/** How long the certificates of a Node and of its cluster still serve. */
import { type Condition, conditionOf } from '#lib/api/conditions.ts';
import { nodeCondition } from '#lib/api/contracts/workload-node.ts';
import { timeOf } from '#lib/api/fields/text.ts';
import { type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import type { Tell } from './decision.ts';
import { pendingRequests } from './serving.ts';
import type { NodeSituation } from './situation.ts';

/** Milliseconds: as long before the end it is said. */
const NOTICE = 30 * 24 * 3600_000;

const OWNERS = {
  apiServer: 'the Kubernetes API',
  kubeletServing: 'the kubelet',
} as const;

/** `status.certificates`: what was seen before stays until something later is seen. */
export function certificatesOf(situation: NodeSituation, node: KubeObject): JsonObject | null {
  const times = Object.entries(timesOf(situation));
  const pending = pendingRequests(situation, node);
  if (times.length === 0 && pending.length === 0) return null;
  return { ...Object.fromEntries(times), ...(pending.length === 0 ? {} : { pending }) };
}

/** Undefined while no certificate was seen. */
export function expiryOf(situation: NodeSituation): Condition | undefined {
  const times = Object.entries(timesOf(situation)).toSorted(([, a], [, b]) => (a < b ? -1 : 1));
  const [first] = times;
  if (first === undefined) return undefined;
  const [of, time] = first;
  const left = (timeOf(time) ?? Infinity) - situation.now;
  if (left > NOTICE) return nodeCondition('CertificatesValid', 'Valid');
  const what = `the certificate with which ${OWNERS[of as keyof typeof OWNERS]} serves`;
  if (left > 0) return nodeCondition('CertificatesValid', 'ExpiresSoon', `${what} expires at ${time}`);
  return nodeCondition('CertificatesValid', 'Expired', `${what} expired at ${time}`);
}

/** One event when a certificate begins to expire, or has. */
export function tellExpiry(situation: NodeSituation): readonly Tell[] {
  const condition = expiryOf(situation);
  if (condition?.status !== 'False') return [];
  if (conditionOf(situation.object, 'CertificatesValid')?.reason === condition.reason) return [];
  return [{ type: 'Warning', reason: 'CertificateExpires', message: condition.message ?? '' }];
}

function timesOf({ object, certificates }: NodeSituation): Readonly<Record<string, string>> {
  const times = (Object.keys(OWNERS) as (keyof typeof OWNERS)[]).flatMap((of) => {
    const time = certificates?.[of] ?? stringAt(object, 'status', 'certificates', of);
    return time === undefined ? [] : [[of, time] as const];
  });
  return Object.fromEntries(times);
}
