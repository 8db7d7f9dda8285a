/** What a person of a team tries and may not do, each with the words of the refusal. */
import { at, type Json, type JsonObject, type KubeObject } from '#lib/api/json.ts';
import { documents, TEAM } from './scene.ts';

export const FLAVOUR_OF_OTHERS = 'gcp';

export interface Attempt {
  readonly name: string;
  readonly args: readonly string[];
  /** Applied from standard input. */
  readonly object?: object;
  readonly refused: RegExp;
}

export const patch = (kind: string, name: string, spec: JsonObject): readonly string[] => [
  'patch',
  `${kind}.slipway.dev`,
  name,
  '--type=merge',
  `--patch=${JSON.stringify({ spec })}`,
];

const byPlatform = /only the platform team may/;
const crossplane = (fields: JsonObject): readonly string[] => patch('cluster', 'prod', { crossplane: fields });

const metadata = (kind: string, name: string, fields: JsonObject): readonly string[] => [
  'patch',
  `${kind}.slipway.dev`,
  name,
  '--type=merge',
  `--patch=${JSON.stringify({ metadata: fields })}`,
];

/**
 * Every field of spec.crossplane, as Crossplane made the schema, but the one that a team may write.
 * @param definition  the CustomResourceDefinition of Clusters
 */
export function ofMachinery(definition: KubeObject): readonly Attempt[] {
  const [version] = at(definition.spec, 'versions') as readonly JsonObject[];
  const spec = at(version, 'schema', 'openAPIV3Schema', 'properties', 'spec', 'properties', 'crossplane', 'properties');
  const fields = Object.entries(spec as Readonly<Record<string, JsonObject>>);
  return fields
    .filter(([name]) => name !== 'compositionSelector')
    .map(([name, schema]) => ({
      name: `spec.crossplane.${name}`,
      args: crossplane({
        [name]: OTHERS[`${schema['type'] as string}${schema['enum'] === undefined ? '' : ' of a list'}`] ?? null,
      }),
      refused: byPlatform,
    }));
}

/** Another value, by the type of a field. */
const OTHERS: Readonly<Record<string, Json>> = {
  'string of a list': 'Manual',
  array: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'other' }],
  object: { name: 'other', matchLabels: { other: 'one' } },
};

export const ofComposition: readonly Attempt[] = [
  {
    name: 'an older revision, with older limits',
    args: crossplane({ compositionRevisionRef: { name: 'clusters.aws.slipway.dev-1' } }),
    refused: byPlatform,
  },
  { name: 'no newer revision', args: crossplane({ compositionUpdatePolicy: 'Manual' }), refused: byPlatform },
  {
    name: 'another Composition by name',
    args: crossplane({ compositionRef: { name: 'clusters.gcp.slipway.dev' } }),
    refused: byPlatform,
  },
  { name: 'to let composed resources be forgotten', args: crossplane({ resourceRefs: [] }), refused: byPlatform },
  {
    name: 'to pause its claim',
    args: metadata('nodepool', 'prod-general', { annotations: { 'crossplane.io/paused': 'true' } }),
    refused: byPlatform,
  },
  {
    name: 'to have its control plane forgotten',
    args: metadata('nodepool', 'prod-control-plane', {
      annotations: { 'crossplane.io/composition-resource-name': null },
    }),
    refused: byPlatform,
  },
  {
    name: 'a flavor of another team',
    args: crossplane({ compositionSelector: { matchLabels: { 'slipway.dev/flavor': FLAVOUR_OF_OTHERS } } }),
    refused: /"gcp" is not accepted; accepted: aws; the platform team may allow it in the annotation/,
  },
];

export function ofLimits(): readonly Attempt[] {
  const general = (spec: JsonObject): readonly string[] => patch('nodepool', 'prod-general', spec);
  const existing = { network: { id: 'vpc-of-others' }, subnets: [{ id: 'subnet-1', zone: 'eu-west-1a' }] };
  return [
    {
      name: 'the network of another team',
      args: ['apply', '-f', '-'],
      object: aCluster({ infrastructure: { existing } }),
      refused: /"vpc-of-others" is not accepted; the platform team may allow it in limits.networks in ClusterInput/,
    },
    {
      name: 'the credentials of another team',
      args: ['apply', '-f', '-'],
      object: aCluster({ infrastructure: { providerConfigRef: { kind: 'ClusterProviderConfig', name: 'of-others' } } }),
      refused:
        /"ClusterProviderConfig of-others" is not accepted; the platform team may allow it in providerConfigs in ClusterInput/,
    },
    {
      name: 'the API of the platform as that of a cluster',
      args: ['apply', '-f', '-'],
      object: aCluster({ controlPlane: { machine: { class: 'standard-2' }, endpoint: { host: '127.0.0.1' } } }),
      refused: /"127.0.0.1" is not accepted; the platform team may allow it in limits.endpoints in ClusterInput/,
    },
    {
      name: 'a chart in the metadata service of the platform',
      args: ['apply', '-f', '-'],
      object: aCluster({
        addons: [{ name: 'a', chart: { repository: 'https://169.254.169.254/latest', name: 'a', version: '1.0.0' } }],
      }),
      refused:
        /"https:..169.254.169.254.latest" is not accepted; the platform team may allow it in limits.repositories/,
    },
    {
      name: 'more machines than the platform pays for',
      args: general({ replicas: 1001 }),
      refused: /1001 is not accepted; accepted: at most 1000; the platform team may raise limits.replicas/,
    },
    {
      name: 'more machines with kubectl scale',
      args: ['scale', 'nodepool.slipway.dev/prod-general', '--replicas=1001'],
      refused:
        /1001 is not accepted; accepted: at most 1000; the platform team may raise limits.replicas in NodePoolInput/,
    },
    {
      name: 'an instance type that is not offered',
      args: general({ machine: { class: null, instanceType: 'p5.48xlarge' } }),
      refused: /"p5.48xlarge" is not accepted; the platform team may allow it in limits.sizes/,
    },
    {
      name: 'a disk in clear',
      args: general({ machine: { rootDisk: { encrypted: false } } }),
      refused: /false is not accepted; the platform team may allow it in limits.encryptedDisks/,
    },
  ];
}

const HOLD = '[{"op":"add","path":"/metadata/finalizers/-","value":"example.com/hold"}]';

/** Machines that run on without a claim count for no limit. */
export const ofDeletion: readonly Attempt[] = [
  {
    name: 'to leave machines behind',
    args: ['delete', 'nodepool.slipway.dev', 'prod-general', '--cascade=orphan'],
    refused: /propagationPolicy: only the platform team may leave behind what was composed/,
  },
  {
    name: 'to leave a virtual machine behind',
    args: ['delete', 'machine.slipway.dev', '--all', '--cascade=orphan'],
    refused: /propagationPolicy: only the platform team may leave behind what was composed/,
  },
  {
    name: 'to leave a network behind with the next deletion',
    args: metadata('cluster', 'prod', { finalizers: ['orphan'] }),
    refused: /metadata.finalizers: only the platform team may/,
  },
  {
    name: 'to keep a claim that Crossplane has let go of',
    args: ['patch', 'nodepool.slipway.dev', 'prod-general', '--type=json', `--patch=${HOLD}`],
    refused: /metadata.finalizers: only the platform team may/,
  },
  {
    name: 'to take the finalizer of Crossplane away',
    args: metadata('cluster', 'prod', { finalizers: null }),
    refused: /metadata.finalizers: only the platform team may/,
  },
  {
    name: 'to leave a control plane behind its Cluster',
    args: metadata('nodepool', 'prod-control-plane', { ownerReferences: null }),
    refused: /metadata.ownerReferences: only the platform team may/,
  },
];

export function ofRights(): readonly Attempt[] {
  const forbidden = /forbidden: User "alice" cannot/;
  const at = (metadata: JsonObject) => ({ metadata: { namespace: TEAM, ...metadata } });
  return [
    { name: 'the keys of the cluster', args: ['get', 'secret', 'prod-ca'], refused: forbidden },
    { name: 'the account', args: ['get', 'secret', 'aws-credentials'], refused: forbidden },
    {
      name: 'a role of machines',
      args: ['patch', 'rolepolicy.iam.aws.m.upbound.io', 'prod-policy-node', '--type=merge', '--patch={"spec":{}}'],
      refused: forbidden,
    },
    {
      name: 'a managed resource of its own',
      args: ['create', '-f', '-'],
      object: {
        apiVersion: 'iam.aws.m.upbound.io/v1beta1',
        kind: 'Role',
        ...at({ name: 'mine' }),
        spec: { forProvider: {} },
      },
      refused: forbidden,
    },
    {
      name: 'another account',
      args: ['create', '-f', '-'],
      object: {
        apiVersion: 'aws.m.upbound.io/v1beta1',
        kind: 'ProviderConfig',
        ...at({ name: 'mine' }),
        spec: { credentials: { source: 'None' } },
      },
      refused: forbidden,
    },
    {
      name: 'a Machine beside its pools',
      args: ['create', '-f', '-'],
      object: { apiVersion: 'slipway.dev/v1alpha1', kind: 'Machine', ...at({ name: 'mine' }), spec: {} },
      refused: forbidden,
    },
    {
      name: 'other flavors for its namespace',
      args: ['annotate', 'namespace', TEAM, 'slipway.dev/flavors=gcp', '--overwrite'],
      refused: forbidden,
    },
    {
      name: 'the status of its claim',
      args: ['patch', 'cluster.slipway.dev', 'prod', '--subresource=status', '--type=merge', '--patch={"status":{}}'],
      refused: forbidden,
    },
    { name: 'claims of another team', args: ['get', 'cluster.slipway.dev', '--namespace=default'], refused: forbidden },
  ];
}

/** A claim of the example under another name. */
export function aCluster(spec: JsonObject): KubeObject {
  const example = documents('examples/aws/cluster.yaml').find(({ kind }) => kind === 'Cluster')!;
  return { ...example, metadata: { name: 'greedy', namespace: TEAM }, spec: { ...example.spec, ...spec } };
}
