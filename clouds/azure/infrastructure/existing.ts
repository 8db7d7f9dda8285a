/** An existing network: its ids come from the claim, and nothing of it is composed. */
import type { Existing } from '#lib/api/fields/infrastructure.ts';
import { refusal } from '#lib/api/refusal.ts';
import { NETWORK_ID } from '../ids.ts';
import type { Situation } from './situation.ts';
import { isZoneOf } from '../zones.ts';

export interface ExistingNetwork {
  readonly kind: 'existing';
  readonly id: string;
  /** Ids by zone; one may serve several, because subnets of Azure are in no zone. */
  readonly subnets: ReadonlyMap<string, string>;
  /** Sorted. */
  readonly zones: readonly string[];
}

const FIELD = 'spec.infrastructure.existing';
const EXAMPLE = '/subscriptions/<id>/resourceGroups/shared/providers/Microsoft.Network/virtualNetworks/shared';

export function existingNetwork({ cluster, owner }: Situation, region: string): ExistingNetwork {
  const { network, subnets } = cluster.spec.infrastructure.existing;
  if (network === undefined)
    throw refusal(owner, `${FIELD}.network.id`, '', 'the id of the network that contains the subnets');
  if (!NETWORK_ID.test(network.id)) throw refusal(owner, `${FIELD}.network.id`, network.id, `an id such as ${EXAMPLE}`);
  if (subnets.length === 0)
    throw refusal(owner, `${FIELD}.subnets`, 'none', 'the subnet of the machines, once for each zone');
  subnets.forEach((subnet, index) => checkSubnet(subnets, index, subnet, network.id, owner, region));
  return {
    kind: 'existing',
    id: network.id,
    subnets: new Map(subnets.map(({ zone, id }) => [zone, id])),
    zones: subnets.map(({ zone }) => zone).toSorted(),
  };
}

type Subnet = Existing['subnets'][number];

function checkSubnet(
  all: readonly Subnet[],
  index: number,
  subnet: Subnet,
  network: string,
  owner: string,
  region: string,
): void {
  const field = `${FIELD}.subnets[${index}]`;
  // Azure does not tell capital letters in ids apart.
  const folder = `${network}/subnets/`.toLowerCase();
  const name = subnet.id.toLowerCase().startsWith(folder) ? subnet.id.slice(folder.length) : '';
  if (name === '' || name.includes('/'))
    throw refusal(
      owner,
      `${field}.id`,
      subnet.id,
      `the id of a subnet of the network, such as ${network}/subnets/nodes`,
    );
  if (!isZoneOf(region, subnet.zone))
    throw refusal(owner, `${field}.zone`, subnet.zone, `a zone of ${region}, such as ${region}-1`);
  if (all.findIndex(({ zone }) => zone === subnet.zone) !== index)
    throw refusal(owner, `${field}.zone`, subnet.zone, 'each zone once');
}
