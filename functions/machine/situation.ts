/**
 * Everything one call decides from: the Machine, its Cluster's infrastructure, what is observed and what an
 * earlier call told. Reading refuses what cannot be accepted; nothing past it looks at raw JSON.
 */
import { z } from 'zod';
import { InfrastructureStatus } from '#lib/api/contracts/infrastructure-status.ts';
import type { KubeObject } from '#lib/api/json.ts';
import { SlipwayError } from '#lib/api/errors.ts';
import { Machine, MachineStatus } from '#lib/api/kinds/machine.ts';
import { describeObject } from '#lib/api/names.ts';
import { parseAs } from '#lib/api/parse.ts';
import { readInput } from '#lib/fn/input.ts';
import type { Request } from '#lib/fn/request.ts';
import { MachineInput } from './input.ts';

export interface Situation {
  readonly machine: Machine;
  /** The XR as observed, for its conditions. */
  readonly composite: KubeObject;
  /** How messages call the Machine. */
  readonly owner: string;
  readonly input: MachineInput;
  /** Composed resources by composition resource name. */
  readonly observed: ReadonlyMap<string, KubeObject>;
  /** The status an earlier call wrote. */
  readonly previous: MachineStatus;
}

const Own = z.looseObject({ status: MachineStatus });

export function readSituation(request: Request): Situation {
  const { composite, resources } = request.observed;
  const owner = describeObject(composite);
  const { status, ...claim } = composite;
  return {
    machine: parseAs(Machine, claim, owner),
    composite,
    owner,
    input: readInput(request, MachineInput, 'MachineInput'),
    observed: new Map([...resources].map(([key, { resource }]) => [key, resource])),
    previous: parseAs(Own, { status: status ?? {} }, owner, 'InvalidObserved').status,
  };
}

// Only what this step reads: whether the rest of a Cluster can be accepted is said on the Cluster.
const Told = z.looseObject({
  status: z.looseObject({ infrastructure: InfrastructureStatus.optional() }).optional(),
});

/** The infrastructure a required Cluster tells; undefined until machines can be made. */
export function readInfrastructure(
  { owner, input }: Situation,
  cluster: KubeObject | undefined,
): InfrastructureStatus | undefined {
  if (cluster === undefined) return undefined;
  const { status } = parseAs(Told, cluster, describeObject(cluster), 'InvalidObserved');
  const infrastructure = status?.infrastructure;
  if (infrastructure?.ready !== true) return undefined;
  if (infrastructure.cloud === input.cloud) return infrastructure;
  throw new SlipwayError(
    'InvalidClaim',
    `cannot make ${owner}: its ${describeObject(cluster)} is on ${infrastructure.cloud}, but the Composition chosen by spec.crossplane makes machines on ${input.cloud}`,
  );
}
