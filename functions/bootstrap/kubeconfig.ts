/**
 * The Secrets with kubeconfigs, of the administrator and of provider-node where that is to be none: created once the
 * endpoint is known, and renewed before they expire.
 */
import { at, stringAt } from '#lib/api/json.ts';
import type { Cluster } from '#lib/api/kinds/cluster.ts';
import { asDesired } from '#lib/fn/keep.ts';
import type { Request } from '#lib/fn/request.ts';
import type { Call } from './bootstrapper.ts';
import {
  ADMINISTRATOR,
  type Authorities,
  type Endpoint,
  type Holder,
  isGood,
  newKubeconfig,
  PROVIDER_NODE,
} from './pki/kubeconfig.ts';
import { dataOf, secretOf } from './secrets.ts';

/** Composition resource name. */
export const KUBECONFIG = 'kubeconfig';

export function kubeconfigName(cluster: string): string {
  return `${cluster}-kubeconfig`;
}

const PROVIDER_NODE_KUBECONFIG = 'provider-node-kubeconfig';

/**
 * Secret that provider-node reaches the cluster with.
 * @param inUse  the one that it is told to use now. A cluster that exists keeps it until the Secret that takes its place
 *   is there: it may never come, where the key of an authority is kept elsewhere.
 */
export function providerNodeKubeconfigName(call: Call<Cluster>, inUse: string | undefined): string {
  const { input, request, composite } = call;
  const { name } = composite.metadata;
  if (input.providerNodeRights !== 'Role') return kubeconfigName(name);
  const own = `${name}-provider-node`;
  return request.observed.resources.has(PROVIDER_NODE_KUBECONFIG) ? own : (inUse ?? own);
}

interface Kept {
  /** Composition resource name. */
  readonly key: string;
  /** Of the Secret. */
  readonly name: string;
  readonly holder: Holder;
}

/** One that exists stays: a Cluster whose platform changes its mind may be in the middle of a drain. */
function kept(call: Call<Cluster>): readonly Kept[] {
  const { request, input, composite } = call;
  const { name } = composite.metadata;
  const own = { key: PROVIDER_NODE_KUBECONFIG, name: `${name}-provider-node`, holder: PROVIDER_NODE };
  const hasOwn = input.providerNodeRights === 'Role' || request.observed.resources.has(own.key);
  return [{ key: KUBECONFIG, name: kubeconfigName(name), holder: ADMINISTRATOR }, ...(hasOwn ? [own] : [])];
}

export async function composeKubeconfigs(call: Call<Cluster>, authorities: Authorities): Promise<void> {
  for (const each of kept(call)) await composeKubeconfig(call, authorities, each);
}

/** What exists stays as it is. */
export function keepKubeconfigs(call: Call<Cluster>): void {
  for (const { key } of kept(call)) {
    const observed = call.request.observed.resources.get(key);
    if (observed === undefined) call.reply.notReady();
    else call.reply.compose(key, asDesired(observed.resource), true);
  }
}

async function composeKubeconfig(call: Call<Cluster>, authorities: Authorities, { key, name, holder }: Kept) {
  const { request, reply, world, composite: cluster } = call;
  const observed = request.observed.resources.get(key)?.resource;
  const endpoint = endpointOf(request);
  if (endpoint === undefined) {
    if (observed === undefined) reply.notReady();
    else reply.compose(key, asDesired(observed), true);
    return;
  }
  const existing = observed === undefined ? '' : (dataOf(observed)['value'] ?? '');
  const value = isGood(existing, world.now, endpoint, authorities)
    ? existing
    : await newKubeconfig(world, cluster.metadata.name, endpoint, authorities, holder);
  // Not immutable: its certificate is issued again before it expires.
  reply.compose(key, secretOf(cluster, name, { value }, false), observed !== undefined);
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
