/** IAM: names are ids, so an object with its own name keeps it across a provider restart. */
import type { CloudKind } from '#simulator/cloud/kind.ts';
import { ACCOUNT, awsKind } from './kind.ts';

const iamArn =
  (type: string): CloudKind['arn'] =>
  (id) =>
    `arn:aws:iam::${ACCOUNT}:${type}/${id}`;

export const IDENTITY: readonly CloudKind[] = [
  awsKind('iam', {
    kind: 'Role',
    title: 'IAM Role',
    arn: iamArn('role'),
    seconds: { create: [1, 4], update: [1, 3], delete: [1, 3] },
    forceNew: ['path'],
    blockedBy: { InstanceProfile: ['role'], RolePolicy: ['role'], RolePolicyAttachment: ['role'] },
  }),
  awsKind('iam', {
    kind: 'RolePolicy',
    withoutArn: true,
    title: 'IAM Role Policy',
    arn: iamArn('role-policy'),
    forceNew: ['role'],
    references: { role: 'Role' },
  }),
  awsKind('iam', {
    kind: 'RolePolicyAttachment',
    title: 'IAM Role Policy Attachment',
    arn: iamArn('role-policy-attachment'),
    forceNew: ['role', 'policyArn'],
    references: { role: 'Role' },
  }),
  awsKind('iam', {
    kind: 'InstanceProfile',
    title: 'IAM Instance Profile',
    arn: iamArn('instance-profile'),
    seconds: { create: [6, 10], update: [1, 3], delete: [1, 3] },
    forceNew: ['path'],
    references: { role: 'Role' },
  }),
];
