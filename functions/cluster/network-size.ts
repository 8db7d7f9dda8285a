/** Blocks of addresses that could not hold the cluster: its nodes would never be Ready, or its API would not start. */
import { counted } from '#lib/api/counted.ts';
import { type Cidr, parseCidr } from '#lib/api/cidr.ts';
import { withValue } from '#lib/api/issues.ts';
import type { Cluster } from '#lib/api/kinds/cluster.ts';
import { isUsable, USABLE_RULE } from '#lib/api/network-block.ts';
import { refusal, refusalFor } from '#lib/api/refusal.ts';

/** The prefix of the block that the controller manager gives to each node, unless a flag of the claim says another. */
const NODE = { 4: 24, 6: 64 } as const;
/** The API server accepts no more than 20 bits of Service addresses. */
const LARGEST_SERVICES = { 4: 12, 6: 108 } as const;
/** DNS has the tenth address. */
const SMALLEST_SERVICES = { 4: 28, 6: 124 } as const;

/** Throws InvalidClaim. Only for a new Cluster: the blocks of one that exists cannot change. */
export function refuseReservedBlocks(
  { spec: { network } }: { readonly spec: Omit<Cluster['spec'], 'infrastructure'> },
  owner: string,
): void {
  for (const field of ['pods', 'services', 'nodes'] as const)
    if (!isUsable(network[field]))
      throw refusalFor(owner, `spec.network.${field}`, withValue(network[field], USABLE_RULE));
}

/** Throws InvalidClaim. Only for a new Cluster, too. */
export function refuseSmallBlocks(
  { spec }: { readonly spec: Omit<Cluster['spec'], 'infrastructure'> },
  owner: string,
): void {
  const [pods, services] = [parseCidr(spec.network.pods), parseCidr(spec.network.services)];
  if (services !== undefined && !isService(services))
    throw refusal(
      owner,
      'spec.network.services',
      spec.network.services,
      `a block from /${LARGEST_SERVICES[services.family]} to /${SMALLEST_SERVICES[services.family]}: the API server accepts no larger one, and DNS needs the tenth address`,
    );
  if (pods === undefined) return;
  const own = maskOf(spec.bootstrap.config, pods.family);
  const machines = spec.controlPlane.replicas + 1;
  const largest = own - Math.ceil(Math.log2(machines));
  if (pods.prefix <= largest) return;
  throw refusal(
    owner,
    'spec.network.pods',
    spec.network.pods,
    `a block of /${largest} or larger: each node gets a /${own} of it, and the cluster has at least ${counted(machines, 'node')}`,
  );
}

/** Of the flag, in whatever form the configuration of the bootstrapper has flags; one of the family comes first. */
function maskOf(config: unknown, family: 4 | 6): number {
  const text = JSON.stringify(config);
  const flags = [`node-cidr-mask-size-ipv${family}`, 'node-cidr-mask-size'];
  const said = flags.map((flag) => new RegExp(`${flag}[":= ]+([0-9]{1,3})`).exec(text)?.[1]);
  return Number(said.find((one) => one !== undefined) ?? NODE[family]);
}

function isService({ family, prefix }: Cidr): boolean {
  return prefix >= LARGEST_SERVICES[family] && prefix <= SMALLEST_SERVICES[family];
}

/**
 * Throws InvalidClaim for blocks of a family that the API server refuses beside the addresses of its machines: it would
 * not start. Only for a new Cluster.
 * @param anyAddresses  whether machines may have addresses of IPv6 alone; otherwise they have IPv4
 */
export function refuseFamilies(
  { spec }: { readonly spec: Omit<Cluster['spec'], 'infrastructure'> },
  owner: string,
  anyAddresses: boolean,
): void {
  const { pods, services } = spec.network;
  const families = [pods, services].map((block) => parseCidr(block)?.family ?? 4);
  if (!anyAddresses)
    for (const [index, field] of (['pods', 'services'] as const).entries())
      if (families[index] === 6)
        throw refusal(
          owner,
          `spec.network.${field}`,
          spec.network[field],
          'a block of IPv4, since machines have addresses of IPv4; dual stack is not supported',
        );
  if (families[0] === families[1]) return;
  const accepted = `a block of IPv${families[0] ?? 4}, as spec.network.pods is; dual stack is not supported`;
  throw refusal(owner, 'spec.network.services', services, accepted);
}
