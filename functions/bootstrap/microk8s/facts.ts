/** Everything a machine's MicroK8s files are made of, and what of a claim MicroK8s cannot do. */
import { formatCidr, parseCidr } from '#lib/api/cidr.ts';
import { SlipwayError } from '#lib/api/errors.ts';
import type { Cluster } from '#lib/api/kinds/cluster.ts';
import { refuseMinor } from '../minors.ts';
import type { Surroundings } from '../surroundings.ts';
import type { MicroK8sConfig } from './config.ts';
import { traits } from './traits.ts';

export interface Facts extends Surroundings {
  readonly config: MicroK8sConfig;
  readonly token: string;
}

/** Of the Kubernetes API on the machines: where the cluster step's load balancers lead. */
export const API_PORT = 6443;
/** Where MicroK8s has the Kubernetes API unless it is told otherwise, and where its own reconciling asks for it. */
export const OWN_API_PORT = 16_443;
/** Of dqlite between control planes: etcd's, which the cluster step opens between them. */
export const STORE_PORT = 2379;

/** What the snap has of this machine. */
export const DATA = '/var/snap/microk8s/current';

/** Files of ours where the snap reads them, also when it is confined. */
export const FOLDER = '/var/snap/microk8s/common/slipway';

export function refuseUnsaid(version: string, { spec: { network } }: Cluster, owner: string): void {
  const fail = (field: string, value: string, accepted: string) =>
    new SlipwayError(
      'Unsupported',
      `cannot bootstrap ${owner} with microk8s: ${field}: "${value}" is not accepted; accepted: ${accepted}`,
    );
  refuseMinor(version, traits.minors, 'microk8s', owner);
  for (const block of ['pods', 'services'] as const)
    if (parseCidr(network[block])?.family !== 4) throw fail(`spec.network.${block}`, network[block], 'a block of IPv4');
  if (network.dnsDomain !== 'cluster.local') throw fail('spec.network.dnsDomain', network.dnsDomain, 'cluster.local');
}

/** What pods call the Kubernetes API by: the first address of the block of Services. */
export function apiServiceAddress({ spec }: Cluster): string {
  const block = parseCidr(spec.network.services);
  return block === undefined ? '' : formatCidr({ ...block, base: block.base + 1n, prefix: 32 }).replace('/32', '');
}

export function startsCluster({ machine }: Facts): boolean {
  return machine.spec.bootstrap.action === 'Init';
}

export function isControlPlane({ machine }: Facts): boolean {
  return machine.spec.role === 'control-plane';
}
