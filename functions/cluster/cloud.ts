/** What a cloud's folder does for the cluster step; fn.ts knows no more about any cloud. */
import type { InfrastructureStatus } from '#lib/api/contracts/infrastructure-status.ts';
import type { KubeObject } from '#lib/api/json.ts';
import type { Situation } from './situation.ts';

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
  /** Where the Kubernetes API answers, once the cloud told. */
  readonly endpoint: Endpoint | undefined;
  /** Things the claim's author should know though nothing is wrong: one phrase each. */
  readonly notes: readonly string[];
}

export interface Cloud {
  /** Decides; refuses what the cloud cannot carry by throwing. */
  readonly plan: (situation: Situation) => Infrastructure;
  /** Why an observed managed resource is not ready, its kind's own state included; undefined when it is. */
  readonly whyNotReady: (object: KubeObject | undefined) => string | undefined;
  /** Whether an observed object must stay although it is no longer planned. */
  readonly mustStay: (object: KubeObject) => boolean;
  /** Kinds the machine step composes: overrides of these go to the control-plane pool. */
  readonly machineKinds: ReadonlySet<string>;
}
