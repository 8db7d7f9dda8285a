/** Named roll-outs: a pool, its edits and their times, and its required end. */
import type { JsonObject } from '#lib/api/json.ts';

/** What a user does, or what happens to the pool from outside. */
export interface Edit {
  /** Step after the pool was complete. */
  readonly at: number;
  readonly spec?: JsonObject;
  /** Its machines may only be in these zones of its flavour, by their positions. */
  readonly zones?: readonly number[];
  /** The new version of the Cluster. */
  readonly version?: string;
  /** The version of its control plane from then on; by default the new version at once. */
  readonly runs?: string;
  /** The number of machines that become unhealthy for good. */
  readonly sick?: number;
  /** The number of machines that a user deletes. */
  readonly removed?: number;
  /** A user adds this annotation to one machine. */
  readonly marked?: string;
}

/** One pool and its edits. */
export interface Case {
  readonly name: string;
  readonly spec: JsonObject;
  readonly edits: readonly Edit[];
  /** Fields of every machine at the end, in addition to those in the claim. */
  readonly ends?: JsonObject;
  /** Machines do not change although the claim did. */
  readonly stays?: boolean;
  /** All machines of the complete pool still exist at the end, if there were no failures. */
  readonly inPlace?: boolean;
  /** It cannot be settled; it is checked for that many hours. */
  readonly hours?: number;
  /** The log without failures is a golden file in golden/. */
  readonly golden?: boolean;
}

/** Cases of one kind: a seed selects one of them, so that a thousand seeds run each many times. */
export interface Scenario {
  readonly name: string;
  readonly cases: readonly Case[];
}

/** Short times, so that a run is short; everything else has its default. */
export const HEALTH: JsonObject = {
  nodeStartupTimeout: '3m',
  retryPeriod: '2m',
  unhealthyConditions: [{ type: 'Ready', status: 'False', timeout: '2m' }],
};

export const IMAGE = { class: 'standard-4', image: 'ubuntu-26.04' };
export const replaced = { machine: IMAGE };
export const resized = { machine: { class: 'standard-8' } };
export const TAINTED = { taints: [{ key: 'maintenance', effect: 'NoExecute' }] };
export const SYSCTL = { provisioning: { sysctls: { 'vm.swappiness': '10' } } };

export const budget = (maxSurge: number | string, maxUnavailable: number | string): JsonObject => ({
  update: { maxSurge, maxUnavailable },
});

export function workers(replicas: number, maxSurge: number | string, maxUnavailable: number | string): JsonObject {
  return { replicas, health: HEALTH, ...budget(maxSurge, maxUnavailable) };
}

/** As functions/cluster composes it. */
export function controlPlane(replicas: number): JsonObject {
  return {
    replicas,
    role: 'control-plane',
    health: HEALTH,
    update: { strategy: 'RollingUpdate', ...(budget(1, 0)['update'] as JsonObject) },
  };
}
