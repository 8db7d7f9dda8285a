/** The objects that exist at the beginning of every test. */
import { type JsonObject, type KubeObject, isJsonObject } from '#lib/api/json.ts';
import { API_VERSION, LABEL, NODE_API_VERSION } from '#lib/api/words.ts';
import type { NodeScene, Scene } from './player.ts';

export const NAMESPACE = 'team-a';
export const NODE = 'general-0';

export const READY: NodeScene = {};
/** A pod, so that a drain takes a while. */
export const BUSY = { node: READY, pods: [{ name: 'web' }] } satisfies Scene;

/** A member of etcd that knows the others. */
export const MEMBER = { membership: { kind: 'KubeadmEtcd', secretRef: { name: 'prod-etcd' } } };

export const ETCD = ['general-0', 'general-1', 'general-2'].map((name, index) => ({
  name,
  id: `e${index}`,
  isHealthy: true,
  isLeader: index === 0,
}));

export const CONFIG: KubeObject = {
  apiVersion: NODE_API_VERSION,
  kind: 'ProviderConfig',
  metadata: { name: 'prod', namespace: NAMESPACE },
  spec: { credentials: { secretRef: { name: 'prod-kubeconfig', key: 'value' } } },
};

export const POOL_USAGE = {
  apiVersion: NODE_API_VERSION,
  kind: 'ProviderConfigUsage',
  metadata: { name: 'general-nodes', namespace: NAMESPACE },
  providerConfigRef: { kind: 'ProviderConfig', name: 'prod' },
  resourceRef: { apiVersion: API_VERSION, kind: 'NodePool', name: 'general' },
} satisfies KubeObject;

/** WorkloadNode `another`, which found the Node before. */
export function otherManager(): KubeObject {
  const { metadata, ...rest } = workloadNode();
  return { ...rest, metadata: { ...metadata, name: 'another' }, status: { nodeRef: { name: NODE, uid: 'node-1' } } };
}

export function workloadNode(spec: JsonObject = {}): KubeObject {
  return {
    apiVersion: NODE_API_VERSION,
    kind: 'WorkloadNode',
    metadata: { name: NODE, namespace: NAMESPACE, labels: { [LABEL.nodePool]: 'general' } },
    spec: {
      providerConfigRef: { name: 'prod' },
      node: { name: NODE },
      ...spec,
    },
  };
}

/** @param partly  only what the scene contains. @param since  when it became ready, or not */
export function nodeObject(scene: NodeScene, partly = false, since?: string, name = NODE): KubeObject {
  const {
    providerID = `cloud:///${name}`,
    uid = name === NODE ? 'node-1' : name,
    labels,
    annotations,
    taints,
    unschedulable,
    ready,
  } = scene;
  const status = ready === false ? 'False' : 'True';
  const conditions = [{ type: 'Ready', status, ...given({ lastTransitionTime: since }) }];
  const set = {
    metadata: { ...given({ labels, annotations }) },
    spec: { ...given({ taints, unschedulable }) },
    ...(partly && ready === undefined ? {} : { status: { conditions } }),
  };
  if (partly) return set as unknown as KubeObject;
  return merged(
    {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name, uid },
      spec: { providerID },
      status: {
        nodeInfo: { kubeletVersion: 'v1.35.4', osImage: 'Debian', containerRuntimeVersion: 'containerd://2.2.1' },
        addresses: [{ type: 'InternalIP', address: '10.0.0.7' }],
      },
    },
    set,
  );
}

/** JSON merge patch (RFC 7386). */
export function merged(object: KubeObject, patch: unknown): KubeObject {
  return merge(object, patch) as KubeObject;
}

function merge(target: unknown, patch: unknown): unknown {
  if (!isJsonObject(patch)) return patch;
  const result: Record<string, unknown> = { ...(isJsonObject(target) ? target : {}) };
  for (const [key, value] of Object.entries(patch))
    if (value === null) delete result[key];
    else if (value !== undefined) result[key] = merge(result[key], value);
  return result;
}

function given(values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** For the spec. */
export function anUpdate(parts: JsonObject = {}): JsonObject {
  return {
    id: 'one',
    updaters: ['sysctls'],
    payloadSecretRef: { name: 'general-0-update' },
    disruptive: false,
    hold: false,
    ...parts,
  };
}
