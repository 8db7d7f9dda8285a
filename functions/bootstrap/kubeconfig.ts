/**
 * The Secret with the administrator's kubeconfig: created once the endpoint is known, and renewed before it expires.
 */
import { at, type KubeObject, stringAt } from '#lib/api/json.ts';
import type { Cluster } from '#lib/api/kinds/cluster.ts';
import { asDesired } from '#lib/fn/keep.ts';
import type { Request } from '#lib/fn/request.ts';
import type { Call } from './bootstrapper.ts';
import { type Authorities, type Endpoint, isGood, newKubeconfig } from './pki/kubeconfig.ts';
import { dataOf, secretOf } from './secrets.ts';

/** Composition resource name. */
export const KUBECONFIG = 'kubeconfig';

export function kubeconfigName(cluster: string): string {
  return `${cluster}-kubeconfig`;
}

export async function composeKubeconfig(call: Call<Cluster>, authorities: Authorities): Promise<void> {
  const { request, reply, world, composite: cluster } = call;
  const observed = request.observed.resources.get(KUBECONFIG)?.resource;
  const endpoint = endpointOf(request);
  if (endpoint === undefined) {
    if (observed === undefined) reply.notReady();
    else reply.compose(KUBECONFIG, asDesired(observed), true);
    return;
  }
  const existing = observed === undefined ? '' : (dataOf(observed)['value'] ?? '');
  const value = isGood(existing, world.now, endpoint, authorities)
    ? existing
    : await newKubeconfig(world, cluster.metadata.name, endpoint, authorities);
  reply.compose(KUBECONFIG, kubeconfigSecret(cluster, value), observed !== undefined);
}

/** Not immutable: its certificate is issued again before it expires. */
function kubeconfigSecret(cluster: Cluster, value: string): KubeObject {
  return secretOf(cluster, kubeconfigName(cluster.metadata.name), { value }, false);
}

/** From the previous step in this call, or from the observed status of an earlier call. */
function endpointOf({ desired, observed }: Request): Endpoint | undefined {
  for (const composite of [desired.composite, observed.composite]) {
    const host = stringAt(composite, 'status', 'controlPlaneEndpoint', 'host');
    const port = at(composite, 'status', 'controlPlaneEndpoint', 'port');
    if (host !== undefined && typeof port === 'number') return { host, port };
  }
  return undefined;
}
