/**
 * An implementation of WorkloadNodes: the simulator, plain decisions, the real controller. It sets up a situation and
 * reports the result; the suite (`conformance.ts`) says what the result must be.
 */
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import type { Certificates, EtcdMember } from '#lib/node/situation.ts';

/** Situations that not every implementation can set up. */
export type Ability =
  'pods' | 'etcd' | 'certificates' | 'scripts' | 'calls' | 'restart' | 'answers' | 'clock' | 'forbid' | 'pools';

export interface Player {
  readonly name: string;
  readonly abilities: ReadonlySet<Ability>;
  begin(scene: Scene): Promise<Stage>;
}

/** One WorkloadNode `general-0` of Cluster `prod` in namespace `team-a`, and one workload cluster. */
export interface Scene {
  /** Merged into the spec of the object. */
  readonly spec?: JsonObject;
  /** The Node `general-0` when the object is created; if undefined, it has not registered. */
  readonly node?: NodeScene;
  /** WorkloadNode `another` of the same cluster found the Node before. */
  readonly manager?: boolean;
  /** Pods on it. */
  readonly pods?: readonly PodScene[];
  readonly daemonSets?: readonly string[];
  /** Labels of the namespaces of pods, by name. */
  readonly namespaces?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** A volume is attached to the Node until that many seconds have passed. */
  readonly detachedAfter?: number;
  readonly etcd?: readonly EtcdMember[];
  /** What is seen of certificates, and the requests of the kubelet. */
  readonly certificates?: Certificates;
  /** Available scripts, and the updater that fails. */
  readonly scripts?: readonly string[];
  readonly failing?: string;
  /** What the kubelet reports after the updaters ran. */
  readonly versionAfter?: string;
  /** What the Secret `general-0-join-token` has under `token`; undefined: it does not exist. */
  readonly joinToken?: string;
  /** The workload cluster makes no token for who asks. */
  readonly refusesTokens?: boolean;
  /** A token that the workload cluster accepts for ever. */
  readonly oldToken?: string;
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
  readonly uid?: string;
}

/** A pod ends within half a minute after its eviction. */
export interface PodScene {
  readonly name: string;
  /** @default `default` */
  readonly namespace?: string;
  /** It is refused because its namespace is being deleted, and not by a budget. */
  readonly isNamespaceTerminating?: boolean;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly daemonSet?: string;
  /** How many evictions its budget refuses; Infinity: all. */
  readonly refusals?: number;
}

export interface Stage {
  /** Time passes, and due actions happen. */
  pass(seconds: number): Promise<void>;
  /** The WorkloadNode; undefined: it is gone. */
  object(): KubeObject | undefined;
  /** A Node of the workload cluster. @default `general-0` */
  node(name?: string): KubeObject | undefined;
  /** Seconds that the workload cluster accepts a token from now on, by its id. */
  tokens(): Readonly<Record<string, number>>;
  /** Observed events, in order; see `Event`. */
  readonly events: readonly Event[];

  /** Merged into the spec of the object. */
  edit(spec: JsonObject): void;
  /** Merged into the metadata of the object. */
  mark(metadata: JsonObject): void;
  delete(): void;
  /** @param name  @default `general-0` */
  register(node: NodeScene, name?: string): void;
  /** A user, or the kubelet, changes the Node. */
  change(node: NodeScene): void;
  /** The provider ends, and another one starts without its memory. */
  restart(): Promise<void>;
  /** The clock of the provider is set, and no other; no time passes. @param seconds  negative: back */
  setClock?(seconds: number): void;
  /** Somebody else deletes the Node. */
  loseNode(name?: string): void;
  /** The machine stops: the Node does not respond. */
  stopMachine(): void;
  /** The API of the workload cluster does not answer for that many seconds. */
  cut(seconds: number): void;
  /** The API of the workload cluster answers, and refuses everything. */
  forbid?(): void;
  /** The next report is written, but its answer is lost, and the management cluster does not answer for that long. */
  loseAnswer?(seconds: number): void;
  loseKubeconfig(): void;
  /** What the Secret `general-0-join-token` has under `token`; undefined: it does not exist. */
  heldToken(): string | undefined;
  /** The Secret `general-0-join-token` appears, or has another token. */
  bringToken(token: string): void;
  /** Its ProviderConfig and its kubeconfig are deleted with it. */
  deleteCluster(): void;
  /** What pool `general`, which has the object, composes (`scene.poolUsage`). */
  addPoolUsage?(): void;
  deletePoolUsage?(): void;
  poolUsage?(): KubeObject | undefined;
}

/**
 * The words in `events`. Only implementations that can see them report an eviction, a run, the removal of a member and
 * a call.
 */
export type Event =
  | `approved ${string}`
  | 'cordoned'
  | 'uncordoned'
  | 'Node deleted'
  | 'object gone'
  | 'called'
  | `left etcd`
  | `evicted ${string}`;
