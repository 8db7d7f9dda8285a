/**
 * A connection to one workload cluster: a client, and its Nodes kept up to date. It lives as long as the kubeconfig that
 * it was made from.
 */
import { stampOf } from '#lib/api/fields/text.ts';
import { type JsonObject, type KubeObject, sameJson } from '#lib/api/json.ts';
import type { Random } from '#lib/kube/backoff.ts';
import { KubeClient } from '#lib/kube/client.ts';
import type { Budget } from '#lib/kube/budget.ts';
import type { ClientOptions } from '#lib/kube/connections.ts';
import type { Endpoint } from '#lib/kube/endpoint.ts';
import { Informer } from '#lib/kube/informer.ts';
import { KubeRefusal, Unreachable } from '#lib/kube/refusal.ts';
import { pause, type Timing } from '#lib/kube/timing.ts';
import { standsFor } from '#lib/node/identity.ts';
import { annotationsUsed } from '#lib/node/marks.ts';
import type { Certificates } from '#lib/node/situation.ts';
import { ServingRequests } from './certificates/serving.ts';
import { NODES } from './kinds.ts';
import { KeptLabels } from './kept-labels.ts';

export interface WorkloadClusterParts {
  readonly endpoint: Pick<Endpoint, 'server' | 'credentials'>;
  /** The WorkloadNodes of the cluster, as far as they are known. */
  readonly users: readonly KubeObject[];
  /** What it may cost. */
  readonly budget: Budget;
  readonly timing: Timing;
  readonly random: Random;
  /** A Node of it changed in a way that matters, appeared or went. */
  readonly onNode: (node: KubeObject) => void;
  /** Reading its Nodes began to fail, or works again. */
  readonly onHealth: () => void;
  readonly onAnswer?: ClientOptions['onAnswer'];
}

/** Seconds. A watch that was cut off and works again within this time is nothing to report. */
const TROUBLE = 15;
/** Seconds to wait for the first list. */
const FIRST = 10;

export class WorkloadCluster {
  readonly client: KubeClient;
  readonly #parts: WorkloadClusterParts;
  readonly #nodes: Informer;
  readonly #labels: KeptLabels;
  readonly #serving: ServingRequests;
  /** As `Timing.elapsed`. */
  #failingSince: number | undefined;

  constructor(parts: WorkloadClusterParts) {
    this.#parts = parts;
    const { endpoint, timing, budget, onAnswer } = parts;
    this.client = new KubeClient(endpoint, {
      timing,
      budget,
      breaker: true,
      ...(onAnswer === undefined ? {} : { onAnswer }),
    });
    this.#labels = new KeptLabels(parts.users);
    this.#nodes = new Informer({
      client: this.client,
      timing: parts.timing,
      random: parts.random,
      resource: NODES,
      slim: (node) => this.#labels.slim(node),
      matters: isNews,
      onChange: (before, after) => {
        const node = after ?? before;
        if (node !== undefined) parts.onNode(node);
      },
      onError: () => {
        this.#failingSince ??= parts.timing.elapsed();
        parts.onHealth();
      },
      onRecovery: () => {
        this.#failingSince = undefined;
        parts.onHealth();
      },
    });
    this.#nodes.start();
    this.#serving = new ServingRequests({
      client: this.client,
      timing,
      random: parts.random,
      onRequest: (name) => {
        const node = this.#nodes.get(name);
        if (node !== undefined) parts.onNode(node);
      },
    });
  }

  /** Why its Nodes cannot be read; undefined when they can. Waits for the first list. `isRefused`: it answers. */
  async trouble(): Promise<{ readonly why: string; readonly isRefused: boolean } | undefined> {
    if (!this.#nodes.isSynced) await Promise.race([this.#nodes.synced, pause(this.#parts.timing, FIRST)]);
    const { failure } = this.#nodes;
    // What was cut off is not known any more, from its first moment on.
    const cut = this.#parts.budget.why ?? (isCutOff(failure) ? failure.why : undefined);
    if (cut !== undefined) return { why: `${this.client.endpoint.server} is ${cut}`, isRefused: true };
    if (failure === undefined)
      return this.#nodes.isSynced
        ? undefined
        : { why: `cannot reach ${this.client.endpoint.server}: no answer within ${FIRST} s`, isRefused: false };
    const isLasting = this.#parts.timing.elapsed() - (this.#failingSince ?? 0) > TROUBLE * 1000;
    if (this.#nodes.isSynced && !isLasting) return undefined;
    return failure instanceof Unreachable
      ? { why: `cannot reach ${this.client.endpoint.server}: ${failure.why}`, isRefused: false }
      : { why: failure.message, isRefused: KubeRefusal.has(failure, 401) || KubeRefusal.has(failure, 403) };
  }

  /** The Nodes that say that they are the one of a WorkloadNode. */
  nodesOf(object: KubeObject): readonly KubeObject[] {
    this.#labels.add(object);
    return this.#nodes.list().filter((node) => standsFor(object, node));
  }

  /** Whether a Node of `nodesOf` has all that its object reads of it; otherwise it is read anew. */
  has(object: KubeObject, node: KubeObject): boolean {
    return annotationsUsed(object).length === 0 && this.#labels.has(node, object);
  }

  /** Of the Node of that name. */
  async certificatesOf(node: string): Promise<Certificates> {
    const { certificateEnds } = this.client;
    const apiServer = certificateEnds === undefined ? {} : { apiServer: stampOf(certificateEnds) };
    return { ...(await this.#serving.of(node)), ...apiServer };
  }

  async close(): Promise<void> {
    await Promise.all([this.#nodes.stop(), this.#serving.stop()]);
    this.client.close();
  }
}

function isCutOff(failure: Error | undefined): failure is Unreachable {
  return failure instanceof Unreachable && failure.kind === 'CutOff';
}

/** Nothing that is kept of a Node is a heartbeat. */
function isNews(before: KubeObject, after: KubeObject): boolean {
  return !sameJson(newsOf(before), newsOf(after));
}

function newsOf({ metadata, spec, status }: KubeObject): JsonObject {
  const { uid, labels, deletionTimestamp } = metadata ?? {};
  return { uid, labels, deletionTimestamp, spec, status };
}
