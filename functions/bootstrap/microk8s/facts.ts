/** The data for the MicroK8s files of a machine, and the fields of a claim that MicroK8s does not support. */
import { formatCidr, parseCidr } from '#lib/api/cidr.ts';
import { SlipwayError } from '#lib/api/errors.ts';
import type { Cluster } from '#lib/api/kinds/cluster.ts';
import { refuseMinor } from '#lib/cloud/minors.ts';
import type { MachineFacts } from '../machine-facts.ts';
import type { MicroK8sConfig } from './config.ts';
import { traits } from './traits.ts';

export interface MicroK8sFacts extends MachineFacts {
  readonly config: MicroK8sConfig;
  readonly token: string;
  /** For provider-node; undefined on workers, which nobody asks. */
  readonly authToken: string | undefined;
}

/** Port of the Kubernetes API on the machines, which the load balancers of the cluster step use. */
export const API_PORT = 6443;
/** Default port of the Kubernetes API in MicroK8s, which its own health check always uses. */
export const OWN_API_PORT = 16_443;

/** Data folder of the snap on this machine. */
export const DATA = '/var/snap/microk8s/current';

/** Our files, in a folder that a confined snap can read. */
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

/** Address of the Kubernetes API for pods: the first one of the Service block. */
export function apiServiceAddress({ spec }: Cluster): string {
  const block = parseCidr(spec.network.services);
  return block === undefined ? '' : formatCidr({ ...block, base: block.base + 1n, prefix: 32 }).replace('/32', '');
}

export function startsCluster({ machine }: MicroK8sFacts): boolean {
  return machine.spec.bootstrap.action === 'Init';
}

export function isControlPlane({ machine }: MicroK8sFacts): boolean {
  return machine.spec.role === 'control-plane';
}
