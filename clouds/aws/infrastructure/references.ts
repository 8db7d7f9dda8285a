/** Managed resources of AWS that a claim may name instead of ids. */
import { referable, type References } from '#lib/cloud/references.ts';

const EC2 = 'ec2.aws.m.upbound.io/v1beta1';

export const REFERENCES: References = {
  network: referable(EC2, ['VPC']),
  subnets: referable(EC2, ['Subnet']),
  securityGroups: referable(EC2, ['SecurityGroup']),
  // An instance names its profile; the id of a profile is its name.
  identities: referable('iam.aws.m.upbound.io/v1beta1', ['InstanceProfile']),
  loadBalancerTargets: referable('elbv2.aws.m.upbound.io/v1beta1', ['LBTargetGroup'], 'arn'),
  resourceGroup: 'none, since AWS has no groups that objects must be in',
  encryptionKey: referable('kms.aws.m.upbound.io/v1beta1', ['Key'], 'arn'),
};
