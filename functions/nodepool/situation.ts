/**
 * The input of one call: the claim, its Cluster, the machines of the pool and the status of earlier calls. Reading
 * refuses what cannot be accepted; after that, no code reads raw JSON.
 */
import { z } from 'zod';
import { type KubeObject, stringAt } from '#lib/api/json.ts';
import { nameFault } from '#lib/api/kinds/claim-name.ts';
import { NodePool, NodePoolStatus } from '#lib/api/kinds/node-pool.ts';
import { refusal, refusalFor } from '#lib/api/refusal.ts';
import { observedObjects, readClaim, readOwnStatus } from '#lib/fn/composite.ts';
import { readInput } from '#lib/fn/input.ts';
import type { Request } from '#lib/fn/request.ts';
import { NodePoolInput } from './input.ts';
import { type Others, isComplete, othersOf } from './leaving.ts';
import { type PoolMachine, readMachines } from './machines.ts';
import { type ReadPool, type SizedPool, sizedPool } from './size.ts';

export interface PoolSituation extends ClaimedSituation {
  readonly pool: ReadPool;
}

/** Before the overrides that are elsewhere were read. */
export interface ClaimedSituation {
  /** With the size that it has if the claim does not say it. */
  readonly pool: SizedPool;
  /** The claim as observed, for its conditions. */
  readonly composite: KubeObject;
  /** Name of the claim in messages. */
  readonly owner: string;
  readonly input: NodePoolInput;
  /** Machines of the pool that are not being deleted, including those missing from this observation. */
  readonly machines: readonly PoolMachine[];
  readonly others: Others;
  /** What is observed is all of its machines: nobody needs a list of them. */
  readonly complete: boolean;
  /** The status an earlier call wrote. */
  readonly previous: NodePoolStatus;
}

/** The requirement that lists the pool's Machines. */
export const MACHINES = 'machines';

const Own = z.looseObject({ status: NodePoolStatus });

/** @param listed  the list of its machines counts, also if what is observed seems to be all of them */
export function readSituation(request: Request, listed = false): ClaimedSituation {
  const { claim, composite, owner } = readClaim(request, NodePool);
  const observed = observedObjects(request);
  const fault = nameFault('NodePool', claim.metadata.name);
  if (fault !== undefined) throw refusalFor(owner, 'metadata.name', fault);
  const input = readInput(request, NodePoolInput, 'NodePoolInput');
  for (const object of observed.values()) refuseMove(claim, object, owner);
  const previous = readOwnStatus(request, Own);
  const complete = !listed && isComplete(request, previous);
  const others = othersOf(complete ? [] : (request.required.get(MACHINES) ?? []), request, previous);
  const machines = readMachines(new Map([...observed, ...others.unobserved]), claim.spec.update.minReadySeconds);
  const pool = sizedPool(claim, machines, previous);
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
    input,
    machines,
    others,
    complete,
    previous,
  };
}

/** Its machines belong to a cluster, so this cannot change, even if the API server allowed it. */
function refuseMove({ spec }: NodePool, machine: KubeObject, owner: string): void {
  const cluster = stringAt(machine.spec, 'clusterRef', 'name');
  const { name } = spec.clusterRef;
  if (cluster === undefined || cluster === name) return;
  throw refusal(owner, 'spec.clusterRef.name', name, `${cluster}, since nodes cannot move to another cluster`);
}
