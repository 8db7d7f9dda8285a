/** Watches the objects of provider-node and has each WorkloadNode looked at when something about it changed. */
import { type JsonObject, type KubeObject, sameJson, stringAt } from '#lib/api/json.ts';
import type { Random } from '#lib/kube/backoff.ts';
import type { KubeClient } from '#lib/kube/client.ts';
import { Events } from '#lib/kube/events.ts';
import { Informer } from '#lib/kube/informer.ts';
import type { KubeconfigRules } from '#lib/kube/kubeconfig.ts';
import { Queue } from '#lib/kube/queue.ts';
import { isStale, KubeRefusal } from '#lib/kube/refusal.ts';
import type { Resource } from '#lib/kube/resource.ts';
import type { Timing } from '#lib/kube/timing.ts';
import { FINALIZER } from '#lib/node/decide.ts';
import { standsFor } from '#lib/node/node.ts';
import { MANAGER, PROVIDER_CONFIGS, WORKLOAD_NODES } from './kinds.ts';
import { holdWhileUsed, IN_USE, recordUse } from './provider-configs.ts';
import { Reconciler } from './reconciler.ts';
import { bootstrapTalos } from './talos.ts';
import { keyOf, WorkloadClusters } from './workload-clusters.ts';

export interface ControllerParts {
  readonly management: KubeClient;
  readonly timing: Timing;
  readonly random: Random;
  readonly rules: KubeconfigRules;
  readonly log: (message: string, about: Readonly<Record<string, unknown>>) => void;
  /** @default the Talos API of the machine */
  readonly callTalos?: (address: string, talosconfig: string) => Promise<string | undefined>;
  /** Looks at a time, of all objects and of one workload cluster. */
  readonly most?: { readonly all: number; readonly group: number };
}

/** Keys of the queue: what is looked at, and which. */
const NODE = 'WorkloadNode ';
const CONFIG = 'ProviderConfig ';

export class Controller {
  readonly #parts: ControllerParts;
  readonly #nodes: Informer;
  readonly #configs: Informer;
  readonly #queue: Queue;
  readonly #clusters: WorkloadClusters;
  readonly #reconciler: Reconciler;
  /** By uid: whose use of a ProviderConfig is recorded. */
  readonly #recorded = new Set<string>();

  constructor(parts: ControllerParts) {
    this.#parts = parts;
    const { management, timing, random, log } = parts;
    this.#clusters = new WorkloadClusters({
      management,
      timing,
      random,
      rules: parts.rules,
      onNode: (config, node) => this.#lookAround(config, node),
    });
    const onError = (thrown: unknown): void => log(messageOf(thrown), {});
    const events = new Events({ client: management, timing, component: MANAGER, onError });
    const { callTalos = bootstrapTalos } = parts;
    this.#reconciler = new Reconciler({ management, timing, clusters: this.#clusters, events, log, callTalos });
    this.#queue = new Queue({
      timing,
      run: (key) => this.#look(key),
      onFailure: (key, thrown, retryAfter) => log(messageOf(thrown), { key, retryAfter }),
      groupOf: (key) => this.#groupOf(key),
      ...(parts.most === undefined ? {} : { most: parts.most }),
    });
    const informer = (resource: Resource, onChange: (object: KubeObject, isGone: boolean) => void): Informer =>
      new Informer({
        client: management,
        timing,
        random,
        resource,
        matters: isWish,
        onChange: (before, after) => {
          const object = after ?? before;
          if (object !== undefined) onChange(object, after === undefined);
        },
        onError,
      });
    this.#nodes = informer(WORKLOAD_NODES, (object, isGone) => this.#nodeChanged(object, isGone));
    this.#configs = informer(PROVIDER_CONFIGS, (object, isGone) => this.#configChanged(object, isGone));
  }

  start(): void {
    this.#configs.start();
    this.#nodes.start();
  }

  /** All objects were read. */
  get isReady(): boolean {
    return this.#nodes.isSynced && this.#configs.isSynced;
  }

  /** Nothing is being looked at. */
  get isIdle(): boolean {
    return this.#queue.isIdle;
  }

  /** Waits for what is under way. */
  async stop(): Promise<void> {
    await Promise.all([this.#nodes.stop(), this.#configs.stop()]);
    await this.#queue.stop();
    await this.#clusters.close();
  }

  #nodeChanged(object: KubeObject, isGone: boolean): void {
    const key = `${NODE}${keyOf(object)}`;
    if (isGone) {
      this.#queue.forget(key);
      const uid = object.metadata?.uid ?? '';
      this.#recorded.delete(uid);
      this.#reconciler.forget(uid);
    } else this.#queue.add(key);
    this.#queue.add(`${CONFIG}${configKeyOf(object)}`); // one user more or less
  }

  #configChanged(config: KubeObject, isGone: boolean): void {
    if (isGone) void this.#clusters.forget(config);
    else this.#queue.add(`${CONFIG}${keyOf(config)}`);
    this.#lookAround(keyOf(config), undefined);
  }

  /** Has all WorkloadNodes of a ProviderConfig looked at, or only those of a Node. */
  #lookAround(config: string, node: KubeObject | undefined): void {
    for (const object of this.#usersOf(config))
      if (node === undefined || standsFor(object, node)) this.#queue.add(`${NODE}${keyOf(object)}`);
  }

  #usersOf(config: string): readonly KubeObject[] {
    return this.#nodes.list().filter((object) => configKeyOf(object) === config);
  }

  #groupOf(key: string): string | undefined {
    const object = key.startsWith(NODE) ? this.#find(this.#nodes, key.slice(NODE.length)) : undefined;
    return object === undefined ? undefined : configKeyOf(object);
  }

  async #look(key: string): Promise<number | undefined> {
    if (!this.isReady) return 1;
    if (key.startsWith(CONFIG)) return this.#lookAtConfig(key.slice(CONFIG.length));
    const object = this.#find(this.#nodes, key.slice(NODE.length));
    if (object === undefined) return undefined;
    const { uid = '', deletionTimestamp } = object.metadata ?? {};
    const config = this.#find(this.#configs, configKeyOf(object));
    if (!this.#recorded.has(uid) && deletionTimestamp === undefined && config !== undefined) {
      await recordUse(this.#parts.management, object);
      this.#recorded.add(uid);
    }
    return this.#reconciler.reconcile(object, config);
  }

  async #lookAtConfig(key: string): Promise<number | undefined> {
    const config = this.#find(this.#configs, key);
    if (config === undefined) return undefined;
    try {
      await holdWhileUsed(this.#parts.management, config, this.#usersOf(key).length);
    } catch (thrown) {
      if (isStale(thrown) || KubeRefusal.has(thrown, 404)) return 1;
      throw thrown;
    }
    return undefined;
  }

  #find(informer: Informer, key: string): KubeObject | undefined {
    const [namespace, name = ''] = key.split('/');
    return informer.get(name, namespace);
  }
}

/** Not what provider-node writes itself, status and finalizers: a pass must not be the reason for the next one. */
function isWish(before: KubeObject, after: KubeObject): boolean {
  return !sameJson(wishOf(before), wishOf(after));
}

function wishOf({ metadata, spec }: KubeObject): JsonObject {
  const { generation, annotations, labels, finalizers = [], deletionTimestamp } = metadata ?? {};
  const others = finalizers.filter((one) => one !== FINALIZER && one !== IN_USE);
  return { generation, annotations, labels, finalizers: others, deletionTimestamp, spec };
}

function configKeyOf(object: KubeObject): string {
  return `${object.metadata?.namespace ?? ''}/${stringAt(object, 'spec', 'providerConfigRef', 'name') ?? ''}`;
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
