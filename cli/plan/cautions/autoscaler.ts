/** Annotations and labels by which an autoscaler of others finds what it scales: none reads them on a claim. */
import type { KubeObject } from '#lib/api/json.ts';
import { describeObject } from '#lib/api/names.ts';
import { firstNames } from '#lib/api/shortened.ts';

const OF_AUTOSCALERS =
  /^(cluster\.x-k8s\.io\/cluster-api-autoscaler-|(capacity\.)?cluster-autoscaler\.kubernetes\.io\/|cluster-autoscaler\.k8s\.io\/|karpenter\.)/;

const MOST = 3;

/** Undefined: the claim has none. */
export function autoscalerCaution(claim: KubeObject): string | undefined {
  const { annotations, labels } = claim.metadata ?? {};
  const names = Object.keys({ ...annotations, ...labels }).filter((name) => OF_AUTOSCALERS.test(name));
  if (names.length === 0) return undefined;
  return `${describeObject(claim)} has ${firstNames(names.toSorted(), MOST)}, which nothing reads: a pool keeps spec.replicas until somebody changes it, such as a HorizontalPodAutoscaler or KEDA by its scale subresource`;
}
