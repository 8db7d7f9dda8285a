/** A claim with add-ons, a platform with defaults, and providers that do what they are told, for the tests of this folder. */
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import type { ReplyData } from '#lib/fn/reply.ts';
import type { Request } from '#lib/fn/request.ts';
import { aRequest, aWorld, frozen } from '../../test/support/request.ts';
import { run } from './fn.ts';

export const CHART: JsonObject = {
  name: 'ingress',
  chart: { repository: 'https://charts.example.com', name: 'ingress', version: '4.1.0', values: { replicas: 2 } },
};

export const MANIFESTS: JsonObject = {
  name: 'quota',
  manifests: {
    objects: [
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'apps' } },
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'web', namespace: 'apps' },
        spec: { replicas: 1 },
      },
    ],
  },
};

export const NETWORK: JsonObject = {
  name: 'network',
  brings: 'network',
  when: 'NodesJoining',
  namespace: 'network',
  chart: {
    repository: 'https://network.example.com/charts',
    name: 'network',
    values: { cidr: '$(spec.network.pods)', cluster: { name: 'of $(metadata.name)' } },
  },
  versions: [
    { kubernetes: ['1.34', '1.35'], version: 'v3.31.3' },
    { kubernetes: ['1.36'], version: 'v3.32.0', values: { newer: true } },
  ],
};

export const READY = [
  { type: 'Ready', status: 'True', reason: 'Available' },
  { type: 'Synced', status: 'True', reason: 'ReconcileSuccess' },
];

const AVAILABLE = { type: 'ControlPlaneAvailable', status: 'True', reason: 'Available' };

/** How far the control plane is: not there, its first node is there, available. */
export type Stage = 'None' | 'Initialized' | 'Available';

export function aClaim(addons: readonly JsonObject[], spec: JsonObject = {}, status: JsonObject = {}): KubeObject {
  return {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Cluster',
    metadata: { name: 'prod', namespace: 'team-a', uid: 'u' },
    spec: {
      version: 'v1.35.4',
      region: 'eu-west',
      controlPlane: { replicas: 3, machine: { class: 'standard-2' } },
      addons,
      ...spec,
    },
    status,
  };
}

export const controlPlane = (stage: Stage, version = 'v1.35.4'): JsonObject =>
  stage === 'None'
    ? {}
    : { controlPlane: { initialized: true, version }, ...(stage === 'Available' ? { conditions: [AVAILABLE] } : {}) };

const KUBECONFIG: KubeObject = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'prod-kubeconfig', namespace: 'team-a' },
};

export interface Call {
  readonly addons?: readonly JsonObject[];
  readonly spec?: JsonObject;
  readonly stage?: Stage;
  readonly version?: string;
  readonly status?: JsonObject;
  readonly input?: JsonObject;
  readonly observed?: Readonly<Record<string, KubeObject>>;
  /** What earlier steps desire besides the kubeconfig. */
  readonly carried?: Readonly<Record<string, KubeObject>>;
  readonly required?: Readonly<Record<string, readonly KubeObject[]>>;
}

export function request(parts: Call = {}): Request {
  const {
    addons = [CHART],
    spec,
    stage = 'Available',
    version,
    status,
    input,
    observed = {},
    carried = {},
    required,
  } = parts;
  return frozen(
    aRequest({
      composite: aClaim(addons, spec, { ...controlPlane(stage, version), ...status }),
      observed: { ...(stage === 'None' ? {} : { kubeconfig: KUBECONFIG }), ...observed },
      desired: { ...(stage === 'None' ? {} : { kubeconfig: KUBECONFIG }), ...carried },
      input: { apiVersion: 'fn.slipway.dev/v1alpha1', kind: 'AddOnsInput', ...input },
      ...(required === undefined ? {} : { required }),
    }),
  );
}

export async function call(parts: Call = {}): Promise<ReplyData> {
  return (await run(request(parts), aWorld())).build();
}

/** What the providers make of it. */
export function applied({ resources }: ReplyData): Record<string, KubeObject> {
  return Object.fromEntries(
    [...resources].map(([key, { resource }]) => {
      const version = (resource.spec?.['forProvider'] as { chart?: { version?: string } } | undefined)?.chart?.version;
      const atProvider = version === undefined ? {} : { atProvider: { state: 'deployed', version } };
      return [key, { ...resource, status: { conditions: READY, ...atProvider } }];
    }),
  );
}

export const addOnsReady = ({ conditions }: ReplyData) => conditions.find(({ type }) => type === 'AddonsReady');
/** Without the objects of other steps. */
export const keys = ({ resources }: ReplyData) => [...resources.keys()].filter((key) => key !== 'kubeconfig');
