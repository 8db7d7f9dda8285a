/**
 * Everything one call decides from: the claim, the Composition's input, what is observed, and what an earlier
 * call already told the world. Reading refuses what cannot be accepted; nothing past it looks at raw JSON.
 */
import { z } from 'zod';
import type { KubeObject } from '#lib/api/json.ts';
import { Cluster, ClusterStatus } from '#lib/api/kinds/cluster.ts';
import { describeObject } from '#lib/api/names.ts';
import { parseAs } from '#lib/api/parse.ts';
import type { Request } from '#lib/fn/request.ts';
import { readInput } from '#lib/fn/input.ts';
import { ClusterInput } from './input.ts';
import { refusal } from '#lib/api/refusal.ts';

export interface Situation {
  readonly cluster: Cluster;
  /** The claim as observed, for its conditions. */
  readonly composite: KubeObject;
  /** How messages call the claim. */
  readonly owner: string;
  readonly input: ClusterInput;
  /** Composed resources by composition resource name. */
  readonly observed: ReadonlyMap<string, KubeObject>;
  /** The status an earlier call wrote: what is known for ever. */
  readonly previous: ClusterStatus;
}

// Machines are named <cluster>-control-plane-<slot>-<rev>, and a host name has at most 63 characters.
const LONGEST_NAME = 63 - '-control-plane-0-xxxxx'.length;

const Own = z.strictObject({ status: ClusterStatus });

export function readSituation(request: Request): Situation {
  const { composite, resources } = request.observed;
  const owner = describeObject(composite);
  const { status, ...claim } = composite;
  const cluster = parseAs(Cluster, claim, owner);
  const { name } = cluster.metadata;
  if (name.length > LONGEST_NAME || !/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(name)) {
    const accepted = `at most ${LONGEST_NAME} lower-case letters, digits and -, since machines and host names begin with it`;
    throw refusal(owner, 'metadata.name', name, accepted);
  }
  return {
    cluster,
    composite,
    owner,
    input: readInput(request, ClusterInput, 'ClusterInput'),
    observed: new Map([...resources].map(([key, { resource }]) => [key, resource])),
    previous: parseAs(Own, { status: status ?? {} }, owner, 'InvalidObserved').status,
  };
}
