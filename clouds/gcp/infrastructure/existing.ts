/** An existing network: its ids come from the claim, and nothing of it is composed. */
import type { Existing } from '#lib/api/fields/infrastructure.ts';
import { refusal } from '#lib/api/refusal.ts';
import type { Situation } from './situation.ts';

export interface ExistingNetwork {
  readonly kind: 'existing';
  readonly id: string;
  /** Subnets belong to a region, so one subnet serves all zones. */
  readonly subnet: string;
  /** Sorted. */
  readonly zones: readonly string[];
}

const FIELD = 'spec.infrastructure.existing';
const NETWORK = /^projects\/[^/]+\/global\/networks\/[^/]+$/;

export function existingNetwork({ cluster, owner }: Situation, region: string): ExistingNetwork {
  const { network, subnets } = cluster.spec.infrastructure.existing;
  if (network === undefined)
    throw refusal(owner, `${FIELD}.network.id`, '', 'the id of the network that contains the subnet');
  if (!NETWORK.test(network.id))
    throw refusal(owner, `${FIELD}.network.id`, network.id, 'an id such as projects/my-project/global/networks/shared');
  const [first] = subnets;
  if (first === undefined)
    throw refusal(owner, `${FIELD}.subnets`, 'none', 'the subnet of the machines, once for each zone');
  subnets.forEach((subnet, index) => checkSubnet(subnets, index, subnet, owner, region));
  return { kind: 'existing', id: network.id, subnet: first.id, zones: subnets.map(({ zone }) => zone).toSorted() };
}

type Subnet = Existing['subnets'][number];

function checkSubnet(all: readonly Subnet[], index: number, subnet: Subnet, owner: string, region: string): void {
  const field = `${FIELD}.subnets[${index}]`;
  if (!new RegExp(`^projects/[^/]+/regions/${region}/subnetworks/[^/]+$`).test(subnet.id))
    throw refusal(
      owner,
      `${field}.id`,
      subnet.id,
      `the id of a subnet of ${region}, such as projects/my-project/regions/${region}/subnetworks/nodes`,
    );
  const first = all[0]?.id ?? subnet.id;
  if (subnet.id !== first)
    throw refusal(owner, `${field}.id`, subnet.id, `${first}, since one subnet of a region serves all its zones`);
  if (!subnet.zone.startsWith(`${region}-`))
    throw refusal(owner, `${field}.zone`, subnet.zone, `a zone of ${region}, such as ${region}-b`);
  if (all.findIndex(({ zone }) => zone === subnet.zone) !== index)
    throw refusal(owner, `${field}.zone`, subnet.zone, 'each zone once');
}
