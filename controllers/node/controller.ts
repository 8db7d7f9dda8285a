/** Has each WorkloadNode and each ProviderConfig looked at when something about it changed. */
import { askK8sd, type AskToken } from './asked-joins.ts';
import { messageOf } from '#lib/api/errors.ts';
import { type KubeObject, stringAt } from '#lib/api/json.ts';
import type { Random } from '#lib/kube/backoff.ts';
import type { KubeClient } from '#lib/kube/client.ts';
import { Events } from '#lib/kube/events.ts';
import type { KubeconfigRules } from '#lib/kube/kubeconfig.ts';
import { Queue } from '#lib/kube/queue.ts';
import { type Rate, Tokens } from '#lib/kube/tokens.ts';
import type { Timing } from '#lib/kube/timing.ts';
import { configRefOf } from '#lib/node/config.ts';
import { standsFor } from '#lib/node/identity.ts';
import { isOfPool } from '#lib/node/pool-usage.ts';
import { ConfigReconciler } from './config-reconciler.ts';
import { Hosts } from './hosts.ts';
import { MANAGER, PROVIDER_CONFIGS, USAGES } from './kinds.ts';
import { Management, textOfConfig } from './management.ts';
import { Stores } from './membership/stores.ts';
import type { Metrics, Now } from './metrics.ts';
import { Reconciler } from './reconciler.ts';
import { bootstrapTalos } from './talos/start.ts';
import { UPDATER_IMAGE } from './updates/image.ts';
import { WorkloadClusters } from './workload-clusters.ts';

export interface ControllerParts {
  readonly management: KubeClient;
  readonly timing: Timing;
  readonly random: Random;
  readonly rules: KubeconfigRules;
  readonly log: (message: string, about: Readonly<Record<string, unknown>>) => void;
  /** @default the Talos API of the machine */
  readonly callTalos?: (address: string, talosconfig: string) => Promise<string | undefined>;
  /** @default k8sd, through a port-forward */
  readonly askToken?: AskToken;
  /** @default the one that is released with provider-node */
  readonly updaterImage?: string;
  /** @default nothing is counted */
  readonly metrics?: Metrics;
  /** Seconds between looks at an object about which nothing is heard. @default 600 */
  readonly poll?: number;
  /** Looks that begin. @default that of the queue */
  readonly rate?: Rate;
  /** Looks at a time, of all objects and of one workload cluster. */
  readonly most?: { readonly all: number; readonly group: number };
}

const NODE = 'WorkloadNode';
/** Of one workload cluster: objects that are looked at at once because its Nodes changed. */
const CHANGES: Rate = { perSecond: 5, burst: 500 };
/** Seconds. */
const LATER = 10;

/** A key of the queue: `WorkloadNode team-a/prod-0`, `ClusterProviderConfig /prod`. */
interface Key {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

export class Controller {
  readonly #management: Management;
  readonly #queue: Queue;
  readonly #clusters: WorkloadClusters;
  readonly #nodes: Reconciler;
  readonly #configs: ConfigReconciler;
  readonly #hosts: Hosts;
  readonly #timing: Timing;
  /** By ProviderConfig. */
  readonly #changes = new Map<string, Tokens>();

  constructor(parts: ControllerParts) {
    const { management: client, timing, random, rules, log, metrics } = parts;
    const { callTalos = bootstrapTalos, askToken = askK8sd, updaterImage = UPDATER_IMAGE } = parts;
    this.#timing = timing;
    const onError = (thrown: unknown): void => log(messageOf(thrown), {});
    this.#clusters = new WorkloadClusters({
      management: client,
      timing,
      random,
      rules,
      usersOf: (config) => this.#management.usersOf(config),
      onNode: (config, node) => this.#lookAround(config, node),
      onCutOff: (config, why) => this.#cutOff(config, why, log),
      onAnswer: (method, status) => metrics?.answered('workload', method, status),
    });
    this.#management = new Management({
      client,
      timing,
      random,
      onError,
      onNode: (object, isGone) => this.#nodeChanged(object, isGone),
      onConfig: (config, isGone) => this.#configChanged(config, isGone),
      onUsage: (usage) => this.#usageChanged(usage),
    });
    const events = new Events({ client, timing, component: MANAGER, onError });
    const world = this.#management;
    const stores = new Stores({ management: client, timing, peersOf: (object) => world.peersOf(object) });
    this.#nodes = new Reconciler({
      client,
      world,
      timing,
      clusters: this.#clusters,
      stores,
      events,
      log,
      callTalos,
      askToken,
      updaterImage,
      ...(parts.poll === undefined ? {} : { poll: parts.poll }),
      onReport: (before, after) => metrics?.reported(before, after, timing.now()),
      onRelease: (object) => metrics?.released(object, timing.now()),
    });
    this.#configs = new ConfigReconciler({ client, world, timing });
    this.#hosts = new Hosts({ client, timing, random, log });
    this.#queue = new Queue({
      timing,
      run: async (key) => {
        metrics?.looked();
        return this.#look(keyIn(key));
      },
      onFailure: (key, thrown, retryAfter) => {
        metrics?.failed();
        log(messageOf(thrown), { key, retryAfter });
      },
      groupOf: (key) => this.#groupOf(keyIn(key)),
      ...(parts.most === undefined ? {} : { most: parts.most }),
      ...(parts.rate === undefined ? {} : { rate: parts.rate }),
    });
  }

  start(): void {
    this.#management.start();
    this.#hosts.start();
  }

  /** All objects were read. */
  get isReady(): boolean {
    return this.#management.isReady;
  }

  /** It works, or waits for its kinds to be activated. */
  get isServing(): boolean {
    return this.#management.isServing;
  }

  /** As they are now, for metrics. */
  get counts(): Now {
    return { objects: this.#management.nodes(), waiting: this.#queue.depth, cutOff: this.#clusters.cutOff };
  }

  /** Nothing is being looked at. */
  get isIdle(): boolean {
    return this.#queue.isIdle && this.#hosts.isIdle;
  }

  /** Waits for what is under way. */
  async stop(): Promise<void> {
    await this.#management.stop();
    await this.#queue.stop();
    await this.#hosts.stop();
    await this.#clusters.close();
  }

  #nodeChanged(object: KubeObject, isGone: boolean): void {
    const key = textOf(keyOf(object));
    if (isGone) {
      for (const usage of this.#management.poolUsagesFor(object)) this.#queue.add(textOf(keyOf(usage)));
      this.#queue.forget(key);
      this.#nodes.forget(object.metadata?.uid ?? '');
    } else this.#queue.add(key);
    const { kind, namespace = '', name } = configRefOf(object);
    this.#queue.add(textOf({ kind, namespace, name })); // one user more or less
  }

  #configChanged(config: KubeObject, isGone: boolean): void {
    if (isGone) this.#changes.delete(textOf(keyOf(config)));
    if (isGone) void this.#clusters.forget(config);
    else this.#queue.add(textOf(keyOf(config)));
    this.#lookAround(config, undefined);
  }

  #usageChanged(usage: KubeObject): void {
    if (isOfPool(usage)) return this.#queue.add(textOf(keyOf(usage)));
    const kind = stringAt(usage, 'providerConfigRef', 'kind') ?? PROVIDER_CONFIGS.kind;
    const namespace = kind === PROVIDER_CONFIGS.kind ? (usage.metadata?.namespace ?? '') : '';
    this.#queue.add(textOf({ kind, namespace, name: stringAt(usage, 'providerConfigRef', 'name') ?? '' }));
  }

  #cutOff(config: KubeObject, why: string, log: ControllerParts['log']): void {
    const { name, namespace } = config.metadata ?? {};
    log(`the workload cluster is ${why}`, { namespace, config: name });
    this.#lookAround(config, undefined);
  }

  /** Has all WorkloadNodes of a ProviderConfig looked at, or only those of a Node. */
  #lookAround(config: KubeObject, node: KubeObject | undefined): void {
    const users = this.#management.usersOf(config).filter((object) => node === undefined || standsFor(object, node));
    for (const object of users) {
      const key = textOf(keyOf(object));
      // A cluster in which something changes all the time takes no turns away from others.
      if (this.#changesOf(config).take()) this.#queue.add(key);
      else this.#queue.after(key, LATER);
    }
  }

  #changesOf({ kind, metadata }: KubeObject): Tokens {
    const key = textOf({ kind, namespace: metadata?.namespace ?? '', name: metadata?.name ?? '' });
    const changes = this.#changes.get(key) ?? new Tokens(this.#timing, CHANGES);
    this.#changes.set(key, changes);
    return changes;
  }

  /** WorkloadNodes of one workload cluster. */
  #groupOf({ kind, namespace, name }: Key): string | undefined {
    const object = kind === NODE ? this.#management.node(name, namespace) : undefined;
    if (object === undefined) return undefined;
    return textOfConfig(configRefOf(object));
  }

  async #look({ kind, namespace, name }: Key): Promise<number | undefined> {
    if (!this.isReady) return 1;
    if (kind === NODE) {
      const object = this.#management.node(name, namespace);
      return object === undefined ? undefined : this.#nodes.reconcile(object);
    }
    if (kind === USAGES.kind) {
      const usage = this.#management.poolUsage(name, namespace);
      return usage === undefined ? undefined : this.#configs.reconcileOfPool(usage);
    }
    const config = this.#management.config(kind, name, namespace);
    return config === undefined ? undefined : this.#configs.reconcile(config);
  }
}

function keyOf({ kind, metadata }: KubeObject): Key {
  return { kind, namespace: metadata?.namespace ?? '', name: metadata?.name ?? '' };
}

function textOf({ kind, namespace, name }: Key): string {
  return `${kind} ${namespace}/${name}`;
}

function keyIn(text: string): Key {
  const [kind = '', path = ''] = text.split(' ');
  const [namespace = '', name = ''] = path.split('/');
  return { kind, namespace, name };
}
