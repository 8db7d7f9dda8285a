/**
 * Decides how hosts become nodes. For a Cluster it makes and keeps what all nodes share; for a Machine it writes
 * a plan that no first-boot format shows through. What was made once is only ever read again.
 */
import { PAYLOAD_RESOURCE } from '#lib/api/contracts/payload.ts';
import { SlipwayError } from '#lib/api/errors.ts';
import { seconds } from '#lib/api/fields/text.ts';
import type { JsonObject } from '#lib/api/json.ts';
import { Cluster } from '#lib/api/kinds/cluster.ts';
import { Machine } from '#lib/api/kinds/machine.ts';
import { describeObject } from '#lib/api/names.ts';
import { parseAs } from '#lib/api/parse.ts';
import { refusal } from '#lib/api/refusal.ts';
import { API_VERSION, CONDITION, CONTEXT } from '#lib/api/words.ts';
import type { CompositionFunction } from '#lib/fn/function.ts';
import { readInput } from '#lib/fn/input.ts';
import { addNodeScript } from '#lib/fn/node-update.ts';
import { Reply } from '#lib/fn/reply.ts';
import type { Request } from '#lib/fn/request.ts';
import type { World } from '#lib/fn/world.ts';
import type { Bootstrapper, Waiting } from './bootstrapper.ts';
import { BootstrapInput } from './input.ts';
import { bootstrapperOf } from './registry.ts';

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
  const { forCluster } = bootstrapperOf(composite.spec.bootstrap.provider, owner);
  await forCluster({ request, reply, world, input, composite, owner });
}

function forMachine(request: Request, reply: Reply, world: World, input: BootstrapInput): void {
  const owner = describeObject(request.observed.composite);
  // Its status is other steps' work; garbage in it is theirs to name.
  const { status: _status, ...claim } = request.observed.composite;
  const machine = parseAs(Machine, claim, owner);
  addStart(reply, machine, owner);
  if (request.observed.resources.has(PAYLOAD_RESOURCE)) {
    addUpdateScript(request, reply, machine, owner);
    reply.condition(CONDITION.bootstrapConfigReady, true, 'DataSecretProvided');
    return;
  }
  const bootstrapper = bootstrapperOf(machine.spec.bootstrap.provider, owner);
  refuseOs(machine, bootstrapper, owner);
  const cluster = requireCluster(reply, machine);
  if (cluster === undefined) return;
  refuseSecondStart(cluster, machine, owner);
  const outcome = bootstrapper.forMachine({ request, reply, world, input, composite: machine, owner }, cluster);
  const early = notYet(cluster, machine);
  if (early !== undefined) return wait(reply, early);
  if ('waiting' in outcome) return wait(reply, outcome);
  reply
    .context(CONTEXT.bootstrapPlan, outcome as JsonObject)
    .condition(CONDITION.bootstrapConfigReady, true, 'PlanProvided');
}

/** Also when first-boot data is stored: the node's object is made after it, and says it for ever. */
function addStart(reply: Reply, { spec }: Machine, owner: string): void {
  if (spec.bootstrap.action !== 'Init') return;
  const start = bootstrapperOf(spec.bootstrap.provider, owner).start?.(spec.clusterRef.name);
  if (start !== undefined) reply.context(CONTEXT.nodeStart, { ...start });
}

/** What an update in place runs on the node that exists: a shell script, which Windows has no shell for. */
function addUpdateScript(request: Request, reply: Reply, { spec }: Machine, owner: string): void {
  if (spec.update === undefined || spec.machine.os === 'windows') return;
  const script = bootstrapperOf(spec.bootstrap.provider, owner).forUpdate?.(spec.version);
  if (script !== undefined) addNodeScript(request, reply, spec.update, script);
}

/** The Machine's Cluster; undefined, and said so, while it is not there. */
function requireCluster(reply: Reply, { metadata, spec }: Machine): Cluster | undefined {
  const { namespace } = metadata;
  const { name } = spec.clusterRef;
  const found = reply.require('cluster', { apiVersion: API_VERSION, kind: 'Cluster', namespace, matchName: name });
  const [object] = found ?? [];
  if (object !== undefined) return parseAs(Cluster, object, describeObject(object), 'InvalidObserved');
  wait(reply, { waiting: `waiting for Cluster "${namespace}/${name}"${found === undefined ? '' : ': not found'}` });
  return undefined;
}

/** Throws Unsupported for a system that nobody here makes such nodes of. */
function refuseOs({ spec }: Machine, { os: systems = ['linux'] }: Bootstrapper, owner: string): void {
  const { os = 'linux' } = spec.machine;
  if (!systems.includes(os))
    throw refusal(owner, 'spec.machine.os', os, `${systems.join(', ')} with ${spec.bootstrap.provider}`, 'Unsupported');
  if (os === 'windows' && spec.role === 'control-plane')
    throw refusal(owner, 'spec.machine.os', os, 'linux, since no control plane runs on Windows', 'Unsupported');
}

/** The cluster is started once; everybody else joins what was started. */
function notYet(cluster: Cluster, { spec }: Machine): Waiting | undefined {
  if (spec.bootstrap.action === 'Init' || isInitialized(cluster)) return undefined;
  return { waiting: `waiting for the control plane of Cluster "${cluster.metadata.name}" to be initialized` };
}

/** A second Init would be a second cluster behind the same endpoint. */
function refuseSecondStart(cluster: Cluster, { spec }: Machine, owner: string): void {
  const { action } = spec.bootstrap;
  if (action !== 'Init') return;
  if (spec.role === 'worker')
    throw refusal(owner, 'spec.bootstrap.action', action, 'Join, since only a control plane starts a cluster');
  if (isInitialized(cluster))
    throw refusal(
      owner,
      'spec.bootstrap.action',
      action,
      `Join, since Cluster "${cluster.metadata.name}" is initialized`,
    );
}

function isInitialized({ status }: Cluster): boolean {
  return status?.controlPlane?.initialized === true;
}

function wait(reply: Reply, { waiting, reason = 'Waiting' }: Waiting): void {
  reply.notReady().condition(CONDITION.bootstrapConfigReady, false, reason, waiting);
}
