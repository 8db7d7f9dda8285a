/** Blocks of addresses that could not hold the cluster: its nodes would never be Ready, or its API would not start. */
import { counted } from '#lib/api/counted.ts';
import { type Cidr, parseCidr } from '#lib/api/cidr.ts';
import type { Cluster } from '#lib/api/kinds/cluster.ts';
import { refusal } from '#lib/api/refusal.ts';

/** The prefix of the block that the controller manager gives to each node, unless a flag of the claim says another. */
const NODE = { 4: 24, 6: 64 } as const;
/** The API server accepts no more than 20 bits of Service addresses. */
const LARGEST_SERVICES = { 4: 12, 6: 108 } as const;
/** DNS has the tenth address. */
const SMALLEST_SERVICES = { 4: 28, 6: 124 } as const;

/** Throws InvalidClaim. Only for a new Cluster: the blocks of one that exists cannot change. */
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
