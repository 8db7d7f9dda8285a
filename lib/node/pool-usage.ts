/**
 * The ProviderConfigUsage that a NodePool composes: it stays until the last node of the pool is drained and gone, and the
 * Usage of the Cluster by it as long.
 */
import { type KubeObject, stringAt } from '#lib/api/json.ts';
import { LABEL } from '#lib/api/words.ts';
import { IN_USE } from './config.ts';

/** Whether it says that a pool uses its Cluster; other ones say so of WorkloadNodes. */
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

/**
 * What happens to its finalizer `in-use.crossplane.io`; undefined: nothing.
 * @param nodes  WorkloadNodes, of its pool and of others
 */
export function decidePoolUsage(usage: KubeObject, nodes: readonly KubeObject[]): 'Add' | 'Remove' | undefined {
  const isHeld = usage.metadata?.finalizers?.includes(IN_USE) === true;
  if (usage.metadata?.deletionTimestamp === undefined) return isHeld ? undefined : 'Add';
  return isHeld && !nodes.some((node) => waitsFor(usage, node)) ? 'Remove' : undefined;
}
