/**
 * ProviderConfigs that are in use stay until their last user is gone: a finalizer holds them, and each user has a
 * ProviderConfigUsage, which goes with it. So the kubeconfig can still be found while nodes are drained, and a
 * ProviderConfig that is being deleted says that its whole cluster goes.
 */
import { type KubeObject, at, stringAt } from '#lib/api/json.ts';
import type { KubeClient } from '#lib/kube/client.ts';
import { KubeRefusal } from '#lib/kube/refusal.ts';
import { MANAGER, PROVIDER_CONFIGS, USAGES, WORKLOAD_NODES } from './kinds.ts';

/** As in every provider of Crossplane. */
export const IN_USE = 'in-use.crossplane.io';
const LABEL = { name: 'crossplane.io/provider-config', kind: 'crossplane.io/provider-config-kind' } as const;

/** The record that a WorkloadNode uses its ProviderConfig; named after the uid of the WorkloadNode. */
export function usageOf(object: KubeObject): KubeObject {
  const { name = '', namespace = '', uid = '' } = object.metadata ?? {};
  const config = stringAt(object, 'spec', 'providerConfigRef', 'name') ?? '';
  const kind = stringAt(object, 'spec', 'providerConfigRef', 'kind') ?? PROVIDER_CONFIGS.kind;
  const { apiVersion } = WORKLOAD_NODES;
  return {
    apiVersion: USAGES.apiVersion,
    kind: USAGES.kind,
    metadata: {
      name: uid,
      namespace,
      labels: { [LABEL.name]: config, [LABEL.kind]: kind },
      ownerReferences: [
        { apiVersion, kind: WORKLOAD_NODES.kind, name, uid, controller: true, blockOwnerDeletion: true },
      ],
    },
    providerConfigRef: { kind, name: config },
    resourceRef: { apiVersion, kind: WORKLOAD_NODES.kind, name, uid },
  };
}

/** Writes it. One that is there already is fine. */
export async function recordUse(client: KubeClient, object: KubeObject): Promise<void> {
  try {
    await client.create(USAGES, usageOf(object), { manager: MANAGER });
  } catch (thrown) {
    if (!KubeRefusal.has(thrown, 409)) throw thrown;
  }
}

/** @param users  how many WorkloadNodes use it */
export async function holdWhileUsed(client: KubeClient, config: KubeObject, users: number): Promise<void> {
  const { name = '', namespace, finalizers = [], resourceVersion, deletionTimestamp } = config.metadata ?? {};
  const isHeld = finalizers.includes(IN_USE);
  const isWanted = deletionTimestamp === undefined ? isHeld || users > 0 : isHeld && users > 0;
  let version = resourceVersion;
  if (isHeld !== isWanted) {
    const wanted = isWanted ? [...finalizers, IN_USE] : finalizers.filter((one) => one !== IN_USE);
    const patch = { metadata: { resourceVersion, finalizers: wanted } };
    const held = await client.patch(PROVIDER_CONFIGS, { name, namespace }, patch, { manager: MANAGER });
    if (!isWanted) return; // it may be gone now
    version = held.metadata?.resourceVersion;
  }
  if ((at(config, 'status', 'users') ?? 0) === users) return;
  const patch = { metadata: { resourceVersion: version }, status: { users } };
  await client.patch(PROVIDER_CONFIGS, { name, namespace }, patch, { manager: MANAGER, subresource: 'status' });
}
