/** Many WorkloadNodes of many workload clusters, as Kubernetes APIs in memory have them. */
import { stringify } from 'yaml';
import { at, type JsonObject, type KubeObject } from '#lib/api/json.ts';
import { NODE_API_VERSION } from '#lib/api/words.ts';
import { EVENTS } from '#lib/kube/events.ts';
import { PODS } from '#lib/kube/port-forward.ts';
import { REQUESTS } from '../../controllers/node/certificates/request.ts';
import {
  CLUSTER_PROVIDER_CONFIGS,
  DAEMON_SETS,
  NODES,
  PROVIDER_CONFIGS,
  SECRETS,
  USAGES,
  VOLUME_ATTACHMENTS,
  WORKLOAD_NODES,
} from '../../controllers/node/kinds.ts';
import type { Issuer } from '../support/authority.ts';
import { LiveApi } from '../support/live-api.ts';
import { merged, NAMESPACE } from './scene.ts';

/** As a kubelet reports them, so that a Node has the size that it has elsewhere. */
const IMAGES = Array.from({ length: 50 }, (_, index) => ({
  names: [`images.example.com/program-${index}@sha256:${'0'.repeat(64)}`, `images.example.com/program-${index}:v1`],
  sizeBytes: 50_000_000,
}));

export interface World {
  readonly management: LiveApi;
  readonly workloads: readonly LiveApi[];
}

/** @param nodes  of all clusters together */
export async function newWorld(issuer: Issuer, nodes: number, clusters: number): Promise<World> {
  const pair = await issuer.issue('api', { ip: ['127.0.0.1'] });
  const configs = [PROVIDER_CONFIGS, CLUSTER_PROVIDER_CONFIGS, USAGES];
  const management = await LiveApi.with(pair, WORKLOAD_NODES, ...configs, SECRETS, EVENTS);
  const workloads = await Promise.all(
    Array.from({ length: clusters }, () => LiveApi.with(pair, NODES, PODS, DAEMON_SETS, VOLUME_ATTACHMENTS, REQUESTS)),
  );
  for (const [index, workload] of workloads.entries()) {
    const name = `cluster-${index}`;
    management.put(secretOf(name, kubeconfigOf(workload, issuer)));
    management.put(ofNode('ProviderConfig', name, { credentials: { secretRef: { name: `${name}-kubeconfig` } } }));
  }
  const world = { management, workloads };
  for (let index = 0; index < nodes; index += 1) addMachine(world, `node-${index}`, index % clusters);
  return world;
}

/** A Node of a cluster, and its WorkloadNode. */
export function addMachine({ management, workloads }: World, name: string, cluster: number): void {
  workloads[cluster]?.put(nodeOf(name));
  management.put(
    ofNode('WorkloadNode', name, { providerConfigRef: { name: `cluster-${cluster}` }, node: { name }, labels: ROLE }),
  );
}

/** Of a ProviderConfig. */
export function secretOf(config: string, kubeconfig: string): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: `${config}-kubeconfig`, namespace: NAMESPACE },
    data: { value: Buffer.from(kubeconfig).toString('base64') },
  };
}

const ROLE = { 'node.example.com/role': 'worker' };

function ofNode(kind: string, name: string, spec: NonNullable<KubeObject['spec']>): KubeObject {
  return { apiVersion: NODE_API_VERSION, kind, metadata: { name, namespace: NAMESPACE }, spec };
}

function nodeOf(name: string): KubeObject {
  const conditions = ['MemoryPressure', 'DiskPressure', 'PIDPressure', 'Ready'].map((type) => ({
    type,
    status: type === 'Ready' ? 'True' : 'False',
    lastHeartbeatTime: '2026-01-01T00:00:00Z',
    lastTransitionTime: '2026-01-01T00:00:00Z',
  }));
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name },
    spec: { providerID: `cloud:///${name}` },
    status: {
      conditions,
      images: IMAGES,
      nodeInfo: { kubeletVersion: 'v1.35.4', osImage: 'Debian', containerRuntimeVersion: 'containerd://2.2.1' },
      addresses: [{ type: 'InternalIP', address: '10.0.0.7' }],
    },
  };
}

export function kubeconfigOf({ server }: Pick<LiveApi, 'server'>, { cert }: Issuer): string {
  const cluster = { server, 'certificate-authority-data': Buffer.from(cert).toString('base64') };
  return stringify({ clusters: [{ name: 'a', cluster }], users: [{ name: 'a', user: { token: 'FAKE' } }] });
}

/** Every kubelet reports that nothing changed. */
export function heartbeats({ workloads }: World): void {
  const lastHeartbeatTime = `${new Date().toISOString().slice(0, 19)}Z`;
  for (const workload of workloads)
    for (const node of workload.list('Node')) {
      const conditions = (at(node, 'status', 'conditions') as readonly JsonObject[]).map((one) => ({
        ...one,
        lastHeartbeatTime,
      }));
      workload.put(merged(node, { status: { conditions } }));
    }
}
