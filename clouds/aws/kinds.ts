/**
 * The AWS kinds that Slipway composes, by API group, each group with one version. The simulated cloud has its own list,
 * because it checks this one.
 */
import type { KubeObject } from '#lib/api/json.ts';

const DOMAIN = 'aws.m.upbound.io';

const GROUPS = {
  ec2: {
    version: 'v1beta1',
    kinds: [
      'VPC',
      'Subnet',
      'InternetGateway',
      'EIP',
      'NATGateway',
      'RouteTable',
      'Route',
      'RouteTableAssociation',
      'SecurityGroup',
      'SecurityGroupIngressRule',
      'SecurityGroupEgressRule',
      'DefaultSecurityGroup',
      'FlowLog',
      'Instance',
    ],
  },
  elbv2: { version: 'v1beta1', kinds: ['LB', 'LBTargetGroup', 'LBListener', 'LBTargetGroupAttachment'] },
  iam: { version: 'v1beta1', kinds: ['Role', 'RolePolicy', 'InstanceProfile'] },
  secretsmanager: { version: 'v1beta1', kinds: ['Secret', 'SecretVersion'] },
} as const;

type Group = keyof typeof GROUPS;
export type AwsKind = (typeof GROUPS)[Group]['kinds'][number];

const GROUP_OF: ReadonlyMap<AwsKind, Group> = new Map(
  (Object.keys(GROUPS) as Group[]).flatMap((group) => GROUPS[group].kinds.map((kind) => [kind, group] as const)),
);

export const AWS_KINDS: readonly AwsKind[] = [...GROUP_OF.keys()];

/** What the machine step composes, by kind, with its composition resource names; all other kinds belong to the cluster step. */
export const MACHINE_RESOURCES = {
  Instance: ['instance'],
  LBTargetGroupAttachment: ['target-*'],
  Secret: ['first-boot-secret', 'first-boot-packed'],
  SecretVersion: ['first-boot-data'],
} as const satisfies Partial<Record<AwsKind, readonly string[]>>;

export const MACHINE_KINDS: ReadonlySet<AwsKind> = new Set(Object.keys(MACHINE_RESOURCES) as AwsKind[]);

/** Such as ec2.aws.m.upbound.io. */
export function groupOf(kind: AwsKind): string {
  return `${serviceOf(kind)}.${DOMAIN}`;
}

export function apiVersionOf(kind: AwsKind): string {
  return `${groupOf(kind)}/${GROUPS[serviceOf(kind)].version}`;
}

/** Identities belong to an account and have no region. */
export function hasRegion(kind: AwsKind): boolean {
  return serviceOf(kind) !== 'iam';
}

/** Whether an object is an AWS resource of any kind and version. */
export function isOfAws({ apiVersion }: KubeObject): boolean {
  return (apiVersion.split('/')[0] ?? '').endsWith(`.${DOMAIN}`);
}

function serviceOf(kind: AwsKind): Group {
  return GROUP_OF.get(kind) ?? 'ec2';
}
