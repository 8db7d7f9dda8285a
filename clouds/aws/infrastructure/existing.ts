/**
 * Parts of a cluster that exist: their ids come from the claim or from the Composition, and nothing of them is composed.
 */
import type { Existing } from '#lib/api/fields/infrastructure.ts';
import { refusal } from '#lib/api/refusal.ts';
import { type ExistingParts, existingParts } from '#lib/cloud/existing-parts.ts';
import type { Scheme } from '#lib/cloud/chosen-once.ts';
import { ZONE_NAMES } from '../zones.ts';
import type { Situation } from './situation.ts';

export interface ExistingNetwork {
  readonly kind: 'existing';
  readonly id: string;
  /** Subnet ids by zone, sorted; machines use the private ones. */
  readonly privateSubnets: Readonly<Record<string, string>>;
  /** Subnet ids of load balancers by zone, sorted. */
  readonly publicSubnets: Readonly<Record<string, string>>;
}

const FIELD = 'spec.infrastructure.existing';

export function existingNetwork({ cluster, owner }: Situation, region: string, scheme: Scheme): ExistingNetwork {
  const { network, subnets } = cluster.spec.infrastructure.existing;
  if (network === undefined)
    throw refusal(owner, `${FIELD}.network.id`, '', 'the id of the network that contains the subnets');
  if (!network.id.startsWith('vpc-'))
    throw refusal(owner, `${FIELD}.network.id`, network.id, 'the id of a VPC such as vpc-0a1b2c3d');
  subnets.forEach((subnet, index) => checkSubnet(subnets, index, subnet, owner, region));
  const ids = (wanted: boolean) => byZone(subnets.filter((subnet) => subnet.public === wanted));
  const found = { kind: 'existing', id: network.id, privateSubnets: ids(false), publicSubnets: ids(true) } as const;
  const { endpoint } = cluster.spec.controlPlane;
  if (Object.keys(found.privateSubnets).length === 0)
    throw refusal(owner, `${FIELD}.subnets`, 'no private subnet', 'at least one with public: false, for the machines');
  if (endpoint === undefined && scheme === 'internet-facing' && Object.keys(found.publicSubnets).length === 0)
    throw refusal(
      owner,
      `${FIELD}.subnets`,
      'no public subnet',
      'at least one with public: true, for the load balancer; or spec.controlPlane.scheme internal',
    );
  return found;
}

type Subnet = Existing['subnets'][number];

function checkSubnet(all: readonly Subnet[], index: number, subnet: Subnet, owner: string, region: string): void {
  const field = `${FIELD}.subnets[${index}]`;
  if (!subnet.id.startsWith('subnet-'))
    throw refusal(owner, `${field}.id`, subnet.id, 'the id of a subnet such as subnet-0a1b2c3d');
  if (!ZONE_NAMES.isOf(subnet.zone, region))
    throw refusal(owner, `${field}.zone`, subnet.zone, `a zone of ${region}, such as ${ZONE_NAMES.example(region)}`);
  const first = all.findIndex((other) => other.zone === subnet.zone && other.public === subnet.public);
  if (first === index) return;
  const access = subnet.public ? 'public' : 'private';
  throw refusal(owner, `${field}.zone`, subnet.zone, `one ${access} subnet per zone; subnets[${first}] already is one`);
}

/** Composition resource names of the parts that Slipway makes where nobody provides them. */
const MADE: Readonly<Partial<Record<keyof ExistingParts, string>>> = {
  securityGroups: 'sg-node',
  identities: 'profile-node',
  loadBalancerTargets: 'lb-api',
};

/** Throws InvalidClaim for an id that is none of AWS, and for a part that the cluster did not begin with. */
export function existingPartsOf(situation: Situation, region: string): ExistingParts {
  const parts = existingParts(situation, (part) => situation.observed.has(MADE[part] ?? ''));
  const { securityGroups, loadBalancerTargets = [], encryptionKey: key } = parts;
  const groups = [...(securityGroups?.controlPlane ?? []), ...(securityGroups?.worker ?? [])];
  const group = groups.find((id) => !id.startsWith('sg-'));
  if (group !== undefined)
    throw refusal(situation.owner, `${FIELD}.securityGroups`, group, 'ids of security groups such as sg-0a1b2c3d');
  const target = loadBalancerTargets.find(
    ({ id }) => !/^arn:[a-z-]+:elasticloadbalancing:[^/]+:targetgroup\/.+$/.test(id),
  );
  if (target !== undefined)
    throw refusal(situation.owner, `${FIELD}.loadBalancerTargets`, target.id, 'ARNs of target groups');
  if (key !== undefined && !new RegExp(`^arn:[a-z-]+:kms:${region}:[0-9]{12}:key/.+$`).test(key.id))
    throw refusal(
      situation.owner,
      `${FIELD}.encryptionKey.id`,
      key.id,
      `the ARN of a KMS key of ${region}, such as arn:aws:kms:${region}:111122223333:key/…`,
    );
  return parts;
}

function byZone(subnets: readonly Subnet[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    subnets.map(({ zone, id }) => [zone, id] as const).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}
