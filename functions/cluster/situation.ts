/**
 * The input of one call: the claim, the input of the Composition, observed resources, and the status of earlier calls.
 * Reading refuses what cannot be accepted; after that, no code reads raw JSON.
 */
import { z } from 'zod';
import { nameFault } from '#lib/api/kinds/claim-name.ts';
import { Cluster, ClusterStatus } from '#lib/api/kinds/cluster.ts';
import { refusalFor } from '#lib/api/refusal.ts';
import { observedObjects, readClaim, readOwnStatus } from '#lib/fn/composite.ts';
import { readInput } from '#lib/fn/input.ts';
import type { Request } from '#lib/fn/request.ts';
import type { ClusterSituation } from '#lib/cloud/infrastructure.ts';
import { anyTraffic, trafficOf } from '../bootstrap/traits.ts';
import type { ClusterInput } from './input.ts';

export type Situation = ClusterSituation<ClusterInput>;

/** Before the ids of existing parts are known. */
export type CalledSituation = Omit<Situation, 'cluster'> & { readonly cluster: Cluster };

const Own = z.strictObject({ status: ClusterStatus });

/** @param schema  of the input */
export function readSituation(request: Request, schema: z.ZodType<ClusterInput>): CalledSituation {
  const { claim: cluster, composite, owner } = readClaim(request, Cluster);
  const fault = nameFault('Cluster', cluster.metadata.name);
  if (fault !== undefined) throw refusalFor(owner, 'metadata.name', fault);
  return {
    cluster,
    composite,
    owner,
    input: readInput(request, schema, 'ClusterInput'),
    observed: observedObjects(request),
    previous: readOwnStatus(request, Own),
    traffic: trafficOf(cluster.spec.bootstrap.provider, cluster.spec.bootstrap.config),
    anyTraffic: anyTraffic(),
  };
}
