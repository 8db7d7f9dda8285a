/** Parts of a cluster that somebody else made in a cloud, in a namespace of theirs, and claims that use them. */
import { at, type Json, type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import type { Engine } from '#simulator/engine.ts';

export const OWNER = 'network-team';

/** One managed resource of the owner. */
export interface Foreign {
  readonly kind: string;
  readonly name: string;
  readonly forProvider: JsonObject;
}

/** What the owner has, by name, once the cloud made it. */
export type Seen = (name: string, field: string) => string;

export interface PartCase {
  readonly part: string;
  /** One batch after another: a later one may need ids of an earlier one. */
  readonly owned: readonly ((seen: Seen) => readonly Foreign[])[];
  /** Merged into the spec of the Cluster. */
  readonly claim: (seen: Seen) => JsonObject;
  /** Merged into the input of the Composition. */
  readonly input?: (seen: Seen) => JsonObject;
  /** Kinds that are then not made for the cluster. */
  readonly without: readonly string[];
}

export interface CloudCase {
  readonly cloud: string;
  readonly apiVersionOf: (kind: string) => string;
  readonly region: string;
  readonly parts: readonly PartCase[];
}

const endpoint = (host: string) => ({ endpoint: { host, port: 6443 } });

const AWS_GROUPS: Readonly<Record<string, string>> = {
  LB: 'elbv2',
  LBTargetGroup: 'elbv2',
  LBListener: 'elbv2',
  Role: 'iam',
  RolePolicy: 'iam',
  InstanceProfile: 'iam',
};
const AWS = 'eu-west-1';
const inAws = (forProvider: JsonObject): JsonObject => ({ region: AWS, ...forProvider });
const ownVpc: Foreign = { kind: 'VPC', name: 'shared', forProvider: inAws({ cidrBlock: '10.9.0.0/16' }) };
const awsSubnet = (zone: string, n: number, vpcId: string): Foreign => ({
  kind: 'Subnet',
  name: `shared-${zone}`,
  forProvider: inAws({ vpcId, availabilityZone: `${AWS}${zone}`, cidrBlock: `10.9.${n}.0/24` }),
});
const readsSecrets = JSON.stringify({
  Statement: [
    {
      Effect: 'Allow',
      Action: ['secretsmanager:GetSecretValue', 'secretsmanager:DeleteSecret'],
      Resource: ['arn:*:secretsmanager:*:*:secret:slipway/*'],
    },
  ],
});

const AWS_CASE: CloudCase = {
  cloud: 'aws',
  region: AWS,
  apiVersionOf: (kind) => `${AWS_GROUPS[kind] ?? 'ec2'}.aws.m.upbound.io/v1beta1`,
  parts: [
    {
      part: 'network and subnets',
      owned: [
        () => [ownVpc],
        (seen) => [awsSubnet('a', 1, seen('shared', 'id')), awsSubnet('b', 2, seen('shared', 'id'))],
      ],
      claim: (seen) => ({
        infrastructure: {
          existing: {
            network: { id: seen('shared', 'id') },
            subnets: ['a', 'b'].map((zone) => ({ id: seen(`shared-${zone}`, 'id'), zone: `${AWS}${zone}` })),
          },
        },
      }),
      without: ['VPC', 'Subnet', 'InternetGateway', 'NATGateway', 'RouteTable', 'DefaultSecurityGroup'],
    },
    {
      part: 'security groups',
      owned: [
        () => [ownVpc],
        (seen) =>
          ['machines', 'masters'].map((name) => ({
            kind: 'SecurityGroup',
            name,
            forProvider: inAws({ name, description: 'of the owner', vpcId: seen('shared', 'id') }),
          })),
      ],
      claim: (seen) => ({
        infrastructure: {
          existing: {
            securityGroups: {
              controlPlane: [seen('masters', 'id'), seen('machines', 'id')],
              worker: [seen('machines', 'id')],
            },
          },
        },
      }),
      // The group of the load balancer, which is made, has its own.
      without: [],
    },
    {
      part: 'identities',
      owned: [
        () => [{ kind: 'Role', name: 'nodes', forProvider: { assumeRolePolicy: '{}' } }],
        () => [
          { kind: 'RolePolicy', name: 'nodes', forProvider: { role: 'nodes', policy: readsSecrets } },
          { kind: 'InstanceProfile', name: 'nodes', forProvider: { role: 'nodes' } },
        ],
      ],
      claim: () => ({ infrastructure: { existing: { identities: { controlPlane: 'nodes', worker: 'nodes' } } } }),
      without: ['Role', 'RolePolicy', 'InstanceProfile'],
    },
    {
      part: 'identities of the platform',
      owned: [
        () => [{ kind: 'Role', name: 'nodes', forProvider: { assumeRolePolicy: '{}' } }],
        () => [
          { kind: 'RolePolicy', name: 'nodes', forProvider: { role: 'nodes', policy: readsSecrets } },
          { kind: 'InstanceProfile', name: 'nodes', forProvider: { role: 'nodes' } },
        ],
      ],
      claim: () => ({}),
      input: () => ({ existingParts: { identities: { controlPlane: 'nodes', worker: 'nodes' } } }),
      without: ['Role', 'RolePolicy', 'InstanceProfile'],
    },
    {
      part: 'load balancer',
      owned: [
        () => [ownVpc],
        (seen) => [
          awsSubnet('a', 1, seen('shared', 'id')),
          {
            kind: 'LBTargetGroup',
            name: 'api',
            forProvider: inAws({ name: 'api', port: 6443, protocol: 'TCP', vpcId: seen('shared', 'id') }),
          },
        ],
        (seen) => [
          {
            kind: 'LB',
            name: 'api',
            forProvider: inAws({ name: 'api', loadBalancerType: 'network', subnets: [seen('shared-a', 'id')] }),
          },
        ],
        (seen) => [
          {
            kind: 'LBListener',
            name: 'api',
            forProvider: inAws({
              loadBalancerArn: seen('LB api', 'arn'),
              port: 6443,
              protocol: 'TCP',
              defaultAction: [{ type: 'forward', targetGroupArn: seen('LBTargetGroup api', 'arn') }],
            }),
          },
        ],
      ],
      claim: (seen) => ({
        controlPlane: endpoint(seen('LB api', 'dnsName')),
        infrastructure: { existing: { loadBalancerTargets: [{ id: seen('LBTargetGroup api', 'arn') }] } },
      }),
      without: ['LB', 'LBTargetGroup', 'LBListener'],
    },
  ],
};

const GCP = 'europe-west1';
const ZONE = `${GCP}-b`;
const ACCOUNT = 'nodes@simulated-project.iam.gserviceaccount.com';
const grant = (role: string): Foreign => ({
  kind: 'ProjectIAMMember',
  name: role.split('.').at(-1)?.toLowerCase() ?? '',
  forProvider: { project: 'simulated-project', member: `serviceAccount:${ACCOUNT}`, role },
});

const GCP_CASE: CloudCase = {
  cloud: 'gcp',
  region: GCP,
  apiVersionOf: (kind) =>
    `${/^(ServiceAccount|ProjectIAMMember)$/.test(kind) ? 'cloudplatform' : 'compute'}.gcp.m.upbound.io/v1beta1`,
  parts: [
    {
      part: 'network and subnets',
      owned: [
        () => [{ kind: 'Network', name: 'shared', forProvider: { autoCreateSubnetworks: false } }],
        (seen) => [
          {
            kind: 'Subnetwork',
            name: 'nodes',
            forProvider: { region: GCP, network: seen('shared', 'id'), ipCidrRange: '10.9.0.0/20' },
          },
        ],
      ],
      claim: (seen) => ({
        infrastructure: {
          existing: {
            network: { id: seen('shared', 'id') },
            subnets: [{ id: seen('nodes', 'id'), zone: ZONE }],
          },
        },
      }),
      without: ['Network', 'Subnetwork', 'Router', 'RouterNAT'],
    },
    {
      part: 'network tags',
      owned: [],
      claim: () => ({
        infrastructure: { existing: { securityGroups: { controlPlane: ['masters'], worker: ['machines'] } } },
      }),
      without: ['Firewall'],
    },
    {
      part: 'identities',
      owned: [
        () => [{ kind: 'ServiceAccount', name: 'nodes', forProvider: {} }],
        () => [grant('roles/secretmanager.secretAccessor'), grant('roles/secretmanager.secretVersionManager')],
      ],
      claim: () => ({ infrastructure: { existing: { identities: { controlPlane: ACCOUNT, worker: ACCOUNT } } } }),
      without: ['ServiceAccount', 'ProjectIAMMember', 'ServiceAccountIAMMember'],
    },
    {
      part: 'load balancer',
      owned: [
        () => [
          { kind: 'Address', name: 'api', forProvider: { region: GCP, addressType: 'EXTERNAL' } },
          { kind: 'RegionHealthCheck', name: 'api', forProvider: { region: GCP, tcpHealthCheck: { port: 6443 } } },
          {
            kind: 'NetworkEndpointGroup',
            name: 'api-b',
            forProvider: { zone: ZONE, networkEndpointType: 'GCE_VM_IP' },
          },
        ],
        (seen) => [
          {
            kind: 'RegionBackendService',
            name: 'api',
            forProvider: {
              region: GCP,
              loadBalancingScheme: 'EXTERNAL',
              protocol: 'TCP',
              healthChecks: ['api'],
              backend: [{ group: seen('api-b', 'selfLink'), balancingMode: 'CONNECTION' }],
            },
          },
        ],
        () => [
          {
            kind: 'ForwardingRule',
            name: 'api',
            forProvider: { region: GCP, ipAddress: 'api', backendService: 'api', ports: ['6443'] },
          },
        ],
      ],
      claim: (seen) => ({
        controlPlane: { ...endpoint(seen('Address api', 'address')), machine: { class: 'standard-2', zones: [ZONE] } },
        infrastructure: { existing: { loadBalancerTargets: [{ id: `${ZONE}/api-b` }] } },
      }),
      without: ['ForwardingRule', 'RegionBackendService', 'RegionHealthCheck', 'NetworkEndpointGroup'],
    },
  ],
};

export const CLOUD_CASES: readonly CloudCase[] = [AWS_CASE, GCP_CASE];

/** The managed resource of the owner. */
export function foreignObject({ apiVersionOf }: CloudCase, { kind, name, forProvider }: Foreign): KubeObject {
  return {
    apiVersion: apiVersionOf(kind),
    kind,
    metadata: { name, namespace: OWNER, annotations: { 'crossplane.io/external-name': name } },
    spec: { forProvider, providerConfigRef: { kind: 'ProviderConfig', name: 'default' } },
  };
}

/** What the cloud reports about a managed resource of the owner. @param name with its kind before it, if several have it */
export function seenIn(engine: Engine, owned: () => readonly KubeObject[]): Seen {
  return (name, field) => {
    const object = owned().find((one) => [one.metadata?.name, `${one.kind} ${one.metadata?.name}`].includes(name));
    const { apiVersion = '', kind = '', metadata } = object ?? {};
    const now = engine.get({ apiVersion, kind, namespace: OWNER, name: metadata?.name ?? '' });
    const value = stringAt(at(now, 'status', 'atProvider'), field);
    if (value === undefined) throw new Error(`the cloud reports no ${field} of ${name}`);
    return value;
  };
}

/** Every text in a value. */
export function textsIn(value: Json | undefined): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap(textsIn);
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap((one) => textsIn(one as Json)) : [];
}
