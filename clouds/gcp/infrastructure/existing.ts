/**
 * Parts of a cluster that exist: their ids come from the claim or from the Composition, and nothing of them is composed.
 */
import type { Existing } from '#lib/api/fields/infrastructure.ts';
import { refusal } from '#lib/api/refusal.ts';
import { type ExistingParts, existingParts } from '#lib/cloud/existing-parts.ts';
import { ZONE_NAMES } from '../zones.ts';
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
  if (!ZONE_NAMES.isOf(subnet.zone, region))
    throw refusal(owner, `${field}.zone`, subnet.zone, `a zone of ${region}, such as ${ZONE_NAMES.example(region)}`);
  if (all.findIndex(({ zone }) => zone === subnet.zone) !== index)
    throw refusal(owner, `${field}.zone`, subnet.zone, 'each zone once');
}

/** Composition resource names of the parts that Slipway makes where nobody provides them. */
const MADE: Readonly<Partial<Record<keyof ExistingParts, string>>> = {
  securityGroups: 'firewall-api',
  identities: 'account-node',
  loadBalancerTargets: 'api-rule',
};

const TAG = /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/;
const ACCOUNT = /^[a-z0-9-]+@([a-z0-9-]+)\.iam\.gserviceaccount\.com$/;

/** Throws InvalidClaim for a name that is none of GCP, and for a part that the cluster did not begin with. */
export function existingPartsOf(situation: Situation, region: string): ExistingParts {
  const parts = existingParts(situation, (part) => situation.observed.has(MADE[part] ?? ''));
  const { securityGroups, identities, loadBalancerTargets = [], encryptionKey: key } = parts;
  const { owner } = situation;
  const tag = [...(securityGroups?.controlPlane ?? []), ...(securityGroups?.worker ?? [])].find(
    (one) => !TAG.test(one),
  );
  if (tag !== undefined)
    throw refusal(owner, `${FIELD}.securityGroups`, tag, 'network tags: lower-case letters, digits and -');
  const account = Object.values(identities ?? {}).find((one) => !ACCOUNT.test(one));
  if (account !== undefined)
    throw refusal(
      owner,
      `${FIELD}.identities`,
      account,
      'addresses of service accounts such as nodes@my-project.iam.gserviceaccount.com',
    );
  const target = loadBalancerTargets.find(({ id }) => !new RegExp(`^${region}-[a-z]/[a-z0-9-]+$`).test(id));
  if (target !== undefined)
    throw refusal(
      owner,
      `${FIELD}.loadBalancerTargets`,
      target.id,
      `network endpoint groups of kind GCE_VM_IP as zone/name, such as ${region}-b/api`,
    );
  // A secret of one region only takes a key of that region.
  if (
    key !== undefined &&
    !new RegExp(`^projects/[^/]+/locations/${region}/keyRings/[^/]+/cryptoKeys/[^/]+$`).test(key.id)
  )
    throw refusal(
      owner,
      `${FIELD}.encryptionKey.id`,
      key.id,
      `the id of a key of ${region}, such as projects/my-project/locations/${region}/keyRings/slipway/cryptoKeys/disks`,
    );
  return parts;
}

/** The project of a service account, from its address. */
export function projectOfAccount(address: string): string | undefined {
  return ACCOUNT.exec(address)?.[1];
}
