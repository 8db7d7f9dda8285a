/** What a cloud does for the cluster step; the function knows no more about any cloud. */
import type { InfrastructureStatus } from '#lib/api/contracts/infrastructure-status.ts';
import type { KubeObject } from '#lib/api/json.ts';
import type { Cluster, ClusterStatus } from '#lib/api/kinds/cluster.ts';
import type { NeutralClusterInput } from './cluster-input.ts';
import type { HasInput } from './registry.ts';
import type { Traffic } from './traffic.ts';

/** Everything a call decides from: the claim, the Composition's input, what is observed, what an earlier call told. */
export interface ClusterSituation<Input = NeutralClusterInput> {
  readonly cluster: Cluster;
  /** The claim as observed, for its conditions. */
  readonly composite: KubeObject;
  /** How messages call the claim. */
  readonly owner: string;
  readonly input: Input;
  /** Composed resources by composition resource name. */
  readonly observed: ReadonlyMap<string, KubeObject>;
  /** The status an earlier call wrote: what is known for ever. */
  readonly previous: ClusterStatus;
  /** As the cluster's bootstrapper has it. */
  readonly traffic: Traffic;
  /** Of every bootstrapper: what another one had opened is known by it. */
  readonly anyTraffic: Traffic;
}

export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/** The infrastructure status but for `ready`, which is decided apart. */
export type KnownInfrastructure = Pick<
  InfrastructureStatus,
  | 'contract'
  | 'cloud'
  | 'region'
  | 'network'
  | 'failureDomains'
  | 'controlPlane'
  | 'worker'
  | 'providerIDFormat'
  | 'metadataService'
  | 'tags'
>;

/** One cluster on one cloud, as one call sees it. */
export interface Infrastructure {
  /** Every managed resource that should exist, by composition resource name. */
  readonly resources: ReadonlyMap<string, KubeObject>;
  /** What is known by now, values told before included. */
  readonly status: KnownInfrastructure;
  /** Whether the status says everything a machine needs. */
  readonly complete: boolean;
  /** Endpoint of the Kubernetes API, once the cloud told. */
  readonly endpoint: Endpoint | undefined;
  /** Of a cloud that manages control planes: how far this one is. */
  readonly controlPlane?: ManagedControlPlane;
  /** Things the claim's author should know though nothing is wrong: one phrase each. */
  readonly notes: readonly string[];
}

/** A control plane that the cloud itself runs: what it tells of it. */
export interface ManagedControlPlane {
  /** Whether it answered once; what was told once stays so. */
  readonly initialized: boolean;
  /** The version it runs; undefined until the cloud tells. */
  readonly version: string | undefined;
  /** What nodes trust it by: certificates in PEM, in base64; undefined until the cloud tells. */
  readonly certificateAuthority: string | undefined;
  /** Why it does not serve now; undefined when it does. */
  readonly problem: string | undefined;
}

/** @typeParam Input  the neutral input and this cloud's own section */
export interface InfrastructureCloud<Input> extends HasInput {
  /** Decides; refuses what the cloud cannot carry by throwing. */
  readonly plan: (situation: ClusterSituation<Input>) => Infrastructure;
  /** Why an observed managed resource is not ready, its kind's own state included; undefined when it is. */
  readonly whyNotReady: (object: KubeObject | undefined) => string | undefined;
  /** Whether an observed object must stay although it is no longer planned. @param key  its composition resource name */
  readonly mustStay: (object: KubeObject, key: string, situation: ClusterSituation<Input>) => boolean;
  /** Kinds the machine step composes: overrides of these go to the control-plane pool. */
  readonly machineKinds: ReadonlySet<string>;
  /** Who runs control planes: a pool of machines that is composed beside the infrastructure, or the cloud as part of it. */
  readonly controlPlane: 'machines' | 'managed';
}

/** By the name a Composition says. What a cloud's own section of the input is only that cloud knows. */
export type InfrastructureClouds = Readonly<Record<string, InfrastructureCloud<never>>>;
