/**
 * Parts of a cluster that exist: their ids come from the claim or from the Composition, and nothing of them is composed.
 */
import type { Existing } from '#lib/api/fields/infrastructure.ts';
import { refusal } from '#lib/api/refusal.ts';
import { type ExistingParts, existingParts } from '#lib/cloud/existing-parts.ts';
import { GROUP_ID, IDENTITY_ID, KEY_ID, MACHINE_GROUP_ID, NETWORK_ID, POOL_ID, SECURITY_GROUP_ID } from '../ids.ts';
import type { Situation } from './situation.ts';
import { ZONE_NAMES } from '../zones.ts';

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
  if (!ZONE_NAMES.isOf(subnet.zone, region))
    throw refusal(owner, `${field}.zone`, subnet.zone, `a zone of ${region}, such as ${ZONE_NAMES.example(region)}`);
  if (all.findIndex(({ zone }) => zone === subnet.zone) !== index)
    throw refusal(owner, `${field}.zone`, subnet.zone, 'each zone once');
}

/** Composition resource names of the parts that Slipway makes where nobody provides them. */
const MADE: Readonly<Partial<Record<keyof ExistingParts, string>>> = {
  securityGroups: 'security-group',
  identities: 'identity-node',
  loadBalancerTargets: 'api-lb',
  resourceGroup: 'group',
};

const GROUP = '/subscriptions/<id>/resourceGroups/shared';
const idIn = (type: string, name: string): string => `${GROUP}/providers/${type}/${name}`;

interface Named {
  readonly field: string;
  readonly ids: readonly string[];
  readonly pattern: RegExp;
  readonly accepted: string;
}

/** Throws InvalidClaim for an id that is none of Azure, and for a part that the cluster did not begin with. */
export function existingPartsOf(situation: Situation): ExistingParts {
  const { owner } = situation;
  const parts = existingParts(situation, (part) => situation.observed.has(MADE[part] ?? ''));
  for (const { field, ids, pattern, accepted } of namedIn(parts)) {
    const wrong = ids.find((id) => !pattern.test(id));
    if (wrong !== undefined) throw refusal(owner, `${FIELD}.${field}`, wrong, accepted);
  }
  for (const [machines, ids] of Object.entries(parts.securityGroups ?? {})) {
    const [, second] = ids.filter((id) => SECURITY_GROUP_ID.test(id));
    if (second !== undefined)
      throw refusal(
        owner,
        `${FIELD}.securityGroups.${machines}`,
        second,
        'one network security group, as Azure has it',
      );
  }
  return parts;
}

function namedIn(parts: ExistingParts): readonly Named[] {
  const { securityGroups, identities, loadBalancerTargets = [], resourceGroup, encryptionKey } = parts;
  return [
    {
      field: 'securityGroups',
      ids: Object.values(securityGroups ?? {}).flat(),
      pattern: new RegExp(`${SECURITY_GROUP_ID.source}|${MACHINE_GROUP_ID.source}`),
      accepted: `ids such as ${idIn('Microsoft.Network/networkSecurityGroups', 'nodes')}, and of application security groups`,
    },
    {
      field: 'identities',
      ids: Object.values(identities ?? {}),
      pattern: IDENTITY_ID,
      accepted: `ids such as ${idIn('Microsoft.ManagedIdentity/userAssignedIdentities', 'nodes')}`,
    },
    {
      field: 'loadBalancerTargets',
      ids: loadBalancerTargets.map(({ id }) => id),
      pattern: POOL_ID,
      accepted: `ids such as ${idIn('Microsoft.Network/loadBalancers', 'api/backendAddressPools/api')}`,
    },
    {
      field: 'resourceGroup.id',
      ids: resourceGroup === undefined ? [] : [resourceGroup.id],
      pattern: GROUP_ID,
      accepted: `an id such as ${GROUP}`,
    },
    {
      field: 'encryptionKey.id',
      ids: encryptionKey === undefined ? [] : [encryptionKey.id],
      pattern: KEY_ID,
      accepted: `an id such as ${idIn('Microsoft.Compute/diskEncryptionSets', 'disks')}`,
    },
  ];
}
