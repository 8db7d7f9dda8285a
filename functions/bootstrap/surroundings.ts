/** What any bootstrapper's plan of a machine is made of, beside the claim's `spec.bootstrap.config`. */
import type { Cluster } from '#lib/api/kinds/cluster.ts';
import type { Machine } from '#lib/api/kinds/machine.ts';
import type { Call, Waiting } from './bootstrapper.ts';
import { requireSecrets, type Secrets } from './machine-secrets.ts';
import type { Part } from './parts.ts';

export interface Surroundings {
  readonly cluster: Cluster;
  readonly machine: Machine;
  /** How messages call the Machine. */
  readonly owner: string;
  /** Of the Kubernetes API. */
  readonly endpoint: { readonly host: string; readonly port: number };
  readonly cloudProvider: 'external' | 'none';
  /** With ${…} for what only the machine itself knows; undefined when nobody wrote down how an id looks. */
  readonly providerID: string | undefined;
}

export interface Needs {
  /** What the machine reads of its cluster's Secrets: a control plane what it is made of, a worker no more than it must. */
  readonly parts: readonly Part[];
  /** The one whose hash the Cluster records; it is among the parts. */
  readonly authority: Part;
  /** What the claim says about cloud controllers. Left out, the Composition's input decides. */
  readonly cloudProvider: 'external' | 'none' | undefined;
}

/** Secrets are asked for at every call, also when something else is awaited. */
export function surroundingsOf(
  call: Call<Machine>,
  cluster: Cluster,
  { parts, authority, cloudProvider }: Needs,
): (Surroundings & { readonly secrets: Secrets }) | Waiting {
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
