/** Values that only claims on AWS have, for the test that no field of a claim is ignored. */
import type { KubeObject } from '#lib/api/json.ts';
import type { FlavourSamples } from '../../test/claims/flavour.ts';

const TARGETS = 'arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup';
const KEYS = 'arn:aws:kms:eu-west-1:111122223333:key';

export const CLAIMS: FlavourSamples = {
  instanceTypes: ['m6i.xlarge', 'm6i.2xlarge'],
  image: 'ami-0123456789abcdef0',
  diskTypes: ['gp2', 'gp3'],
  zone: 'eu-west-1c',
  existing: {
    network: { id: 'vpc-0a1b2c3d' },
    subnets: [
      { id: 'subnet-0a', zone: 'eu-west-1a', public: false },
      { id: 'subnet-0b', zone: 'eu-west-1b', public: true },
      { id: 'subnet-0c', zone: 'eu-west-1c', public: false },
    ],
  },
  other: { network: 'vpc-0a1b2c3e', subnet: 'subnet-0d', zone: 'eu-west-1b' },
  parts: {
    securityGroups: ['sg-0a', 'sg-0b'],
    identities: ['shared-nodes', 'other-nodes'],
    loadBalancerTargets: [`${TARGETS}/one/1`, `${TARGETS}/two/1`],
    resourceGroups: ['one', 'two'],
    encryptionKeys: [`${KEYS}/one`, `${KEYS}/two`],
  },
  overrides: [
    { kind: 'Instance', patch: { spec: { forProvider: { monitoring: true } } } },
    { kind: 'LBTargetGroup', patch: { spec: { forProvider: { connectionTermination: true } } } },
  ],
  observers: [
    ...observers('ec2', 'VPC', 'id', 'vpc-0a1b2c3d', 'vpc-0a1b2c3e'),
    ...observers('ec2', 'Subnet', 'id', 'subnet-0a', 'subnet-0d'),
    ...observers('ec2', 'SecurityGroup', 'id', 'sg-0a', 'sg-0b'),
    ...observers('iam', 'InstanceProfile', 'id', 'shared-nodes', 'other-nodes'),
    ...observers('elbv2', 'LBTargetGroup', 'arn', `${TARGETS}/one/1`, `${TARGETS}/two/1`),
    ...observers('kms', 'Key', 'arn', `${KEYS}/one`, `${KEYS}/two`),
  ],
  machineInput: { aws: { userData: 'Plain' } },
};

/** Two of a kind, as their provider reports them. */
function observers(
  group: string,
  kind: string,
  field: string,
  ...ids: readonly [string, string]
): readonly KubeObject[] {
  return ids.map((id, n) => ({
    apiVersion: `${group}.aws.m.upbound.io/v1beta1`,
    kind,
    metadata: {
      name: n === 0 ? 'first' : 'other',
      namespace: 'team-a',
      labels: { net: n === 0 ? 'a' : 'b', observes: 'owner' },
    },
    spec: { managementPolicies: ['Observe'] },
    status: { atProvider: { [field]: id }, conditions: [{ type: 'Ready', status: 'True', reason: 'Available' }] },
  }));
}
