/** The objects of provider-node in the management cluster, kept up to date. */
import { type JsonObject, type KubeObject, at, sameJson, stringAt } from '#lib/api/json.ts';
import type { Random } from '#lib/kube/backoff.ts';
import type { KubeClient } from '#lib/kube/client.ts';
import { Informer } from '#lib/kube/informer.ts';
import { KubeRefusal } from '#lib/kube/refusal.ts';
import type { Resource } from '#lib/kube/resource.ts';
import type { Timing } from '#lib/kube/timing.ts';
import { configRefOf, IN_USE } from '#lib/node/config.ts';
import { FINALIZER } from '#lib/node/leaving.ts';
import { isOfPool, waitsFor } from '#lib/node/pool-usage.ts';
import { CLUSTER_PROVIDER_CONFIGS, PROVIDER_CONFIGS, USAGES, WORKLOAD_NODES } from './kinds.ts';

export interface ManagementParts {
  readonly client: KubeClient;
  readonly timing: Timing;
  readonly random: Random;
  readonly onNode: (object: KubeObject, isGone: boolean) => void;
  readonly onConfig: (config: KubeObject, isGone: boolean) => void;
  readonly onUsage: (usage: KubeObject) => void;
  readonly onError: (thrown: unknown) => void;
}

/** Seconds. With safe-start the kinds appear when somebody activates them: then the first look is not far away. */
const RETRY_WITHIN = 10;

export class Management {
  readonly #nodes: Informer;
  readonly #configs: Informer;
  readonly #clusterConfigs: Informer;
  readonly #usages: Informer;

  constructor({ client, timing, random, onError, onNode, onConfig, onUsage }: ManagementParts) {
    const informer = (
      resource: Resource,
      onChange: (object: KubeObject, isGone: boolean) => void,
      index: (object: KubeObject) => string | undefined = () => undefined,
    ): Informer =>
      new Informer({
        client,
        timing,
        random,
        resource,
        index,
        matters: isWish,
        onChange: (before, after) => {
          const object = after ?? before;
          if (object !== undefined) onChange(object, after === undefined);
        },
        onError,
        retryWithin: RETRY_WITHIN,
      });
    this.#nodes = informer(WORKLOAD_NODES, onNode, (object) => textOfConfig(configRefOf(object)));
    this.#configs = informer(PROVIDER_CONFIGS, onConfig);
    this.#clusterConfigs = informer(CLUSTER_PROVIDER_CONFIGS, onConfig);
    this.#usages = informer(USAGES, onUsage);
  }

  get #all(): readonly Informer[] {
    return [this.#configs, this.#clusterConfigs, this.#usages, this.#nodes];
  }

  start(): void {
    for (const informer of this.#all) informer.start();
  }

  async stop(): Promise<void> {
    await Promise.all(this.#all.map((informer) => informer.stop()));
  }

  /** All objects were read. */
  get isReady(): boolean {
    return this.#all.every(({ isSynced }) => isSynced);
  }

  /** Nothing fails but the kinds that nobody has activated yet. */
  get isServing(): boolean {
    return this.#all.every(({ isSynced, failure }) => isSynced || KubeRefusal.has(failure, 404));
  }

  nodes(): readonly KubeObject[] {
    return this.#nodes.list();
  }

  node(name: string, namespace: string): KubeObject | undefined {
    return this.#nodes.get(name, namespace);
  }

  config(kind: string, name: string, namespace: string | undefined): KubeObject | undefined {
    return kind === CLUSTER_PROVIDER_CONFIGS.kind ? this.#clusterConfigs.get(name) : this.#configs.get(name, namespace);
  }

  /** The configuration that a WorkloadNode refers to. */
  configOf(object: KubeObject): KubeObject | undefined {
    const { kind, name, namespace } = configRefOf(object);
    return this.config(kind, name, namespace);
  }

  /** The WorkloadNodes that refer to it. */
  usersOf({ kind, metadata }: KubeObject): readonly KubeObject[] {
    return this.#nodes.byIndex(textOfConfig({ kind, namespace: metadata?.namespace, name: metadata?.name ?? '' }));
  }

  /** The WorkloadNodes of the same workload cluster, itself included. */
  peersOf(object: KubeObject): readonly KubeObject[] {
    return this.#nodes.byIndex(textOfConfig(configRefOf(object)));
  }

  /** The ProviderConfigUsage of a WorkloadNode. */
  usageOf({ metadata }: KubeObject): KubeObject | undefined {
    return this.#usages.get(metadata?.uid ?? '', metadata?.namespace);
  }

  poolUsage(name: string, namespace: string): KubeObject | undefined {
    return this.#usages.get(name, namespace);
  }

  /** Usages of deleted pools that wait for this WorkloadNode. */
  poolUsagesFor(node: KubeObject): readonly KubeObject[] {
    return this.#usages.list().filter((usage) => waitsFor(usage, node));
  }

  /** The ProviderConfigUsages of WorkloadNodes that name it. */
  usagesOf(config: KubeObject): readonly KubeObject[] {
    const { name, namespace } = config.metadata ?? {};
    return this.#usages
      .list()
      .filter(
        (usage) =>
          !isOfPool(usage) &&
          (namespace === undefined || usage.metadata?.namespace === namespace) &&
          stringAt(usage, 'providerConfigRef', 'name') === name &&
          (stringAt(usage, 'providerConfigRef', 'kind') ?? PROVIDER_CONFIGS.kind) === config.kind,
      );
  }
}

/** A ProviderConfig: `ProviderConfig team-a/prod`. */
export function textOfConfig({
  kind,
  namespace = '',
  name,
}: {
  kind: string;
  namespace?: string | undefined;
  name: string;
}): string {
  return `${kind} ${namespace}/${name}`;
}

/** Not what provider-node writes itself, status and finalizers: a pass must not be the reason for the next one. */
function isWish(before: KubeObject, after: KubeObject): boolean {
  return !sameJson(wishOf(before), wishOf(after));
}

function wishOf({ metadata, spec }: KubeObject): JsonObject {
  const { annotations, labels, finalizers = [], deletionTimestamp } = metadata ?? {};
  const others = finalizers.filter((one) => one !== FINALIZER && one !== IN_USE);
  const owners = at(metadata, 'ownerReferences');
  return { annotations, labels, finalizers: others, owners, deletionTimestamp, spec };
}
