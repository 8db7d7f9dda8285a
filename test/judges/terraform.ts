/**
 * Managed resources as Terraform, for scanners that read it: the providers are built from Terraform's, so every field
 * has its Terraform name, and references become Terraform's.
 */
import { isJsonObject, type Json, type JsonObject, type KubeObject } from '#lib/api/json.ts';

/** Terraform's names; null where a kind has none of its own. */
const TYPES: Readonly<Record<string, string>> = {
  VPC: 'aws_vpc',
  Subnet: 'aws_subnet',
  InternetGateway: 'aws_internet_gateway',
  EIP: 'aws_eip',
  NATGateway: 'aws_nat_gateway',
  RouteTable: 'aws_route_table',
  Route: 'aws_route',
  RouteTableAssociation: 'aws_route_table_association',
  SecurityGroup: 'aws_security_group',
  SecurityGroupIngressRule: 'aws_vpc_security_group_ingress_rule',
  SecurityGroupEgressRule: 'aws_vpc_security_group_egress_rule',
  DefaultSecurityGroup: 'aws_default_security_group',
  FlowLog: 'aws_flow_log',
  Instance: 'aws_instance',
  LB: 'aws_lb',
  LBTargetGroup: 'aws_lb_target_group',
  LBListener: 'aws_lb_listener',
  LBTargetGroupAttachment: 'aws_lb_target_group_attachment',
  Role: 'aws_iam_role',
  RolePolicy: 'aws_iam_role_policy',
  InstanceProfile: 'aws_iam_instance_profile',
  Secret: 'aws_secretsmanager_secret',
  SecretVersion: 'aws_secretsmanager_secret_version',
};

/** Kinds of fields that refer to others. */
const REFERS: Readonly<Record<string, string>> = {
  vpcId: 'VPC',
  subnetId: 'Subnet',
  subnets: 'Subnet',
  routeTableId: 'RouteTable',
  gatewayId: 'InternetGateway',
  natGatewayId: 'NATGateway',
  allocationId: 'EIP',
  securityGroupId: 'SecurityGroup',
  securityGroups: 'SecurityGroup',
  referencedSecurityGroupId: 'SecurityGroup',
  role: 'Role',
  loadBalancerArn: 'LB',
  targetGroupArn: 'LBTargetGroup',
  secretId: 'Secret',
};

/** The content of one file main.tf.json. Throws for a kind or a reference that it does not know. */
export function terraformOf(objects: readonly KubeObject[]): string {
  const resource: Record<string, Record<string, JsonObject>> = {};
  for (const { kind, metadata, spec } of objects) {
    const { region: _region, ...fields } = {
      ...((spec?.['forProvider'] ?? {}) as JsonObject),
      ...((spec?.['initProvider'] ?? {}) as JsonObject),
    };
    const ofType = (resource[typeOf(kind)] ??= {});
    ofType[nameIn(metadata?.name ?? '')] = blockOf(fields);
  }
  return JSON.stringify({ resource }, null, 2);
}

function typeOf(kind: string): string {
  const type = TYPES[kind];
  if (type === undefined) throw new Error(`cannot write ${kind} as Terraform: its name there is not known`);
  return type;
}

const nameIn = (name: string): string => name.replaceAll(/[^A-Za-z0-9_-]/g, '_');
const snake = (field: string): string => field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function blockOf(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).map(([field, value]) => entryOf(field, value ?? null)));
}

function entryOf(field: string, value: Json): readonly [string, Json] {
  const [, base, suffix] = /^(.*?)(Refs?|SecretRef)$/.exec(field) ?? [];
  if (base !== undefined && suffix === 'SecretRef') return [snake(base), 'sealed'];
  if (base !== undefined) {
    const plain = suffix === 'Refs' ? referring(base) : base;
    const names = (Array.isArray(value) ? value : [value]).map((ref) => reference(plain, ref));
    return [snake(plain), suffix === 'Refs' ? names : (names[0] ?? null)];
  }
  if (field === 'tags') return [field, value];
  if (Array.isArray(value)) return [snake(field), value.map((one) => (isJsonObject(one) ? blockOf(one) : one))];
  return [snake(field), isJsonObject(value) ? blockOf(value) : value];
}

/** Lists of references have names of their own. */
function referring(base: string): string {
  return { subnet: 'subnets', securityGroup: 'securityGroups' }[base] ?? base;
}

function reference(field: string, ref: Json): string {
  const kind = REFERS[field];
  if (kind === undefined || !isJsonObject(ref))
    throw new Error(`cannot write ${field} as Terraform: it refers to nothing known`);
  const output = field.endsWith('Arn') ? 'arn' : field === 'role' ? 'name' : 'id';
  return `\${${typeOf(kind)}.${nameIn(typeof ref['name'] === 'string' ? ref['name'] : '')}.${output}}`;
}
