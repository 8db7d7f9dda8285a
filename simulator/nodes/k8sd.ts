/** k8sd of a simulated cluster of Canonical Kubernetes, as far as tokens go: who asks for one, and what is in it. */
import { sha256 } from '#lib/api/names.ts';
import { stringAt } from '#lib/api/json.ts';
import type { WorkloadCluster } from './workload-cluster.ts';

export interface TokenRequest {
  /** Name of the machine. */
  readonly name: string;
  readonly worker: boolean;
  /** What shall let the caller in. */
  readonly auth: string;
  /** Virtual seconds: now, and when a new token expires. */
  readonly now: number;
  readonly expires: number;
}

const PORT = 6400;

/** The token of that machine as long as it is valid, otherwise a new one. */
export function tokenOf(
  cluster: WorkloadCluster,
  { name, worker, auth, now, expires }: TokenRequest,
): { readonly token: string } | { readonly refusal: string } {
  const by = cluster.nodes.filter(({ controlPlane, ready }) => controlPlane && ready);
  const refused = (why: string) => ({
    refusal: `cannot get a join token at k8sd of Node "${by[0]?.name ?? ''}": ${why}`,
  });
  if (cluster.auth === undefined || cluster.auth !== auth) return refused('invalid token');
  if (cluster.node(name) !== undefined)
    return refused(`a node with this name is already part of the cluster: "${name}"`);
  const kept = cluster.tokens(now).find((token) => stringAt(decoded(token), 'name') === name);
  if (kept !== undefined) return { token: kept };
  const parts = {
    name,
    secret: sha256(`${cluster.endpoint} ${name} ${worker} ${expires}`),
    fingerprint: cluster.caHash,
    join_addresses: by.map(({ address }) => `${address}:${PORT}`),
  };
  const token = Buffer.from(JSON.stringify(parts)).toString('base64');
  cluster.admit(token, expires);
  return { token };
}

function decoded(token: string): unknown {
  try {
    return JSON.parse(Buffer.from(token, 'base64').toString());
  } catch {
    return undefined;
  }
}
