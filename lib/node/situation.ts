/**
 * The input of a decision of provider-node about one WorkloadNode. It begins with the object and the time; everything
 * else is read only if a decision requests it (`Look`), and is undefined until then. Objects are those of Kubernetes.
 */
import type { KubeObject } from '#lib/api/json.ts';
import type { JoinToken } from './bootstrap-token.ts';

export interface NodeSituation {
  /** The WorkloadNode, as the API server has it. */
  readonly object: KubeObject;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly config?: Config;
  /** Whether the Secret of `spec.start` has the key. */
  readonly hasStartSecret?: boolean;
  /** What the Secret of `spec.join` holds. */
  readonly joinToken?: JoinToken;
  /** The same for a token that the cluster makes. */
  readonly heldToken?: HeldToken;
  /** Updaters whose script is in the Secret of `spec.update`. */
  readonly scripts?: ReadonlySet<string>;
  readonly workload?: Obstacle | Workload;
  readonly pods?: Pods;
  readonly volumes?: readonly AttachedVolume[];
  readonly etcd?: Etcd;
  readonly run?: Run;
  readonly certificates?: Certificates;
  /** What came of what was done in this look. */
  readonly calls?: readonly Call[];
  /** The token in the workload cluster that was admitted or whose expiry was set. */
  readonly admitted?: Admitted;
  readonly withdrawn?: true;
  /** The token that was asked for is in its Secret, or why not. */
  readonly requested?: 'Written' | { readonly refusal: string };
  /** By `namespace/name` of the pod. */
  readonly evictions?: ReadonlyMap<string, Eviction>;
  /** What came of `LeaveStore`: it was refused, or the Node has left. */
  readonly leave?: 'Left' | { readonly refusal: string };
  readonly deleted?: { readonly because: NodeDeletion };
}

/** Ours: owned by the WorkloadNode. Theirs: a person supplied it. */
export type HeldToken = 'Missing' | 'Ours' | 'Theirs';

/** Objects beside the WorkloadNode; undefined where there is none. */
export interface Config {
  /** The ProviderConfig or ClusterProviderConfig that `spec.providerConfigRef` names. */
  readonly found: KubeObject | undefined;
  /** The ProviderConfigUsage of this object (`usageOf`). */
  readonly usage: KubeObject | undefined;
}

/** Why the workload cluster cannot be reached. */
export interface Obstacle {
  readonly cause: string;
  /** The ProviderConfig, or the Secret with the kubeconfig, does not exist. */
  readonly isMissing: boolean;
  /** The API of the workload cluster answers, and refuses. */
  readonly isRefused?: boolean;
}

/** The workload cluster answers. */
export interface Workload {
  /** The Nodes that say that they are the one of the object (`standsFor`); `identify` tells which of them is. */
  readonly nodes: readonly KubeObject[];
  /** Other WorkloadNodes of the same ProviderConfig that have found one of these Nodes. */
  readonly managers?: readonly KubeObject[];
}

export interface Pods {
  /** All that are on the Node. */
  readonly items: readonly KubeObject[];
  /** The DaemonSets that exist, as `namespace/name`. */
  readonly daemonSets: ReadonlySet<string>;
  /** Labels of namespaces by name; undefined: no rule of the drain asks for them. */
  readonly namespaces?: ReadonlyMap<string, Readonly<Record<string, string>>>;
}

/** A volume that is attached to the Node. */
export interface AttachedVolume {
  /** Of its PersistentVolume, or as the Node has it. */
  readonly name: string;
  /** `namespace/name` of its PersistentVolumeClaim, where it has one. */
  readonly claim?: string;
}

/** Members as the store of the cluster lists them. `NotPlayed`: a player without one, where every member has left. */
export type Etcd = 'NotPlayed' | Obstacle | { readonly members: readonly EtcdMember[] };

export interface EtcdMember {
  /** Members are named like their Nodes; one that never started has no name. */
  readonly name: string;
  /** Where the store gives its members ids of their own. */
  readonly id?: string;
  readonly isHealthy: boolean;
  readonly isLeader: boolean;
  /** It does not vote yet. */
  readonly isLearner?: boolean;
  /** `Asked`: it was told to leave, and has not yet. `Out`: it left, and its records have to be removed. */
  readonly leaving?: 'Asked' | 'Out';
}

/** The run of the updaters of `spec.update.id` on the Node. */
export type Run = { readonly pod?: string } & (
  | { readonly state: 'None' | 'Running' | 'Succeeded' }
  /** It has not begun, or cannot: without its image, or where a policy refuses its pod. */
  | { readonly state: 'Waiting'; readonly cause: string }
  | { readonly state: 'Failed'; readonly updater: string; readonly cause: string }
);

/** What was last seen of certificates that serve; times as Kubernetes writes them, left out where none was seen. */
export interface Certificates {
  /** When that of the Kubernetes API expires. */
  readonly apiServer?: string;
  /** When the last one expires that was issued to the kubelet of the Node. */
  readonly kubeletServing?: string;
  /** Pending requests of the kubelet. */
  readonly requests: readonly ServingRequest[];
}

/** A CertificateSigningRequest, read. */
export interface ServingRequest {
  readonly name: string;
  readonly uid: string;
  readonly signer: string;
  /** Who sent it, as the API server knows it. */
  readonly username: string;
  readonly groups: readonly string[];
  readonly usages: readonly string[];
  readonly subject: { readonly commonName: string; readonly organizations: readonly string[] };
  /** What the certificate would be valid for. */
  readonly names: readonly string[];
  readonly addresses: readonly string[];
  /** How much it asks for that is none of these. */
  readonly others: number;
  /** Why it cannot be read. */
  readonly problem?: string;
}

/** A call that was made to start a cluster; without a refusal it was taken. */
export interface Call {
  readonly address: string;
  readonly refusal?: string;
}

export interface Admitted {
  /** Name of its Secret. */
  readonly tokenSecret: string;
  /** UTC, whole seconds. */
  readonly expiresAt: string;
}

export type Eviction = 'Accepted' | { readonly isBudget: boolean; readonly refusal: string };

/** Why a Node is deleted: emptied; not to be emptied; nobody answers on it; pods or volumes took too long. */
export type NodeDeletion = 'Drained' | 'Skipped' | 'Unreachable' | 'TimedOut' | 'StillAttached';
