/** A simulated Node as a Kubernetes object, and the result of a merge patch on it. */
import { type Json, type JsonObject, type KubeObject, at, isJsonObject, stringAt } from '#lib/api/json.ts';
import type { Node } from './workload-cluster.ts';

/** The taint that the node controller of Kubernetes sets on a Node with an unreachable kubelet, and removes later. */
const UNREACHABLE = { key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' } as const;

/** What a kubelet says that waits for a pod network. */
const NO_NETWORK =
  'container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized';

/**
 * @param isRunning  whether the machine runs
 * @param since  when the Node became as ready as it is
 * @param hasNetwork  whether its cluster has a pod network
 */
export function objectOf(node: Node, isRunning: boolean, since: string, hasNetwork = true): KubeObject {
  const { name, uid, labels, annotations, providerID, unschedulable } = node;
  const taints = isRunning ? node.taints : [...node.taints, UNREACHABLE];
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, uid, labels, annotations },
    spec: { providerID, taints, unschedulable },
    status: {
      nodeInfo: {
        kubeletVersion: node.version,
        osImage: 'Simulated Linux',
        containerRuntimeVersion: 'containerd://2.2.1',
      },
      addresses: [
        { type: 'InternalIP', address: node.address },
        { type: 'Hostname', address: name },
      ] satisfies Json,
      conditions: [
        {
          type: 'Ready',
          status: node.ready && hasNetwork ? 'True' : 'False',
          lastTransitionTime: since,
          ...(hasNetwork || !node.ready ? {} : { message: NO_NETWORK }),
        },
      ],
    },
  };
}

/** As much of it as tells which one it is. */
export function identityOf({ name, uid, providerID }: Node): KubeObject {
  return { apiVersion: 'v1', kind: 'Node', metadata: { name, uid }, spec: { providerID } };
}

export function patched(node: Node, patch: JsonObject): Node {
  const taints = at(patch, 'spec', 'taints');
  const unschedulable = at(patch, 'spec', 'unschedulable');
  return {
    ...node,
    labels: merged(node.labels, at(patch, 'metadata', 'labels')),
    annotations: merged(node.annotations, at(patch, 'metadata', 'annotations')),
    taints: Array.isArray(taints) ? (taints as readonly Json[]).filter(isLasting) : node.taints,
    unschedulable: typeof unschedulable === 'boolean' ? unschedulable : node.unschedulable,
  };
}

function isLasting(taint: Json): boolean {
  return stringAt(taint, 'key') !== UNREACHABLE.key;
}

function merged(present: Readonly<Record<string, string>>, patch: Json | undefined): Readonly<Record<string, string>> {
  const changes = isJsonObject(patch) ? patch : {};
  const kept = Object.entries({ ...present, ...changes }).filter(([, value]) => typeof value === 'string');
  return Object.fromEntries(kept) as Readonly<Record<string, string>>;
}
