/**
 * The input of one call: the claim, the input of the Composition, observed resources, and the status of earlier calls.
 * Reading refuses what cannot be accepted; after that, no code reads raw JSON.
 */
import { z } from 'zod';
import { Cluster, ClusterStatus } from '#lib/api/kinds/cluster.ts';
import { refusal } from '#lib/api/refusal.ts';
import { observedObjects, readClaim, readOwnStatus } from '#lib/fn/composite.ts';
import { readInput } from '#lib/fn/input.ts';
import type { Request } from '#lib/fn/request.ts';
import type { ClusterSituation } from '#lib/cloud/infrastructure.ts';
import { anyTraffic, trafficOf } from '../bootstrap/traits.ts';
import type { ClusterInput } from './input.ts';

export type Situation = ClusterSituation<ClusterInput>;

/** Before the ids of existing parts are known. */
export type CalledSituation = Omit<Situation, 'cluster'> & { readonly cluster: Cluster };

// Its pool is <cluster>-control-plane, whose machines are named <pool>-<slot>-<rev>; a host name has at most 63
// characters. The nodepool step leaves as much room for the slot, whatever the role.
const LONGEST_NAME = 63 - '-control-plane-1999-xxxxx'.length;

const Own = z.strictObject({ status: ClusterStatus });

/** @param schema  of the input */
export function readSituation(request: Request, schema: z.ZodType<ClusterInput>): CalledSituation {
  const { claim: cluster, composite, owner } = readClaim(request, Cluster);
  const { name } = cluster.metadata;
  if (name.length > LONGEST_NAME || !/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(name)) {
    const accepted = `at most ${LONGEST_NAME} lower-case letters, digits and -, since names of machines and hosts start with it`;
    throw refusal(owner, 'metadata.name', name, accepted);
  }
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
