/**
 * The Secret with the administrator's talosconfig: created with the authorities of the cluster, and renewed before it
 * expires.
 */
import type { KubeObject } from '#lib/api/json.ts';
import type { Cluster } from '#lib/api/kinds/cluster.ts';
import { asDesired } from '#lib/fn/keep.ts';
import type { Call } from '../bootstrapper.ts';
import { asPair, isKeyElsewhere } from '../parts.ts';
import type { Secrets } from '../machine-secrets.ts';
import { isGoodTalosconfig, newTalosconfig } from '../pki/talosconfig.ts';
import { dataOf, secretOf } from '../secrets.ts';
import { TALOS_CA } from './bundle.ts';

/** Composition resource name, and key of the Secret. */
export const TALOSCONFIG = 'talosconfig';

export function talosconfigName(cluster: string): string {
  return `${cluster}-talosconfig`;
}

/**
 * @param secrets the secrets of the cluster; undefined if they cannot be read or have no key: the existing talosconfig
 *   is then kept
 */
export async function composeTalosconfig(call: Call<Cluster>, secrets: Secrets | undefined): Promise<void> {
  const { request, reply, world, composite: cluster } = call;
  const observed = request.observed.resources.get(TALOSCONFIG)?.resource;
  if (secrets === undefined || isKeyElsewhere(TALOS_CA, secrets.of(TALOS_CA))) {
    if (observed !== undefined) reply.compose(TALOSCONFIG, asDesired(observed), true);
    return;
  }
  const { name } = cluster.metadata;
  const authority = asPair(secrets.of(TALOS_CA));
  const existing = observed === undefined ? '' : (dataOf(observed)[TALOSCONFIG] ?? '');
  const value = isGoodTalosconfig(existing, world.now, name, authority)
    ? existing
    : await newTalosconfig(world, name, authority);
  reply.compose(TALOSCONFIG, talosconfigSecret(cluster, value), observed !== undefined);
}

/** Not immutable: its certificate is issued again before it expires. */
function talosconfigSecret(cluster: Cluster, value: string): KubeObject {
  return secretOf(cluster, talosconfigName(cluster.metadata.name), { [TALOSCONFIG]: value }, false);
}
