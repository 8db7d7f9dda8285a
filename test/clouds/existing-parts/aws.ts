/** What somebody else has on AWS. */
import type { JsonObject } from '#lib/api/json.ts';
import { type CloudCase, endpoint, type Foreign } from './case.ts';

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
const KEY = 'arn:aws:kms:eu-west-1:111122223333:key/fake';
const readsSecrets = JSON.stringify({
  Statement: [
    {
      Effect: 'Allow',
      Action: ['secretsmanager:GetSecretValue', 'secretsmanager:DeleteSecret'],
      Resource: ['arn:*:secretsmanager:*:*:secret:slipway/*'],
    },
  ],
});

export const AWS_CASE: CloudCase = {
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
    {
      part: 'endpoint alone',
      owned: [],
      claim: () => ({ controlPlane: endpoint('203.0.113.10') }),
      without: ['LB', 'LBTargetGroup', 'LBListener'],
    },
    {
      part: 'encryption key',
      owned: [],
      claim: () => ({ infrastructure: { existing: { encryptionKey: { id: KEY } } } }),
      without: [],
    },
  ],
};
