/** Named roll-outs: a pool, what is done to it and when, and what it must come to. */
import type { JsonObject } from '#lib/api/json.ts';

/** What somebody does, or what happens to the pool from outside. */
export interface Edit {
  /** Step after the pool was complete. */
  readonly at: number;
  readonly spec?: JsonObject;
  /** The Cluster's new version. */
  readonly version?: string;
  /** What its control plane runs from then on; left out, that version at once. */
  readonly runs?: string;
  /** How many machines fall sick, for ever. */
  readonly sick?: number;
  /** How many machines somebody deletes. */
  readonly removed?: number;
  /** Somebody marks one machine with this annotation. */
  readonly marked?: string;
}

/** One pool and its edits. */
export interface Case {
  readonly name: string;
  readonly spec: JsonObject;
  readonly edits: readonly Edit[];
  /** Fields of every machine at the end, beside what the pool asks for. */
  readonly ends?: JsonObject;
  /** Machines stay what they are though the pool asks for something else. */
  readonly stays?: boolean;
  /** Machines the pool was complete with are all still there at the end, if nothing went wrong. */
  readonly inPlace?: boolean;
  /** It cannot come to an end; it is watched for that many hours. */
  readonly hours?: number;
  /** What happens when nothing goes wrong is written down, in golden/. */
  readonly told?: boolean;
}

/** Cases of one kind: a seed takes one of them, so that a thousand seeds take each many times. */
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
