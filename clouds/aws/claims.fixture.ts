/** Values that only claims on AWS have, for the test that no field of a claim is ignored. */
import type { FlavourSamples } from '../../test/claims/flavour.ts';

export const CLAIMS: FlavourSamples = {
  instanceTypes: ['m6i.xlarge', 'm6i.2xlarge'],
  image: 'ami-0123456789abcdef0',
  diskType: 'gp2',
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
    loadBalancerTargets: [
      'arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/one/1',
      'arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/two/1',
    ],
    resourceGroups: ['one', 'two'],
    encryptionKeys: ['arn:aws:kms:eu-west-1:111122223333:key/one', 'arn:aws:kms:eu-west-1:111122223333:key/two'],
  },
  overrides: [
    { kind: 'Instance', patch: { spec: { forProvider: { monitoring: true } } } },
    { kind: 'LBTargetGroup', patch: { spec: { forProvider: { connectionTermination: true } } } },
  ],
  machineInput: { aws: { userData: 'Plain' } },
};
