/**
 * The ProviderConfig that a WorkloadNode refers to: it is not deleted before the objects that use it. Their number is not
 * in its status: each write there calls the Cluster that composes it. Its deletion tells provider-node, which may not read
 * the Cluster, that the whole cluster is deleted.
 */
import { type Condition, trueCondition } from '#lib/api/conditions.ts';
import { type KubeObject, at, sameJson, stringAt } from '#lib/api/json.ts';
import { CROSSPLANE, NODE_API_VERSION } from '#lib/api/words.ts';

/** Every Crossplane provider has this finalizer on its configurations. */
export const IN_USE = 'in-use.crossplane.io';

export interface ConfigRef {
  readonly kind: 'ProviderConfig' | 'ClusterProviderConfig';
  /** Undefined for a ClusterProviderConfig. */
  readonly namespace: string | undefined;
  readonly name: string;
}

/** The configuration that a WorkloadNode refers to. */
export function configRefOf(object: KubeObject): ConfigRef {
  const name = stringAt(object, 'spec', 'providerConfigRef', 'name') ?? '';
  return stringAt(object, 'spec', 'providerConfigRef', 'kind') === 'ClusterProviderConfig'
    ? { kind: 'ClusterProviderConfig', namespace: undefined, name }
    : { kind: 'ProviderConfig', namespace: object.metadata?.namespace ?? '', name };
}

/** Whether a WorkloadNode refers to this configuration. */
export function refersTo(object: KubeObject, config: KubeObject): boolean {
  const { kind, namespace, name } = configRefOf(object);
  return kind === config.kind && namespace === config.metadata?.namespace && name === config.metadata?.name;
}

/** The ProviderConfigUsage of a WorkloadNode, named by its uid. */
export function usageOf(object: KubeObject): KubeObject {
  const { apiVersion, kind } = object;
  const { namespace = '', name = '', uid = '' } = object.metadata ?? {};
  const config = configRefOf(object);
  return {
    apiVersion: NODE_API_VERSION,
    kind: 'ProviderConfigUsage',
    metadata: {
      namespace,
      name: uid,
      labels: { [CROSSPLANE.providerConfig]: config.name, [CROSSPLANE.providerConfigKind]: config.kind },
      ownerReferences: [{ apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true }],
    },
    providerConfigRef: { kind: config.kind, name: config.name },
    resourceRef: { apiVersion, kind, name, uid },
  };
}

/** Whether an existing usage says what it should; a restore, for example, drops its owner. */
export function isTracked(object: KubeObject, usage: KubeObject | undefined): boolean {
  const wanted = usageOf(object);
  return (
    sameJson(usage?.['providerConfigRef'], wanted['providerConfigRef']) &&
    sameJson(at(usage, 'metadata', 'labels'), at(wanted, 'metadata', 'labels')) &&
    sameJson(at(usage, 'metadata', 'ownerReferences'), at(wanted, 'metadata', 'ownerReferences'))
  );
}

/** What happens to the finalizer `in-use.crossplane.io`. */
export type FinalizerVerdict = 'Add' | 'Remove';

/** An object has the finalizer until it is deleted and unused. Undefined: nothing happens. */
export function finalizerVerdict({ metadata }: KubeObject, isUsed: boolean): FinalizerVerdict | undefined {
  const isHeld = metadata?.finalizers?.includes(IN_USE) === true;
  if (metadata?.deletionTimestamp === undefined) return isHeld ? undefined : 'Add';
  return isHeld && !isUsed ? 'Remove' : undefined;
}

export interface ConfigVerdict {
  /** After the conditions are written; undefined: nothing. */
  readonly finalizer?: FinalizerVerdict;
  readonly conditions: readonly Condition[];
}

/**
 * What provider-node does about a ProviderConfig or ClusterProviderConfig.
 * @param nodes  the WorkloadNodes that refer to it. They count without a usage, too: the usages in a deleted namespace
 * are gone at once
 * @param usages  the ProviderConfigUsages that name it
 */
export function decideConfig(
  config: KubeObject,
  nodes: readonly KubeObject[],
  usages: readonly KubeObject[],
): ConfigVerdict {
  const users = new Set([
    ...nodes.map(({ metadata }) => metadata?.uid),
    ...usages.map(({ metadata }) => metadata?.name),
  ]);
  const finalizer = finalizerVerdict(config, users.size > 0);
  const verdict = finalizer === undefined ? {} : { finalizer };
  if (config.metadata?.deletionTimestamp === undefined || users.size === 0) return { ...verdict, conditions: [] };
  const message = `${users.size} ${users.size === 1 ? 'object uses' : 'objects use'} it`;
  return { ...verdict, conditions: [{ ...trueCondition('Terminating', 'InUse'), message }] };
}
