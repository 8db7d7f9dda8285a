/**
 * The machines of one workload cluster, as its API server knows them: their kubelets register Nodes and report on them,
 * run a pod of a team and one of a DaemonSet each, and end pods that are told to go. A Node is Ready only once the
 * cluster has a pod network.
 */
import { type Json, type KubeObject, at, stringAt } from '#lib/api/json.ts';
import type { Node, WorkloadCluster } from '#simulator/nodes/workload-cluster.ts';
import { type Api, type Ref, refOf } from '../lab/api.ts';
import { pause } from '../lab/waiting.ts';
import { DAEMON_SETS, DaemonSets } from './daemon-sets.ts';
import { tokenIn, tokenSecret, TOKENS } from './tokens.ts';

export interface KubeletsParts {
  readonly api: Api;
  readonly cluster: WorkloadCluster;
  /** Whether a machine runs, by its id in the cloud. */
  readonly isRunning: (machineId: string) => boolean;
  /** Milliseconds that a pod takes to end. */
  readonly ending: number;
  /** Whether Nodes wait for a pod network; otherwise their images bring one. */
  readonly needsNetwork: boolean;
}

interface Known {
  readonly uid: string;
  reported: string;
  isCordoned: boolean;
}

const RETRY_MS = 500;
const AGENT = { apiVersion: 'apps/v1', kind: 'DaemonSet', namespace: 'kube-system', name: 'agent' } as const;
/** An API server adds it to every new Node. */
const NOT_READY = 'node.kubernetes.io/not-ready';
const UNREACHABLE = 'node.kubernetes.io/unreachable';

interface Taint {
  readonly key: string;
  readonly effect: string;
}

/** A pod with this annotation ends when it is removed, and not before. */
export const KEEPS_RUNNING = 'lab.slipway.dev/keeps-running';

export const nodeRef = (name: string): Ref => ({ apiVersion: 'v1', kind: 'Node', name });

/** The pod of a team on a Node, which a drain evicts. */
export const workOn = (node: string): Ref => ({
  apiVersion: 'v1',
  kind: 'Pod',
  namespace: 'default',
  name: `work-on-${node}`,
});

export class Kubelets {
  readonly #parts: KubeletsParts;
  readonly #known = new Map<string, Known>();
  readonly #ending = new Set<string>();
  readonly #daemonSets: DaemonSets;
  readonly #stopped = new AbortController();
  /** A change during a round makes another one necessary. */
  #round: Promise<void> | undefined;
  #again = false;
  #hasTokens = false;
  #agent: string | undefined;

  constructor(parts: KubeletsParts) {
    this.#parts = parts;
    this.#daemonSets = new DaemonSets(parts.api);
    const { signal } = this.#stopped;
    parts.api.watch(
      { apiVersion: 'v1', kind: 'Node' },
      ({ type, object }) => (type === 'gone' ? this.#deleted(object) : this.#seen(object)),
      signal,
    );
    parts.api.watch(
      { apiVersion: 'v1', kind: 'Pod' },
      ({ type, object }) => {
        const { deletionTimestamp, annotations } = object.metadata ?? {};
        const ends = deletionTimestamp !== undefined && annotations?.[KEEPS_RUNNING] === undefined;
        if (type === 'present' && ends) void this.#end(object);
      },
      signal,
    );
    parts.api.watch(
      DAEMON_SETS,
      ({ type, object }) => {
        if (type === 'gone') this.#daemonSets.gone(object);
        else this.#daemonSets.seen(object);
        this.changed();
      },
      signal,
    );
    parts.api.watch(TOKENS, ({ type, object }) => this.#token(object, type === 'gone'), signal);
    this.changed();
  }

  /** Machines became Nodes, stopped, or run again. */
  changed(): void {
    this.#again = true;
    this.#round ??= this.#rounds().finally(() => (this.#round = undefined));
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#round;
  }

  async #rounds(): Promise<void> {
    while (this.#again && !this.#stopped.signal.aborted) {
      this.#again = false;
      try {
        await this.#firstTokens();
        for (const node of this.#parts.cluster.nodes) await this.#tell(this.#withNetwork(node));
        await this.#daemonSets.report(this.#parts.cluster.nodes.length);
      } catch {
        this.#again = true; // the API server does not answer
        await pause(RETRY_MS);
      }
    }
  }

  #withNetwork(node: Node): Node {
    const { needsNetwork } = this.#parts;
    return needsNetwork && !this.#daemonSets.haveNetwork ? { ...node, ready: false } : node;
  }

  /** The program that starts a cluster admits the tokens that it was given. */
  async #firstTokens(): Promise<void> {
    if (this.#hasTokens) return;
    const { api, cluster } = this.#parts;
    await api.apply(...cluster.tokens(0).map(tokenSecret));
    this.#hasTokens = true;
  }

  /** Machines join by the tokens that their API server accepts. */
  #token(secret: KubeObject, isGone: boolean): void {
    const token = tokenIn(secret);
    if (token === undefined) return;
    if (isGone) this.#parts.cluster.withdraw(token.split('.')[0] ?? '');
    else this.#parts.cluster.admit(token, Infinity);
  }

  async #tell(node: Node): Promise<void> {
    const { api, isRunning } = this.#parts;
    const runs = isRunning(node.machineId);
    let known = this.#known.get(node.name);
    if (known?.uid !== node.uid) {
      await api.apply(registration(node), ...(await this.#pods(node)));
      known = { uid: node.uid, reported: '', isCordoned: false };
      this.#known.set(node.name, known);
    }
    const report = JSON.stringify([node.ready, runs, node.version]);
    if (known.reported === report) return;
    await api.patchStatus(nodeRef(node.name), statusOf(node, runs), 'kubelet');
    await this.#taint(node, runs);
    known.reported = report;
  }

  /** As the node controller of Kubernetes does, which does not run here. */
  async #taint(node: Node, runs: boolean): Promise<void> {
    const { api } = this.#parts;
    const found = await api.get(nodeRef(node.name));
    const taints = (found.spec?.['taints'] ?? []) as unknown as readonly Taint[];
    const others = taints.filter(({ key }) => key !== NOT_READY && key !== UNREACHABLE);
    const wanted = [...others, ...healthTaints(node, runs)];
    if (JSON.stringify(wanted) === JSON.stringify(taints)) return;
    const { resourceVersion } = found.metadata ?? {};
    await api.patch(refOf(found), { metadata: { resourceVersion }, spec: { taints: wanted } }, 'node-controller');
  }

  async #pods({ name }: Node): Promise<readonly KubeObject[]> {
    const { api } = this.#parts;
    if (this.#agent === undefined) {
      await api.apply(daemonSet());
      this.#agent = (await api.get(AGENT)).metadata?.uid ?? '';
    }
    const { apiVersion, kind, namespace, name: agent } = AGENT;
    const owner = { apiVersion, kind, name: agent, uid: this.#agent, controller: true };
    return [
      pod({ ...workOn(name) }, name),
      pod({ ...workOn(name), namespace, name: `${agent}-on-${name}` }, name, [owner]),
    ];
  }

  /** A Node that takes pods again gets one, as a scheduler would decide. */
  #seen(object: KubeObject): void {
    const name = object.metadata?.name ?? '';
    const known = this.#known.get(name);
    if (known === undefined) return;
    const isCordoned = at(object, 'spec', 'unschedulable') === true;
    if (known.isCordoned && !isCordoned && object.metadata?.deletionTimestamp === undefined)
      void this.#parts.api.apply(pod(workOn(name), name)).catch(() => undefined);
    known.isCordoned = isCordoned;
  }

  /** A kubelet does not register again while it runs. */
  #deleted(object: KubeObject): void {
    this.#parts.cluster.remove(object.metadata?.name ?? '');
  }

  async #end(object: KubeObject): Promise<void> {
    const { api, cluster, isRunning, ending } = this.#parts;
    const uid = object.metadata?.uid ?? '';
    if (this.#ending.has(uid)) return;
    this.#ending.add(uid);
    await pause(ending);
    const node = cluster.node(stringAt(object, 'spec', 'nodeName') ?? '');
    // Nobody confirms the end of a pod on a machine that does not run.
    if (node === undefined || !isRunning(node.machineId)) return void this.#ending.delete(uid);
    await api.delete(refOf(object), { gracePeriodSeconds: 0 }).catch(() => this.#ending.delete(uid));
  }
}

function registration({ name, labels, taints, providerID }: Node): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux', ...labels } },
    spec: { providerID, taints },
  };
}

function healthTaints({ ready }: Node, runs: boolean): readonly Taint[] {
  if (!runs) return ['NoSchedule', 'NoExecute'].map((effect) => ({ key: UNREACHABLE, effect }));
  return ready ? [] : [{ key: NOT_READY, effect: 'NoSchedule' }];
}

function statusOf({ name, address, ready, version }: Node, runs: boolean): Json {
  const now = `${new Date().toISOString().slice(0, 19)}Z`;
  const status = runs ? (ready ? 'True' : 'False') : 'Unknown';
  return {
    nodeInfo: { kubeletVersion: version, osImage: 'Simulated Linux', containerRuntimeVersion: 'containerd://2.2.1' },
    addresses: [
      { type: 'InternalIP', address },
      { type: 'Hostname', address: name },
    ],
    conditions: [{ type: 'Ready', status, reason: 'Lab', lastHeartbeatTime: now, lastTransitionTime: now }],
  };
}

function daemonSet(): KubeObject {
  const { apiVersion, kind, name, namespace } = AGENT;
  const labels = { app: name };
  const template = { metadata: { labels }, spec: { containers: CONTAINERS } };
  return { apiVersion, kind, metadata: { name, namespace }, spec: { selector: { matchLabels: labels }, template } };
}

function pod({ name, namespace }: Ref, nodeName: string, owners: readonly Json[] = []): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, ...(namespace === undefined ? {} : { namespace }), ownerReferences: owners },
    spec: { nodeName, containers: CONTAINERS },
  };
}

const CONTAINERS = [{ name: 'main', image: 'images.example.com/pause:3.10.1' }];
