/** The data for the plan of any bootstrapper, besides `spec.bootstrap.config` of the claim. */
import type { Cluster } from '#lib/api/kinds/cluster.ts';
import type { Machine } from '#lib/api/kinds/machine.ts';
import type { Call, Waiting } from './bootstrapper.ts';
import { requireSecrets, type Secrets } from './machine-secrets.ts';
import type { Part } from './parts.ts';

export interface MachineFacts {
  readonly cluster: Cluster;
  readonly machine: Machine;
  /** Name of the Machine in messages. */
  readonly owner: string;
  /** Endpoint of the Kubernetes API. */
  readonly endpoint: { readonly host: string; readonly port: number };
  readonly cloudProvider: 'external' | 'none';
  /** With ${…} for values that only the machine knows; undefined if the infrastructure has no format. */
  readonly providerID: string | undefined;
}

export interface Needs {
  /**
   * Secrets of the cluster that the machine reads: on a control plane all authorities, on a worker only what it needs.
   */
  readonly parts: readonly Part[];
  /** The part whose hash the Cluster records; it is among the parts. */
  readonly authority: Part;
  /** Setting of the claim for cloud controllers. Default: the input of the Composition. */
  readonly cloudProvider: 'external' | 'none' | undefined;
}

/** Secrets are required on every call, even if something else is missing. */
export function machineFactsOf(
  call: Call<Machine>,
  cluster: Cluster,
  { parts, authority, cloudProvider }: Needs,
): (MachineFacts & { readonly secrets: Secrets }) | Waiting {
  const { composite: machine, owner, input } = call;
  const secrets = requireSecrets(call, cluster, parts, authority);
  if ('waiting' in secrets) return secrets;
  const endpoint = cluster.status?.controlPlaneEndpoint;
  if (endpoint === undefined)
    return { waiting: `waiting for the control-plane endpoint of Cluster "${cluster.metadata.name}"` };
  return {
    cluster,
    machine,
    owner,
    endpoint,
    secrets,
    cloudProvider: cloudProvider ?? input.cloudProvider,
    providerID: cluster.status?.infrastructure?.providerIDFormat,
  };
}
