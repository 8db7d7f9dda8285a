/** An existing network: its ids come from the claim, and nothing of it is composed. */
import type { Existing } from '#lib/api/fields/infrastructure.ts';
import { refusal } from '#lib/api/refusal.ts';
import type { Scheme } from './api-access.ts';
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
  if (!subnet.zone.startsWith(region))
    throw refusal(owner, `${field}.zone`, subnet.zone, `a zone of ${region}, such as ${region}a`);
  const first = all.findIndex((other) => other.zone === subnet.zone && other.public === subnet.public);
  if (first === index) return;
  const access = subnet.public ? 'public' : 'private';
  throw refusal(owner, `${field}.zone`, subnet.zone, `one ${access} subnet per zone; subnets[${first}] already is one`);
}

function byZone(subnets: readonly Subnet[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    subnets.map(({ zone, id }) => [zone, id] as const).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}
