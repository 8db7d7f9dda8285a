/**
 * Decides how hosts become nodes. For a Cluster it makes and keeps what all nodes share; for a Machine it writes
 * a plan that no first-boot format shows through. What was made once is only ever read again.
 */
import { seconds } from '#lib/api/fields/text.ts';

import { Cluster } from '#lib/api/kinds/cluster.ts';
import { Machine } from '#lib/api/kinds/machine.ts';
import { PAYLOAD_RESOURCE } from '#lib/api/contracts/payload.ts';
import { describeObject } from '#lib/api/names.ts';
import { parseAs } from '#lib/api/parse.ts';
import { API_VERSION, CONDITION, CONTEXT } from '#lib/api/words.ts';
import { SlipwayError } from '#lib/api/errors.ts';
import type { CompositionFunction } from '#lib/fn/function.ts';
import { readInput } from '#lib/fn/input.ts';
import { Reply } from '#lib/fn/reply.ts';
import type { Request } from '#lib/fn/request.ts';
import type { World } from '#lib/fn/world.ts';
import { bootstrapperOf } from './bootstrapper.ts';
import { BootstrapInput } from './input.ts';

export const run: CompositionFunction = async (request, world) => {
  const input = readInput(request, BootstrapInput, 'BootstrapInput');
  const reply = new Reply(request);
  if (input.ttl !== undefined) reply.ttl(seconds(input.ttl));
  const { composite } = request.observed;
  if (composite.kind === 'Cluster') await forCluster(request, reply, world, input);
  else if (composite.kind === 'Machine') forMachine(request, reply, world, input);
  else
    throw new SlipwayError(
      'BrokenContract',
      `cannot bootstrap ${describeObject(composite)}: accepted kinds: Cluster, Machine`,
    );
  return reply;
};

async function forCluster(request: Request, reply: Reply, world: World, input: BootstrapInput): Promise<void> {
  const owner = describeObject(request.observed.composite);
  const composite = parseAs(Cluster, request.observed.composite, owner);
  await bootstrapperOf(composite.spec.bootstrap.provider, owner).forCluster({
    request,
    reply,
    world,
    input,
    composite,
    owner,
  });
}

function forMachine(request: Request, reply: Reply, world: World, input: BootstrapInput): void {
  const owner = describeObject(request.observed.composite);
  const { status: _status, ...claim } = request.observed.composite;
  const composite = parseAs(Machine, claim, owner);
  if (request.observed.resources.has(PAYLOAD_RESOURCE)) {
    reply.condition(CONDITION.bootstrapConfigReady, true, 'DataSecretProvided');
    return;
  }
  const bootstrapper = bootstrapperOf(composite.spec.bootstrap.provider, owner);
  const { namespace } = composite.metadata;
  const { name } = composite.spec.clusterRef;
  const clusters = reply.require('cluster', { apiVersion: API_VERSION, kind: 'Cluster', namespace, matchName: name });
  const [object] = clusters ?? [];
  if (object === undefined)
    return wait(reply, `waiting for Cluster "${namespace}/${name}"${clusters === undefined ? '' : ': not found'}`);
  const cluster = parseAs(Cluster, object, describeObject(object), 'InvalidObserved');
  const early = notYet(cluster, composite);
  const outcome = bootstrapper.forMachine({ request, reply, world, input, composite, owner }, cluster);
  if (early !== undefined) return wait(reply, early);
  if ('waiting' in outcome) return wait(reply, outcome.waiting);
  reply.context(CONTEXT.bootstrapPlan, outcome).condition(CONDITION.bootstrapConfigReady, true, 'PlanProvided');
}

/** The cluster is started once; everybody else joins what was started. */
function notYet(cluster: Cluster, { spec }: Machine): string | undefined {
  const { name } = cluster.metadata;
  const initialized = cluster.status?.controlPlane?.initialized === true;
  if (spec.bootstrap.action === 'Join' && !initialized)
    return `waiting for the control plane of Cluster ${name} to be initialized`;
  return undefined;
}

function wait(reply: Reply, message: string): void {
  reply.notReady().condition(CONDITION.bootstrapConfigReady, false, 'Waiting', message);
}
