/**
 * Everything one call decides from: the Machine, its Cluster's infrastructure, what is observed and what an
 * earlier call told. Reading refuses what cannot be accepted; nothing past it looks at raw JSON.
 */
import { z } from 'zod';
import type { InfrastructureStatus } from '#lib/api/contracts/infrastructure-status.ts';
import type { KubeObject } from '#lib/api/json.ts';
import { Cluster } from '#lib/api/kinds/cluster.ts';
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

export function readSituation(request: Request): Situation {
  const { composite, resources } = request.observed;
  const owner = describeObject(composite);
  const { status, ...claim } = composite;
  const Own = z.looseObject({ status: MachineStatus });
  return {
    machine: parseAs(Machine, claim, owner),
    composite,
    owner,
    input: readInput(request, MachineInput, 'MachineInput'),
    observed: new Map([...resources].map(([key, { resource }]) => [key, resource])),
    previous: parseAs(Own, { status: status ?? {} }, owner, 'InvalidObserved').status,
  };
}

/** The infrastructure a required Cluster tells; undefined until machines can be made. */
export function readInfrastructure(object: KubeObject | undefined): InfrastructureStatus | undefined {
  if (object === undefined) return undefined;
  const { status } = parseAs(Cluster, object, describeObject(object), 'InvalidObserved');
  return status?.infrastructure?.ready === true ? status.infrastructure : undefined;
}
