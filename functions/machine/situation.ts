/**
 * The input of one call: the Machine, the infrastructure of its Cluster, observed resources and the status of earlier
 * calls. Reading refuses what cannot be accepted; after that, no code reads raw JSON.
 */
import { z } from 'zod';
import { InfrastructureStatus } from '#lib/api/contracts/infrastructure-status.ts';
import { PAYLOAD_RESOURCE } from '#lib/api/contracts/payload.ts';
import type { KubeObject } from '#lib/api/json.ts';
import { SlipwayError } from '#lib/api/errors.ts';
import { Machine, MachineStatus } from '#lib/api/kinds/machine.ts';
import { describeObject } from '#lib/api/names.ts';
import { parseAs } from '#lib/api/parse.ts';
import { refusal } from '#lib/api/refusal.ts';
import { LABEL } from '#lib/api/words.ts';
import { observedObjects, readClaim, readOwnStatus } from '#lib/fn/composite.ts';
import { readInput } from '#lib/fn/input.ts';
import type { Request } from '#lib/fn/request.ts';
import type { MachineSituation } from '#lib/cloud/machine.ts';
import type { MachineInput } from './input.ts';

export type Situation = MachineSituation<MachineInput>;

const Own = z.looseObject({ status: MachineStatus });

/** @param schema  of the input */
export function readSituation(request: Request, schema: z.ZodType<MachineInput>): Situation {
  const { claim: machine, composite, owner } = readClaim(request, Machine);
  const observed = observedObjects(request);
  refuseMove(machine, observed.get(PAYLOAD_RESOURCE), owner);
  return {
    machine,
    composite,
    owner,
    input: readInput(request, schema, 'MachineInput'),
    observed,
    previous: readOwnStatus(request, Own),
  };
}

/**
 * First-boot data contains the cluster and role that the machine was created for, so these cannot change, even if the
 * API server allowed it.
 */
function refuseMove({ spec }: Machine, payload: KubeObject | undefined, owner: string): void {
  const { [LABEL.cluster]: cluster, [LABEL.role]: role } = payload?.metadata?.labels ?? {};
  const { name } = spec.clusterRef;
  if (cluster !== undefined && cluster !== name)
    throw refusal(owner, 'spec.clusterRef.name', name, `${cluster}, since a node cannot move to another cluster`);
  if (role !== undefined && role !== spec.role)
    throw refusal(owner, 'spec.role', spec.role, `${role}, since the role of a node cannot change`);
}

// Only the fields that this step reads; errors in the rest of a Cluster are reported on the Cluster.
const ReadCluster = z.looseObject({
  status: z.looseObject({ infrastructure: InfrastructureStatus.optional() }).optional(),
});

export function isGoing(cluster: KubeObject | undefined): boolean {
  return cluster?.metadata?.deletionTimestamp !== undefined;
}

/**
 * The infrastructure status of a required Cluster; undefined until machines can be created, and while the Cluster is
 * being deleted.
 */
export function readInfrastructure(
  { owner, input }: Situation,
  cluster: KubeObject | undefined,
): InfrastructureStatus | undefined {
  if (cluster === undefined) return undefined;
  const { status } = parseAs(ReadCluster, cluster, describeObject(cluster), 'InvalidObserved');
  const infrastructure = isGoing(cluster) ? undefined : status?.infrastructure;
  if (infrastructure?.ready !== true) return undefined;
  if (infrastructure.cloud === input.cloud) return infrastructure;
  throw new SlipwayError(
    'InvalidClaim',
    `cannot create ${owner}: its ${describeObject(cluster)} is on ${infrastructure.cloud}, but the Composition chosen by spec.crossplane creates machines on ${input.cloud}`,
  );
}
