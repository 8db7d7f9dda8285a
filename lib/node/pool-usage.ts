/**
 * The ProviderConfigUsage that a NodePool composes: it and the Usage of the Cluster by it stay until the last node of
 * the pool is drained and gone.
 */
import { type KubeObject, stringAt } from '#lib/api/json.ts';
import { LABEL } from '#lib/api/words.ts';
import { type FinalizerVerdict, finalizerVerdict } from './config.ts';

/** Whether a pool composed it; provider-node makes the usages of WorkloadNodes. */
export function isOfPool(usage: KubeObject): boolean {
  return stringAt(usage, 'resourceRef', 'kind') === 'NodePool';
}

/** Whether it waits for this WorkloadNode: a pool that is made again under its name has nodes of its own. */
export function waitsFor(usage: KubeObject, { metadata }: KubeObject): boolean {
  const { namespace, deletionTimestamp } = usage.metadata ?? {};
  if (deletionTimestamp === undefined || !isOfPool(usage) || metadata?.namespace !== namespace) return false;
  if (metadata?.labels?.[LABEL.nodePool] !== stringAt(usage, 'resourceRef', 'name')) return false;
  return !(Date.parse(stringAt(metadata, 'creationTimestamp') ?? '') > Date.parse(deletionTimestamp));
}

/** @param nodes  WorkloadNodes of any pool */
export function decidePoolUsage(usage: KubeObject, nodes: readonly KubeObject[]): FinalizerVerdict | undefined {
  return finalizerVerdict(
    usage,
    nodes.some((node) => waitsFor(usage, node)),
  );
}
