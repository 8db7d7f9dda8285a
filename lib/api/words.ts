/** The words Slipway shares with the cluster: groups, labels, annotations, context keys, condition types. */

export const GROUP = 'slipway.dev';
export const API_VERSION = 'slipway.dev/v1alpha1';
export const NODE_API_VERSION = 'node.slipway.dev/v1alpha1';
/** Crossplane's Usage: what is used cannot be deleted. */
export const USAGE_API_VERSION = 'protection.crossplane.io/v1beta1';
export const INPUT_API_VERSION = 'fn.slipway.dev/v1alpha1';

export const LABEL = {
  /** Cluster API's own label, so that its tools find our Secrets. */
  clusterName: 'cluster.x-k8s.io/cluster-name',
  cluster: 'slipway.dev/cluster',
  nodePool: 'slipway.dev/nodepool',
  role: 'slipway.dev/role',
  /** The slot of a group that an object fills; one slot has two objects only while it is being replaced. */
  slot: 'slipway.dev/slot',
  /** Counts the machines a pool ever made, so that no name is used twice. Written once, never changed. */
  serial: 'slipway.dev/serial',
  failureDomain: 'slipway.dev/failure-domain',
  /** What a Composition serves; claims select it. */
  flavor: 'slipway.dev/flavor',
} as const;

/** Labels that everything of a cluster carries. */
export function clusterLabels(cluster: string): Record<string, string> {
  return { [LABEL.clusterName]: cluster, [LABEL.cluster]: cluster };
}

/** What a user writes on a Machine; the value does not matter. And what a pool writes there for itself. */
export const ANNOTATION = {
  /** On scaling down it goes first. */
  deleteMachine: 'slipway.dev/delete-machine',
  /** On scaling down it goes last. */
  keepMachine: 'slipway.dev/keep-machine',
  /** It is replaced as if it were unhealthy. */
  remediateMachine: 'slipway.dev/remediate-machine',
  /** It is never replaced for being unhealthy, and does not count. */
  skipRemediation: 'slipway.dev/skip-remediation',
  /** JSON of whom it succeeded, written by its pool: `{"machine":"general-1-abcde","retryCount":1}`. */
  remediationFor: 'slipway.dev/remediation-for',
  /** Hash of the spec that a Machine was last given as a whole, written by its pool: it tells a hand edit from a changed claim. */
  template: 'slipway.dev/template',
} as const;

/** Annotation a user writes on a Secret with keys of a cluster: uid of the Cluster that shall go on with them, whoever made them. */
export const CLUSTER_UID = 'slipway.dev/cluster-uid';

/** Written by Crossplane on composed resources. */
export const CROSSPLANE = {
  compositionResourceName: 'crossplane.io/composition-resource-name',
  composite: 'crossplane.io/composite',
  externalName: 'crossplane.io/external-name',
  paused: 'crossplane.io/paused',
} as const;

/** Keys of the pipeline context; the values are the contracts in lib/api/contracts. */
export const CONTEXT = {
  bootstrapPlan: 'slipway.dev/bootstrap-plan',
  payload: 'slipway.dev/payload',
  /** What starts the cluster besides the first boot of its first machine; absent where that is enough. */
  nodeStart: 'slipway.dev/node-start',
  /** Which objects of a group leave, and by which rules: contract "group". */
  group: 'slipway.dev/group',
  /** What the first releases wrote instead of the contract "group"; the number still is, for an in-place-update step of theirs. */
  leaving: 'slipway.dev/leaving',
  lost: 'slipway.dev/lost',
  updateClaims: 'slipway.dev/update-claims',
  updatePlan: 'slipway.dev/update-plan',
  /** `true`, set by whoever starts the pipeline: the update plan is to list ignored fields even where nothing else is to do. */
  updatePlanIgnored: 'slipway.dev/update-plan-ignored',
  nodeUpdate: 'slipway.dev/node-update',
  updateProgress: 'slipway.dev/update-progress',
  /** Beside a fatal result: what a program can act on. */
  refusal: 'slipway.dev/refusal',
} as const;

/** Condition types of our kinds: Cluster API v1beta2's words. Ready and Synced are Crossplane's own. */
export const CONDITION = {
  available: 'Available',
  infrastructureReady: 'InfrastructureReady',
  certificatesAvailable: 'CertificatesAvailable',
  controlPlaneInitialized: 'ControlPlaneInitialized',
  controlPlaneAvailable: 'ControlPlaneAvailable',
  bootstrapConfigReady: 'BootstrapConfigReady',
  nodeHealthy: 'NodeHealthy',
  machinesReady: 'MachinesReady',
  /** Not UpToDate: that type is Crossplane's own, which drops it when a function sets it. */
  upToDate: 'MachinesUpToDate',
  rollingOut: 'RollingOut',
  scalingUp: 'ScalingUp',
  scalingDown: 'ScalingDown',
  remediating: 'Remediating',
  updating: 'Updating',
  /** False when a rule of the in-place-update step cannot mean what it says; its message names the rules by index. */
  updateRulesAccepted: 'UpdateRulesAccepted',
  /** False while a pool keeps the version it has instead of the one it asks for. */
  versionAccepted: 'VersionAccepted',
  /** False when an input cannot be accepted; True otherwise. Its message names field, value and what is accepted. */
  claimAccepted: 'ClaimAccepted',
} as const;

/** Secret type and keys of Cluster API, so that its tools and ours read each other's. */
export const SECRET_TYPE = 'cluster.x-k8s.io/secret';

/**
 * Seconds. A settled object is looked at rarely; one under way, or behind an open circuit breaker, often. One that
 * follows another object, of whose changes Crossplane does not tell it, in between.
 */
export const TTL = { settled: 600, following: 60, underWay: 10 } as const;
