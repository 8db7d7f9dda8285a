/** The data of an EKS node. None of it is secret: EKS authorizes the node by the role of its instance. */
import { formatCidr, parseCidr } from '#lib/api/cidr.ts';
import type { Cluster } from '#lib/api/kinds/cluster.ts';
import type { Machine } from '#lib/api/kinds/machine.ts';
import { refusal } from '#lib/api/refusal.ts';
import { inputName } from '#lib/fn/input.ts';
import type { Call, Waiting } from '../bootstrapper.ts';
import type { BootstrapInput } from '../input.ts';

export interface EksFacts<Config> {
  readonly cluster: Cluster;
  readonly machine: Machine;
  /** Name of the Machine in messages. */
  readonly owner: string;
  readonly config: Config;
  /** URL of the Kubernetes API. */
  readonly endpoint: string;
  /** PEM in base64. */
  readonly certificateAuthority: string;
}

/** Cluster domain that EKS nodes use by default. */
export const OWN_DOMAIN = 'cluster.local';

/** Throws InvalidClaim for a control plane, which EKS runs itself, and InvalidInput for an unsupported choice. */
export function factsOf<Config>(
  { composite: machine, owner, input }: Call<Machine>,
  cluster: Cluster,
  config: Config,
): EksFacts<Config> | Waiting {
  refuseInput(input);
  const { role } = machine.spec;
  if (role !== 'worker') throw refusal(owner, 'spec.role', role, 'worker, since EKS runs the control plane itself');
  const { name } = cluster.metadata;
  const { controlPlaneEndpoint: endpoint, certificateAuthority } = cluster.status ?? {};
  if (endpoint === undefined) return { waiting: `waiting for the control-plane endpoint of Cluster "${name}"` };
  if (certificateAuthority === undefined)
    return { waiting: `waiting for status.certificateAuthority of Cluster "${name}", which its nodes trust` };
  return { cluster, machine, owner, config, endpoint: urlOf(endpoint), certificateAuthority };
}

/** Both tools configure kubelets for a cloud controller manager by themselves: EKS runs one. */
export function refuseInput({ cloudProvider }: BootstrapInput): void {
  if (cloudProvider === 'external') return;
  throw refusal(inputName('BootstrapInput'), 'cloudProvider', cloudProvider, 'external with EKS', 'InvalidInput');
}

function urlOf({ host, port }: { readonly host: string; readonly port: number }): string {
  return `https://${host.includes(':') ? `[${host}]` : host}${port === 443 ? '' : `:${port}`}`;
}

/** The address of the cluster DNS Service in EKS: the tenth of the block. */
export function clusterDNS({ spec }: Cluster): string | undefined {
  const block = parseCidr(spec.network.services);
  return block === undefined ? undefined : formatCidr({ ...block, base: block.base + 10n }).split('/')[0];
}
