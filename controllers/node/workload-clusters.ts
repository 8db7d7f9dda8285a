/**
 * Connections to workload clusters, one for each ProviderConfig. The Secret with the kubeconfig is read again from time
 * to time and when credentials are refused; a changed one makes a new connection.
 */
import { SlipwayError } from '#lib/api/errors.ts';
import type { KubeObject } from '#lib/api/json.ts';
import type { Random } from '#lib/kube/backoff.ts';
import { Budget } from '#lib/kube/budget.ts';
import type { KubeClient } from '#lib/kube/client.ts';
import type { ClientOptions } from '#lib/kube/connections.ts';
import type { Endpoint } from '#lib/kube/endpoint.ts';
import { endpointOf, type KubeconfigRules } from '#lib/kube/kubeconfig.ts';
import type { Timing } from '#lib/kube/timing.ts';
import { kubeconfigOf, type SecretKey, secretOf } from '#lib/node/connection.ts';
import { isDeleting } from '#lib/node/leaving.ts';
import type { Obstacle } from '#lib/node/situation.ts';
import { SECRETS } from './kinds.ts';
import { WorkloadCluster } from './workload-cluster.ts';

export interface WorkloadClustersParts {
  readonly management: KubeClient;
  readonly timing: Timing;
  readonly random: Random;
  readonly rules: KubeconfigRules;
  /** The WorkloadNodes of a ProviderConfig. */
  readonly usersOf: (config: KubeObject) => readonly KubeObject[];
  /** A Node of the cluster of a ProviderConfig changed; undefined: any of them may have. */
  readonly onNode: (config: KubeObject, node: KubeObject | undefined) => void;
  /** The cluster of a ProviderConfig costs too much. */
  readonly onCutOff: (config: KubeObject, why: string) => void;
  readonly onAnswer?: ClientOptions['onAnswer'];
}

interface Open {
  readonly cluster: WorkloadCluster;
  /** Of the Secret: its uid and resource version. */
  readonly version: string;
  /** When the Secret was last read. */
  read: number;
}

/** Seconds. While an object is deleted, access that was taken away must be noticed before its Node is emptied. */
const READ_AGAIN = { usually: 300, deleting: 10 } as const;

export class WorkloadClusters {
  readonly #parts: WorkloadClustersParts;
  /** By kind, namespace and name of the ProviderConfig. */
  readonly #open = new Map<string, Open>();
  /** They outlast connections: another kubeconfig leads to the same neighbour. */
  readonly #budgets = new Map<string, Budget>();
  readonly #opening = new Map<string, Promise<WorkloadCluster | Obstacle>>();

  constructor(parts: WorkloadClustersParts) {
    this.#parts = parts;
  }

  /** @param config  the ProviderConfig that the object refers to; undefined: there is none */
  async connect(object: KubeObject, config: KubeObject | undefined): Promise<WorkloadCluster | Obstacle> {
    const place = secretOf(object, config);
    if (config === undefined || 'cause' in place) return place as Obstacle;
    const key = keyOf(config);
    const open = this.#open.get(key);
    const age = isDeleting(object) ? READ_AGAIN.deleting : READ_AGAIN.usually;
    const isFresh = open !== undefined && this.#parts.timing.elapsed() - open.read < age * 1000;
    if (isFresh) return this.#checked(open.cluster);
    const opening = this.#opening.get(key) ?? this.#connect(place, config).finally(() => this.#opening.delete(key));
    this.#opening.set(key, opening);
    return opening;
  }

  /** Reads the Secret again before the next use: credentials were refused. */
  distrust(config: KubeObject): void {
    const open = this.#open.get(keyOf(config));
    if (open !== undefined) open.read = -Infinity;
  }

  /** The ProviderConfig is gone. */
  async forget(config: KubeObject): Promise<void> {
    const key = keyOf(config);
    const open = this.#open.get(key);
    this.#open.delete(key);
    await open?.cluster.close();
    if (this.#budgets.get(key)?.why === undefined) this.#budgets.delete(key);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open.values()].map(({ cluster }) => cluster.close()));
    this.#open.clear();
  }

  async #connect(place: SecretKey, config: KubeObject): Promise<WorkloadCluster | Obstacle> {
    const { management, timing } = this.#parts;
    const secret = await management.find(SECRETS, place);
    const kubeconfig = kubeconfigOf(place, secret);
    // Access that was taken away is not used any longer.
    if ('cause' in kubeconfig) return this.forget(config).then(() => kubeconfig);
    const key = keyOf(config);
    const version = `${secret?.metadata?.uid} ${secret?.metadata?.resourceVersion}`;
    const open = this.#open.get(key);
    if (open?.version === version) {
      open.read = timing.elapsed();
      return this.#checked(open.cluster);
    }
    const endpoint = this.#endpoint(kubeconfig.text, `Secret "${place.namespace}/${place.name}"`);
    if ('cause' in endpoint) return this.forget(config).then(() => endpoint);
    await open?.cluster.close();
    const { random, usersOf, onNode, onAnswer } = this.#parts;
    const cluster = new WorkloadCluster({
      endpoint,
      users: usersOf(config),
      budget: this.#budgetOf(config),
      timing,
      random,
      onNode: (node) => onNode(config, node),
      onHealth: () => onNode(config, undefined),
      ...(onAnswer === undefined ? {} : { onAnswer }),
    });
    this.#open.set(key, { cluster, version, read: timing.elapsed() });
    return this.#checked(cluster);
  }

  /** ProviderConfigs whose clusters are cut off, as `namespace/name`. */
  get cutOff(): readonly string[] {
    return [...this.#budgets].filter(([, { why }]) => why !== undefined).map(([key]) => key.split(' ')[1] ?? '');
  }

  #budgetOf(config: KubeObject): Budget {
    const key = keyOf(config);
    const budget = this.#budgets.get(key) ?? new Budget(this.#parts.timing, (why) => this.#parts.onCutOff(config, why));
    this.#budgets.set(key, budget);
    return budget;
  }

  #endpoint(text: string, owner: string): Endpoint | Obstacle {
    const { rules } = this.#parts;
    try {
      return endpointOf(text, owner, rules);
    } catch (thrown) {
      return { cause: `connect failed: ${SlipwayError.from(thrown).message}`, isMissing: false };
    }
  }

  async #checked(cluster: WorkloadCluster): Promise<WorkloadCluster | Obstacle> {
    const trouble = await cluster.trouble();
    if (trouble === undefined) return cluster;
    return { cause: `observe failed: ${trouble.why}`, isMissing: false, isRefused: trouble.isRefused };
  }
}

function keyOf({ kind, metadata }: KubeObject): string {
  return `${kind} ${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;
}
