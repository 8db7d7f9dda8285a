/** Objects that tests start with: a Cluster that is ready, its pool, its machines. Tests state only what matters. */
import { isJsonObject, type JsonObject, type KubeObject } from '#lib/api/json.ts';
import { leastConfig } from '../../functions/bootstrap/least.fixture.ts';

const SELECTOR = { compositionSelector: { matchLabels: { 'slipway.dev/flavor': 'test' } } };
const ZONES = ['eu-west-1a', 'eu-west-1b', 'eu-west-1c'];

export const INFRASTRUCTURE = {
  contract: 1,
  cloud: 'aws',
  region: 'eu-west-1',
  ready: true,
  network: { id: 'vpc-1', cidr: '10.0.0.0/16' },
  failureDomains: ZONES.map((name, i) => ({ name, subnet: `subnet-${i}`, controlPlane: true })),
  controlPlane: {
    identity: 'prod-control-plane',
    securityGroups: ['sg-1', 'sg-2'],
    loadBalancerTargets: [{ id: 'arn:tg', port: 6443 }],
  },
  worker: { identity: 'prod-node', securityGroups: ['sg-1'], loadBalancerTargets: [] },
  providerIDFormat: 'aws:///${failureDomain}/${instanceId}',
  tags: { 'kubernetes.io/cluster/prod': 'owned' },
};

/** A Cluster whose control plane is initialized, unless a status is given. */
export function aCluster(parts: { readonly spec?: JsonObject; readonly status?: JsonObject } = {}): KubeObject {
  return {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Cluster',
    metadata: { name: 'prod', namespace: 'team-a', uid: 'cluster-uid' },
    spec: {
      crossplane: SELECTOR,
      version: 'v1.35.4',
      region: 'eu-west-1',
      controlPlane: { machine: { class: 'standard-2' } },
      ...bootstrappable(parts.spec),
    },
    status: parts.status ?? {
      infrastructure: INFRASTRUCTURE,
      controlPlaneEndpoint: { host: 'api.example.com', port: 6443 },
      controlPlane: { initialized: true, version: 'v1.35.4' },
      certificates: { caCertHash: 'sha256:00' },
    },
  };
}

/** With the configuration that the bootstrapper requires; fields of the test come first. */
function bootstrappable(spec: JsonObject = {}): JsonObject {
  const { bootstrap } = spec;
  if (!isJsonObject(bootstrap)) return spec;
  const { provider, config } = bootstrap;
  const least = leastConfig(typeof provider === 'string' ? provider : '');
  if (Object.keys(least).length === 0) return spec;
  return { ...spec, bootstrap: { ...bootstrap, config: { ...least, ...(isJsonObject(config) ? config : {}) } } };
}

export function aNodePool(parts: { readonly spec?: JsonObject; readonly status?: JsonObject } = {}): KubeObject {
  return {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'NodePool',
    metadata: { name: 'general', namespace: 'team-a', uid: 'pool-uid' },
    spec: {
      crossplane: SELECTOR,
      clusterRef: { name: 'prod' },
      replicas: 3,
      machine: { class: 'standard-4' },
      ...parts.spec,
    },
    ...(parts.status === undefined ? {} : { status: parts.status }),
  };
}

export function aMachine(
  parts: { readonly name?: string; readonly spec?: JsonObject; readonly status?: JsonObject } = {},
): KubeObject {
  return {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Machine',
    metadata: { name: parts.name ?? 'general-0-aaaaa', namespace: 'team-a', uid: 'machine-uid' },
    spec: {
      crossplane: SELECTOR,
      clusterRef: { name: 'prod' },
      nodePoolRef: { name: 'general' },
      role: 'worker',
      version: 'v1.35.4',
      failureDomain: 'eu-west-1a',
      machine: { class: 'standard-4' },
      bootstrap: { provider: 'kubeadm', action: 'Join' },
      ...bootstrappable(parts.spec),
    },
    ...(parts.status === undefined ? {} : { status: parts.status }),
  };
}

/** Ready and Synced as a provider or Crossplane writes them. */
export function conditions(ready: boolean, more: readonly JsonObject[] = []): JsonObject {
  return {
    conditions: [
      { type: 'Ready', status: ready ? 'True' : 'False', reason: ready ? 'Available' : 'Creating' },
      { type: 'Synced', status: 'True', reason: 'ReconcileSuccess' },
      ...more,
    ],
  };
}

export function withStatus(object: KubeObject, status: JsonObject): KubeObject {
  return { ...object, status: { ...object.status, ...status } };
}
