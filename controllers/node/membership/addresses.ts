/** The control planes of a workload cluster, and the addresses at which they can be called. */
import { type Json, type KubeObject, at, isJsonObject, stringAt } from '#lib/api/json.ts';
import type { KubeClient } from '#lib/kube/client.ts';
import { NODES } from '../kinds.ts';
import { slimNode } from '../slim.ts';

const LABEL = 'node-role.kubernetes.io/control-plane';
/** Names may not resolve here. In this order. */
const TYPES = ['InternalIP', 'ExternalIP'] as const;

/** @param label  that control planes have @default that of Kubernetes */
export async function controlPlanes(client: KubeClient, label = LABEL): Promise<readonly KubeObject[]> {
  return (await client.list(NODES, { labels: label }, (node) => slimNode(node))).items;
}

export function addressesOf(node: KubeObject): readonly string[] {
  const list = at(node, 'status', 'addresses');
  const all = (Array.isArray(list) ? (list as readonly Json[]) : []).filter(isJsonObject);
  return TYPES.flatMap((type) =>
    all.filter((one) => one['type'] === type).map((one) => stringAt(one, 'address') ?? ''),
  ).filter((address) => address !== '');
}
