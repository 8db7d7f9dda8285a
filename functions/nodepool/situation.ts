/**
 * Everything one call decides from: the claim, its Cluster, the pool's machines and what an earlier call told.
 * Reading refuses what cannot be accepted; nothing past it looks at raw JSON.
 */
import { z } from 'zod';
import type { KubeObject } from '#lib/api/json.ts';
import { Cluster } from '#lib/api/kinds/cluster.ts';
import { NodePool, NodePoolStatus } from '#lib/api/kinds/node-pool.ts';
import { describeObject } from '#lib/api/names.ts';
import { parseAs } from '#lib/api/parse.ts';
import { refusal } from '#lib/api/refusal.ts';
import { readInput } from '#lib/fn/input.ts';
import type { Request } from '#lib/fn/request.ts';
import { NodePoolInput } from './input.ts';
import { type PoolMachine, readMachines } from './machines.ts';

export interface Situation {
  readonly pool: NodePool;
  /** The claim as observed, for its conditions. */
  readonly composite: KubeObject;
  /** How messages call the claim. */
  readonly owner: string;
  readonly input: NodePoolInput;
  /** Composed Machines that are not on their way out. */
  readonly machines: readonly PoolMachine[];
  /** The status an earlier call wrote. */
  readonly previous: NodePoolStatus;
}

// Machines are named <pool>-<slot>-<rev>, and a host name has at most 63 characters.
const LONGEST_NAME = 63 - '-1999-xxxxx'.length;

const Own = z.looseObject({ status: NodePoolStatus });

export function readSituation(request: Request): Situation {
  const { composite, resources } = request.observed;
  const owner = describeObject(composite);
  const { status, ...claim } = composite;
  const pool = parseAs(NodePool, claim, owner);
  const { name } = pool.metadata;
  if (name.length > LONGEST_NAME || !/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(name))
    throw refusal(
      owner,
      'metadata.name',
      name,
      `at most ${LONGEST_NAME} lower-case letters, digits and -, since host names begin with it`,
    );
  const { role, replicas } = pool.spec;
  if (role === 'control-plane' && replicas % 2 === 0)
    throw refusal(
      owner,
      'spec.replicas',
      replicas,
      'an odd number, so that etcd keeps a majority when a machine is lost',
    );
  return {
    pool,
    composite,
    owner,
    input: readInput(request, NodePoolInput, 'NodePoolInput'),
    machines: readMachines(
      new Map([...resources].map(([key, { resource }]) => [key, resource])),
      pool.spec.update.minReadySeconds,
    ),
    previous: parseAs(Own, { status: status ?? {} }, owner, 'InvalidObserved').status,
  };
}

/** A Cluster that was required, its status included. */
export function readCluster(object: KubeObject): Cluster {
  return parseAs(Cluster, object, describeObject(object), 'InvalidObserved');
}
