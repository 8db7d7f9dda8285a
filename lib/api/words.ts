/** The names that Slipway shares with the cluster: groups, labels, annotations, context keys, condition types. */

export const GROUP = 'slipway.dev';
export const API_VERSION = 'slipway.dev/v1alpha1';
export const NODE_API_VERSION = 'node.slipway.dev/v1alpha1';
/** Usage of Crossplane: an object in use cannot be deleted. */
export const USAGE_API_VERSION = 'protection.crossplane.io/v1beta1';
/** Of provider-helm and provider-kubernetes, which apply add-ons. */
export const HELM_API_VERSION = 'helm.m.crossplane.io/v1beta1';
export const KUBERNETES_API_VERSION = 'kubernetes.m.crossplane.io/v1alpha1';
export const INPUT_API_VERSION = 'fn.slipway.dev/v1alpha1';

export const LABEL = {
  /** Cluster API's own label, so that its tools find our Secrets. */
  clusterName: 'cluster.x-k8s.io/cluster-name',
  cluster: 'slipway.dev/cluster',
  nodePool: 'slipway.dev/nodepool',
  role: 'slipway.dev/role',
  /** The slot of a group that an object fills; one slot has two objects only while it is being replaced. */
  slot: 'slipway.dev/slot',
  /** Number of machines that a pool ever created, so that no name is used twice. Written once, never changed. */
  serial: 'slipway.dev/serial',
  failureDomain: 'slipway.dev/failure-domain',
  /** Of a Node whose claim says spec.machine.capacityType: its value. */
  capacityType: 'slipway.dev/capacity-type',
  /** The add-on that an object is part of. */
  addOn: 'slipway.dev/addon',
  /** What a Composition provides; claims select it. */
  flavor: 'slipway.dev/flavor',
} as const;

/** Labels of all resources of a cluster. */
export function clusterLabels(cluster: string): Record<string, string> {
  return { [LABEL.clusterName]: cluster, [LABEL.cluster]: cluster };
}

/** Annotations that a user sets on a Machine; the value does not matter. And those that a pool sets for itself. */
export const ANNOTATION = {
  /** When scaling down, it is deleted first. */
  deleteMachine: 'slipway.dev/delete-machine',
  /** When scaling down, it is deleted last. */
  keepMachine: 'slipway.dev/keep-machine',
  /** It is replaced as if it were unhealthy. */
  remediateMachine: 'slipway.dev/remediate-machine',
  /** It is never replaced for being unhealthy, and does not count. */
  skipRemediation: 'slipway.dev/skip-remediation',
  /** JSON about the machine that it replaces, set by its pool: `{"machine":"general-1-abcde","retryCount":1}`. */
  remediationFor: 'slipway.dev/remediation-for',
  /**
   * Hash of the spec that a Machine was last given completely, set by its pool: it distinguishes a direct edit from a
   * changed claim.
   */
  template: 'slipway.dev/template',
} as const;

/** Keep or Delete: what becomes of an add-on that is taken out, as it was last asked for. */
export const ADD_ON_POLICY = 'slipway.dev/addon-policy';

/** Annotation of a NodePool, set by the Cluster that composes it: hash of what machines take from the Cluster. */
export const CLUSTER_SETTINGS = 'slipway.dev/cluster-settings';

/** Annotation that a user sets on a Secret with keys of a cluster: uid of the Cluster that shall use them. */
export const CLUSTER_UID = 'slipway.dev/cluster-uid';

/** Written by Crossplane on composed resources. */
export const CROSSPLANE = {
  compositionResourceName: 'crossplane.io/composition-resource-name',
  composite: 'crossplane.io/composite',
  externalName: 'crossplane.io/external-name',
  paused: 'crossplane.io/paused',
  pollInterval: 'crossplane.io/poll-interval',
  reconcileRequestedAt: 'crossplane.io/reconcile-requested-at',
  /** Labels of a ProviderConfigUsage. */
  providerConfig: 'crossplane.io/provider-config',
  providerConfigKind: 'crossplane.io/provider-config-kind',
} as const;

/** Keys of the pipeline context; the values are the contracts in lib/api/contracts. */
export const CONTEXT = {
  bootstrapPlan: 'slipway.dev/bootstrap-plan',
  payload: 'slipway.dev/payload',
  /** The call that starts the cluster after the first boot of its first machine; absent if the boot is enough. */
  nodeStart: 'slipway.dev/node-start',
  /** The token by which a machine joins its cluster; absent if it needs none, or until it exists. */
  nodeJoin: 'slipway.dev/node-join',
  /** Which objects of a group are removed, and by which rules: contract "group". */
  group: 'slipway.dev/group',
  /**
   * What the first releases wrote instead of the contract "group"; the number is still written for their
   * in-place-update step.
   */
  leaving: 'slipway.dev/leaving',
  lost: 'slipway.dev/lost',
  updateClaims: 'slipway.dev/update-claims',
  updatePlan: 'slipway.dev/update-plan',
  /** `true` at the start of a pipeline: the update plan lists ignored fields even if there is nothing else to do. */
  updatePlanIgnored: 'slipway.dev/update-plan-ignored',
  nodeUpdate: 'slipway.dev/node-update',
  updateProgress: 'slipway.dev/update-progress',
  /** Why the claim is refused: data for programs. */
  refusal: 'slipway.dev/refusal',
  /** The spec that a step decided by instead of the claim, which it refuses. */
  acceptedSpec: 'slipway.dev/accepted-spec',
} as const;

/** Condition types of our kinds, as in Cluster API v1beta2. Ready and Synced belong to Crossplane. */
export const CONDITION = {
  available: 'Available',
  infrastructureReady: 'InfrastructureReady',
  certificatesAvailable: 'CertificatesAvailable',
  controlPlaneInitialized: 'ControlPlaneInitialized',
  controlPlaneAvailable: 'ControlPlaneAvailable',
  bootstrapConfigReady: 'BootstrapConfigReady',
  nodeHealthy: 'NodeHealthy',
  machinesReady: 'MachinesReady',
  addOnsReady: 'AddonsReady',
  /** Not UpToDate: that type belongs to Crossplane, which drops it if a function sets it. */
  upToDate: 'MachinesUpToDate',
  rollingOut: 'RollingOut',
  scalingUp: 'ScalingUp',
  scalingDown: 'ScalingDown',
  remediating: 'Remediating',
  updating: 'Updating',
  /** False if a rule of the in-place-update step is invalid; its message names the rules by index. */
  updateRulesAccepted: 'UpdateRulesAccepted',
  /** False while a pool keeps its version instead of the desired one. */
  versionAccepted: 'VersionAccepted',
  /** False if an input cannot be accepted; True otherwise. Its message names field, value and what is accepted. */
  claimAccepted: 'ClaimAccepted',
} as const;

/** Secret type and keys of Cluster API, so that its tools and ours read each other's. */
export const SECRET_TYPE = 'cluster.x-k8s.io/secret';

/**
 * Seconds. A settled object is checked rarely; one in progress, or behind an open circuit breaker, often. One that
 * waits for objects whose changes may not trigger Crossplane, in between.
 */
export const TTL = { settled: 600, following: 60, underWay: 10 } as const;
