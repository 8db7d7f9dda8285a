/** The interface of a cloud for the cluster step; the function knows nothing else about clouds. */
import type { InfrastructureStatus } from '#lib/api/contracts/infrastructure-status.ts';
import type { Existing } from '#lib/api/fields/infrastructure.ts';
import type { KubeObject } from '#lib/api/json.ts';
import type { Cluster, ClusterStatus } from '#lib/api/kinds/cluster.ts';
import type { NeutralClusterInput } from './cluster-input.ts';
import type { Overridable } from '#lib/fn/overridable.ts';
import type { References } from './references.ts';
import type { HasInput } from './registry.ts';
import type { CloudSituation } from './situation.ts';
import type { Traffic } from './traffic.ts';

type Spec = Cluster['spec'];

/** A claim with the ids of all parts that it names. */
export interface ResolvedCluster extends Pick<Cluster, 'apiVersion' | 'kind' | 'metadata'> {
  readonly spec: Omit<Spec, 'infrastructure'> & {
    readonly infrastructure: Omit<Spec['infrastructure'], 'existing'> & { readonly existing: Existing };
  };
}

/** The input of a call: the claim, the input of the Composition, observed resources, the status of earlier calls. */
export interface ClusterSituation<Input = NeutralClusterInput> extends CloudSituation<Input> {
  readonly cluster: ResolvedCluster;
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
  | 'id'
  | 'network'
  | 'apiAccess'
  | 'failureDomains'
  | 'controlPlane'
  | 'worker'
  | 'providerIDFormat'
  | 'metadataService'
  | 'existing'
  | 'tags'
>;

/** One cluster on one cloud, as one call sees it. */
export interface Infrastructure {
  /** Every managed resource that should exist, by composition resource name. */
  readonly resources: ReadonlyMap<string, KubeObject>;
  /** What is known now, including earlier values. */
  readonly status: KnownInfrastructure;
  /** Names of the failure domains that there are to be; undefined: those of the status. */
  readonly zones?: readonly string[];
  /** Whether the status contains everything a machine needs. */
  readonly complete: boolean;
  /** Endpoint of the Kubernetes API, once the cloud told. */
  readonly endpoint: Endpoint | undefined;
  /** Of a cloud that manages control planes: how far this one is. */
  readonly controlPlane?: ManagedControlPlane;
  /** Notes for the author of the claim that are not problems: one phrase each. */
  readonly notes: readonly string[];
}

/** A control plane that the cloud runs: its report. */
export interface ManagedControlPlane {
  /** Whether it was ever reachable; never set back. */
  readonly initialized: boolean;
  /** The version it runs; undefined until the cloud tells. */
  readonly version: string | undefined;
  /** CA certificates for nodes in PEM, in base64; undefined until known. */
  readonly certificateAuthority: string | undefined;
  /** Why it does not serve now; undefined when it does. */
  readonly problem: string | undefined;
}

/** @typeParam Input  the neutral input and this cloud's own section */
export interface InfrastructureCloud<Input> extends HasInput {
  /** Decides; throws for what the cloud does not support. */
  readonly plan: (situation: ClusterSituation<Input>) => Infrastructure;
  /** Why an observed managed resource is not ready, its kind's own state included; undefined when it is. */
  readonly whyNotReady: (object: KubeObject | undefined) => string | undefined;
  /** Whether an observed object must stay although it is no longer planned. @param key its composition resource name */
  readonly mustStay: (
    object: KubeObject,
    key: string,
    situation: Pick<ClusterSituation<Input>, 'anyTraffic'>,
  ) => boolean;
  /** Which managed resources may stand for existing parts; undefined: claims say their ids. */
  readonly references?: References;
  /** What claims may override when the Composition does not say it. */
  readonly overridable: Overridable;
  /** Kinds the machine step composes: overrides of these go to the control-plane pool. */
  readonly machineKinds: ReadonlySet<string>;
  /**
   * How control planes run: as a pool of machines that is composed with the infrastructure, or managed by the cloud.
   */
  readonly controlPlane: 'machines' | 'managed';
  /** Machines may have addresses of IPv6 alone: somebody else gives them. @default false */
  readonly anyAddresses?: boolean;
}

/** By the name in a Composition. Only the cloud itself knows its section of the input. */
export type InfrastructureClouds = Readonly<Record<string, InfrastructureCloud<never>>>;
