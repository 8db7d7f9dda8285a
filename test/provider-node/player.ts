/**
 * Whoever serves WorkloadNodes: the simulator, decisions on paper, the real controller. A player brings a situation
 * about and tells what became of it; the suite (`conformance.ts`) says what must become of it.
 */
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import type { EtcdMember } from '#lib/node/situation.ts';

/** What not every player can bring about. */
export type Ability = 'pods' | 'etcd';

export interface Player {
  readonly name: string;
  readonly abilities: ReadonlySet<Ability>;
  begin(scene: Scene): Promise<Stage>;
}

/** One WorkloadNode `general-0` of Cluster `prod` in namespace `team-a`, and one workload cluster. */
export interface Scene {
  /** Laid over the object's spec. */
  readonly spec?: JsonObject;
  /** The Node `general-0` when the object is made; left out, it has not registered. */
  readonly node?: NodeScene;
  /** Pods on it. */
  readonly pods?: readonly PodScene[];
  readonly daemonSets?: readonly string[];
  readonly etcd?: readonly EtcdMember[];
  /** Scripts there are, and the updater that fails. */
  readonly scripts?: readonly string[];
  readonly failing?: string;
  /** What the kubelet reports once the updaters ran. */
  readonly versionAfter?: string;
  /** How often a call to start the cluster is refused; the machine has one address. */
  readonly refusedCalls?: number;
}

export interface NodeScene {
  readonly providerID?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly taints?: readonly JsonObject[];
  readonly unschedulable?: boolean;
  readonly ready?: boolean;
}

/** A pod ends within half a minute after it was told to. */
export interface PodScene {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly daemonSet?: string;
  /** How many evictions its budget refuses; Infinity: all. */
  readonly refusals?: number;
}

export interface Stage {
  /** Time passes, and what is due happens. */
  pass(seconds: number): Promise<void>;
  /** The WorkloadNode; undefined: it is gone. */
  object(): KubeObject | undefined;
  /** The Node `general-0` of the workload cluster. */
  node(): KubeObject | undefined;
  /** What was seen to happen, in this order; see `Event`. */
  readonly events: readonly Event[];

  /** The object's spec is laid over. */
  edit(spec: JsonObject): void;
  delete(): void;
  register(node: NodeScene): void;
  /** Somebody, or the kubelet, changes the Node. */
  change(node: NodeScene): void;
  /** The machine stops: the Node does not respond. */
  stopMachine(): void;
  /** The workload cluster's API answers nobody for so many seconds. */
  cut(seconds: number): void;
  loseKubeconfig(): void;
  deleteCluster(): void;
}

/**
 * The words `events` are made of. An eviction, a run, a member's leaving and a call are told by players that see them.
 */
export type Event =
  'cordoned' | 'uncordoned' | 'Node deleted' | 'object gone' | 'called' | `left etcd` | `evicted ${string}`;
