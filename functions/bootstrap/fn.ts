/**
 * Decides how hosts become nodes. For a Cluster it creates and keeps what all nodes share; for a Machine it writes a
 * plan that does not depend on the first-boot format. Data that was created once is only read afterwards.
 */
import type { BootstrapPlan } from '#lib/api/contracts/bootstrap-plan.ts';
import { hasEnded, type MachineUpdate } from '#lib/api/contracts/machine-update.ts';
import { PAYLOAD_RESOURCE } from '#lib/api/contracts/payload.ts';
import { SlipwayError } from '#lib/api/errors.ts';
import { isAtOrBelow } from '#lib/api/fields/field-path.ts';
import { isAsked } from '#lib/api/fields/join.ts';
import { referencesIn } from '#lib/api/fields/value-from.ts';
import { at, type JsonObject, type KubeObject, own, stringAt } from '#lib/api/json.ts';
import { Cluster } from '#lib/api/kinds/cluster.ts';
import { Machine } from '#lib/api/kinds/machine.ts';
import { describeObject } from '#lib/api/names.ts';
import { parseAs } from '#lib/api/parse.ts';
import { didYouMean } from '#lib/api/nearest.ts';
import { refusal } from '#lib/api/refusal.ts';
import { CONDITION, CONTEXT } from '#lib/api/words.ts';
import type { CompositionFunction } from '#lib/fn/function.ts';
import { readCluster, requireCluster } from '#lib/fn/cluster.ts';
import { acceptedCluster } from '#lib/fn/cluster-facts.ts';
import { readClaim } from '#lib/fn/composite.ts';
import { cloudFieldsOf } from '#clouds/fields.ts';
import { applyTtl, readInput } from '#lib/fn/input.ts';
import { carryForward } from '#lib/fn/keep.ts';
import { addNodeScripts, awaitNodeScripts } from '#lib/fn/node-update.ts';
import { ANSWERS_FOR_NOTHING, keeps } from '#lib/fn/law.ts';
import { Reply } from '#lib/fn/reply.ts';
import type { Request } from '#lib/fn/request.ts';
import { filledProxy, filledRegistries, secretValues } from '#lib/fn/secret-values.ts';
import type { World } from '#lib/fn/world.ts';
import type { Waiting } from './bootstrapper.ts';
import { askForToken, handOnToken, NewToken } from './machine-token.ts';
import { BootstrapInput } from './input.ts';
import { withLocalEndpoint } from './local-endpoint.ts';
import { BOOTSTRAPPERS, bootstrapperOf } from './registry.ts';
import { bootstrapperTraits } from './traits.ts';

/** Keys are created once, and no other step composes a Secret for a Cluster. */
const KEEPS_SECRETS = keeps(({ object }) => isSecret(object));

export const run: CompositionFunction = async (request, world) => {
  const input = readInput(request, BootstrapInput, 'BootstrapInput');
  const { composite } = request.observed;
  const reply = new Reply(request, composite.kind === 'Cluster' ? KEEPS_SECRETS : ANSWERS_FOR_NOTHING);
  applyTtl(reply, input);
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
  const composite = parseAs(Cluster, acceptedCluster(request), owner);
  const { forCluster } = bootstrapperOf(composite.spec.bootstrap.provider, owner);
  refuseOtherProvider(composite, owner);
  await forCluster({ request, reply, world, input, composite, owner });
  carryForward(reply, request, isSecret);
}

/** A Secret of a cluster stays desired, whatever it contains. */
function isSecret({ apiVersion, kind }: KubeObject): boolean {
  return apiVersion === 'v1' && kind === 'Secret';
}

/** The API server refuses it, too, but Clusters that are older than its rule were not checked. */
function refuseOtherProvider({ spec, status }: Cluster, owner: string): void {
  const known = status?.certificates?.provider;
  const { provider } = spec.bootstrap;
  if (known !== undefined && known !== provider)
    throw refusal(owner, 'spec.bootstrap.provider', provider, `${known}, since the cluster was created with it`);
}

function forMachine(request: Request, reply: Reply, world: World, input: BootstrapInput): void {
  const { claim: machine, owner } = readClaim(request, Machine);
  addStart(reply, machine, owner);
  const payload = request.observed.resources.get(PAYLOAD_RESOURCE)?.resource;
  if (payload !== undefined) {
    addJoin(reply, machine, payload);
    addUpdateScripts(request, reply, machine, owner);
    reply.condition(CONDITION.bootstrapConfigReady, true, 'Ready');
    return;
  }
  const bootstrapper = bootstrapperOf(machine.spec.bootstrap.provider, owner);
  refuseOs(machine, owner);
  const { object, waiting } = requireCluster(reply, machine);
  if (object === undefined) return wait(reply, { waiting });
  const cluster = readCluster(object);
  refuseSecondStart(cluster, machine, owner);
  const complete = withSecrets(reply, machine, cluster);
  if (!('machine' in complete)) return wait(reply, complete);
  const token = new NewToken(world);
  const call = { request, reply, world, input, composite: complete.machine, owner, joinToken: token.take };
  const outcome = bootstrapper.forMachine(call, cluster);
  const early = notYet(cluster, machine);
  if (early !== undefined) return wait(reply, early);
  const join = bootstrapper.join?.(machine);
  if (join !== undefined && isAsked(join.kind)) askForToken(reply, machine, join.kind);
  if ('waiting' in outcome) return wait(reply, outcome);
  if (join !== undefined) token.handOn(reply, machine, join.kind);
  reply
    .context(CONTEXT.bootstrapPlan, handedOn(outcome, cluster, machine) as JsonObject)
    .condition(CONDITION.bootstrapConfigReady, true, 'Ready');
}

/** With the values of Secrets that services of Kubernetes need, such as a proxy: only in memory, for the plan. */
function withSecrets(reply: Reply, machine: Machine, cluster: Cluster): { readonly machine: Machine } | Waiting {
  const { provisioning } = machine.spec;
  const { proxy, registries } = provisioning;
  const references = referencesIn({ proxy, registries });
  if (references.length === 0) return { machine };
  const values = secretValues(reply, machine, cluster, references);
  if ('waiting' in values) return values;
  const filled = { proxy: filledProxy(proxy, values), registries: filledRegistries(registries, values) };
  return { machine: { ...machine, spec: { ...machine.spec, provisioning: { ...provisioning, ...filled } } } };
}

/** Adds what hosts of the cloud have to know of it, so that bootstrappers do not depend on it. */
function handedOn(plan: BootstrapPlan, { status }: Cluster, { spec }: Machine): BootstrapPlan {
  if (plan.kind === 'talos' || plan.kind === 'bottlerocket') return plan;
  const { cloud, metadataService, apiAccess } = status?.infrastructure ?? {};
  const disks = spec.machine.dataDisks ?? [];
  const dataDisks = disks.length === 0 ? undefined : cloudFieldsOf(cloud)?.dataDisks?.(disks).places;
  const endpoint = apiAccess?.localAddress === true ? status?.controlPlaneEndpoint?.host : undefined;
  return {
    ...(plan.kind === 'scripted' ? withLocalEndpoint(plan, endpoint, spec) : plan),
    ...(plan.kind !== 'scripted' || metadataService === undefined ? {} : { metadataService }),
    ...(dataDisks === undefined ? {} : { dataDisks: [...dataDisks] }),
  };
}

/** Added even if first-boot data is already stored: the WorkloadNode is created later, and always contains the call. */
function addStart(reply: Reply, { spec }: Machine, owner: string): void {
  if (spec.bootstrap.action !== 'Init') return;
  const start = bootstrapperOf(spec.bootstrap.provider, owner).start?.(spec.clusterRef.name);
  if (start !== undefined) reply.context(CONTEXT.nodeStart, { ...start });
}

/** The WorkloadNode is created later than first-boot data, and always contains the token. */
function addJoin(reply: Reply, machine: Machine, payload: KubeObject): void {
  // A machine that exists stays, whatever this release knows of its bootstrapper.
  const join = own(BOOTSTRAPPERS, machine.spec.bootstrap.provider)?.join?.(machine);
  if (join !== undefined) handOnToken(reply, machine, join.kind, payload);
}

/** Scripts for an update of an existing node: POSIX shell, which Windows does not have. */
function addUpdateScripts(request: Request, reply: Reply, machine: Machine, owner: string): void {
  const { update, bootstrap, machine: host } = machine.spec;
  if (update === undefined || host.os === 'windows' || hasEnded(phaseOf(request, update.id))) return;
  const { forUpdate } = bootstrapperOf(bootstrap.provider, owner);
  if (forUpdate === undefined || !update.updaters.some(({ runsOn }) => runsOn === 'Node')) return;
  const { object, waiting } = requireCluster(reply, machine);
  if (object === undefined) return awaitNodeScripts(request, reply, update, STEP, waiting);
  const cluster = readCluster(object);
  const complete = changes(update, 'spec.provisioning.registries') ? withSecrets(reply, machine, cluster) : { machine };
  if (!('machine' in complete)) return awaitNodeScripts(request, reply, update, STEP, complete.waiting);
  addNodeScripts(request, reply, update, STEP, forUpdate({ machine: complete.machine, cluster, owner }));
}

/** In the contract "node update". */
const STEP = 'bootstrap';

/** As reported by the machine step. */
function phaseOf({ observed }: Request, id: string): string | undefined {
  const update = at(observed.composite, 'status', 'update');
  return stringAt(update, 'id') === id ? stringAt(update, 'phase') : undefined;
}

function changes({ updaters }: MachineUpdate, path: string): boolean {
  return updaters.some(({ fields }) => fields.some((field) => isAtOrBelow(field, path)));
}

/** Throws Unsupported for an operating system that the bootstrapper does not support. */
function refuseOs({ spec }: Machine, owner: string): void {
  const { os = 'linux' } = spec.machine;
  const { os: systems = ['linux'] } = bootstrapperTraits(spec.bootstrap.provider).plan ?? {};
  if (!systems.includes(os))
    throw refusal(
      owner,
      'spec.machine.os',
      os,
      `${systems.join(', ')} with ${spec.bootstrap.provider}${didYouMean(os, systems)}`,
      'Unsupported',
    );
  if (os === 'windows' && spec.role === 'control-plane')
    throw refusal(owner, 'spec.machine.os', os, 'linux, since no control plane runs on Windows', 'Unsupported');
}

/** The cluster is started once; all other machines join it. */
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
