/** Security groups and their rules; each rule is its own object. */
import type { CloudKind } from '#simulator/cloud/kind.ts';
import { awsKind } from './kind.ts';

const RULE = {
  forceNew: ['securityGroupId', 'region'],
  references: { securityGroupId: 'SecurityGroup', referencedSecurityGroupId: 'SecurityGroup' },
  idPrefix: 'sgr-',
} as const;

export const SECURITY: readonly CloudKind[] = [
  awsKind('ec2', {
    kind: 'SecurityGroup',
    title: 'EC2 Security Group',
    idPrefix: 'sg-',
    seconds: { create: [2, 5], update: [1, 3], delete: [1, 3] },
    forceNew: ['name', 'description', 'vpcId', 'region'],
    references: { vpcId: 'VPC' },
    blockedBy: {
      Instance: ['vpcSecurityGroupIds'],
      LB: ['securityGroups'],
      SecurityGroupIngressRule: ['referencedSecurityGroupId'],
      SecurityGroupEgressRule: ['referencedSecurityGroupId'],
    },
  }),
  // Exists with its network: created means adopted, and it stays in AWS until the network goes.
  awsKind('ec2', {
    kind: 'DefaultSecurityGroup',
    title: 'EC2 Default Security Group',
    idPrefix: 'sg-',
    seconds: { create: [2, 5], update: [1, 3], delete: [1, 2] },
    forceNew: ['vpcId', 'region'],
    references: { vpcId: 'VPC' },
  }),
  awsKind('ec2', { ...RULE, kind: 'SecurityGroupIngressRule', title: 'EC2 Security Group Ingress Rule' }),
  awsKind('ec2', { ...RULE, kind: 'SecurityGroupEgressRule', title: 'EC2 Security Group Egress Rule' }),
];
