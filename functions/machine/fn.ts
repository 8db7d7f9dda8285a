/**
 * Decides the resources of one machine: its first-boot Secret, the virtual machine, its load balancer registrations,
 * its node, and the Usage that drains the node first. First-boot data and the first id are kept for ever; nothing that
 * exists is withdrawn because something else cannot be read.
 */
import { isManagedReady } from '#lib/api/conditions.ts';
import { z } from 'zod';
import type { InfrastructureStatus } from '#lib/api/contracts/infrastructure-status.ts';
import { JOIN_TOKEN_KEY } from '#lib/api/contracts/node-join.ts';
import { at, type KubeObject } from '#lib/api/json.ts';
import type { Machine } from '#lib/api/kinds/machine.ts';
import { WorkloadNodeSpec } from '#lib/api/kinds/workload-node.ts';
import { describeObject } from '#lib/api/names.ts';
import { parseAs } from '#lib/api/parse.ts';
import { isAsked } from '#lib/api/fields/join.ts';
import { PAYLOAD_RESOURCE } from '#lib/api/contracts/payload.ts';
import type { CompositionFunction } from '#lib/fn/function.ts';
import { type RequiredCluster, requireCluster } from '#lib/fn/cluster.ts';
import { applyTtl } from '#lib/fn/input.ts';
import { asDesired, carryForward, isLabelled } from '#lib/fn/keep.ts';
import { withEnvironmentConfig } from '#lib/cloud/environment-config.ts';
import { INPUT_NAME } from '#lib/cloud/machine-input.ts';
import { applyOverrides, isLaid, meansAny } from '#lib/fn/overrides.ts';
import { keeps } from '#lib/fn/law.ts';
import { Reply } from '#lib/fn/reply.ts';
import type { Request } from '#lib/fn/request.ts';
import type { MachineCloud, MachineClouds, MachinePlan } from '#lib/cloud/machine.ts';
import { kindFieldsOf } from '#clouds/kind-fields.ts';
import { refuseUnsupported } from '#clouds/support.ts';
import { CLOUDS } from './clouds.ts';
import { type MachineInput, machineInput } from './input.ts';
import { type MachineState, machineStateOf } from './state.ts';
import { servingCertificates } from './addresses.ts';
import { DRAIN, drainOf, NODE, workloadNodeOf } from './node.ts';
import type { FirstBoot } from '#lib/cloud/first-boot.ts';
import { firstBoot } from './payload.ts';
import { report } from './report.ts';
import { isScripts, scriptsKey, scriptsSecret } from './scripts.ts';
import { type Start, startOf } from './start.ts';
import { type Join, joinOf } from './join.ts';
import { isGoing, readInfrastructure, readSituation, type Situation } from './situation.ts';
import { nodeUpdate, type Update, updateOf } from './update.ts';

type Cloud = MachineCloud<MachineInput>;

/** The machine step for these clouds. */
export function machineFunction(clouds: MachineClouds): CompositionFunction {
  const schema = machineInput(clouds);
  return (request) => {
    const situation = readSituation(request, schema);
    // The schema is built from the same clouds: it accepts no other name, and has parsed the section of this cloud.
    return decide(request, situation, clouds[situation.input.cloud] as Cloud);
  };
}

export const run = machineFunction(CLOUDS);

function decide(request: Request, called: Situation, cloud: Cloud): Reply {
  const { machine, observed, owner } = called;
  const { machineKey } = cloud;
  // A machine that exists stays, whatever it was made of.
  if (!observed.has(machineKey)) refuseUnsupported('Machine', machine.spec, called.input.cloud, owner);
  const reply = new Reply(
    request,
    keeps(({ key }) => [machineKey, NODE, DRAIN, PAYLOAD_RESOURCE].includes(key)),
  );
  applyTtl(reply, called.input);

  const input = withEnvironmentConfig(reply, called.input);
  const situation = input === undefined ? called : { ...called, input };
  const cluster = requireCluster(reply, machine);
  const infrastructure = readInfrastructure(situation, cluster.object);
  const boot = firstBoot(situation, request.context);
  const state = machineStateOf(situation, cloud.read(observed), observed.has(machineKey), infrastructure);
  const waiting = waitingFor(situation, cluster, infrastructure !== undefined, boot);

  // A machine that no longer exists is not created again: its replacement is another Machine.
  const gone = state.lost !== undefined && !observed.has(machineKey);
  if (input === undefined || infrastructure === undefined || boot === undefined || gone) {
    keepAll(reply, situation, cloud, state);
    if (infrastructure !== undefined && !gone) composeJoiningNode(request, reply, situation, state, cluster.object);
    report(reply, situation, { state, boot, waiting, machineKey });
    return reply;
  }
  const update = updateOf(request, situation, state, cloud.resizable);
  // Not for ever: a size may get another name later, and then no node is drained.
  const isReleased = update?.released === true && update.ended === undefined && update.own.has('Cloud');
  const stage = { id: state.instanceID, registered: isRegistered(situation, state), released: isReleased };
  const plan = cloud.plan(withCredentials(situation, infrastructure), infrastructure, boot, stage);
  const unmatched = compose(reply, situation, cloud, plan, state, boot);
  const clusterUid = cluster.object?.metadata?.uid;
  const [start, join] = [startOf(request, situation, state), joinOf(request, situation)];
  composeNode(reply, situation, cloud, plan, state, { update, start, join, clusterUid });
  // Resources that are neither temporary nor planned were created by another release.
  carryForward(reply, request, (object, key) => isLabelled(object) && !isScripts(key) && !cloud.comesAndGoes(key));
  const { bytes, kept, unfinished, failed, blockedBy } = plan;
  const notes = [...plan.notes, ...unmatched];
  const progress = { state, boot, waiting: blockedBy, machineKey };
  report(reply, situation, progress, { bytes, kept, notes, update, unfinished, failed });
  return reply;
}

/** A machine is created with the credentials that its cluster was created with. */
function withCredentials(situation: Situation, { providerConfigRef }: InfrastructureStatus): Situation {
  if (providerConfigRef === undefined) return situation;
  return { ...situation, input: { ...situation.input, providerConfigRef } };
}

function waitingFor(
  { machine }: Situation,
  { object, waiting }: RequiredCluster,
  ready: boolean,
  boot: FirstBoot | undefined,
): string | undefined {
  const { name } = machine.spec.clusterRef;
  if (object === undefined) return waiting;
  if (isGoing(object)) return `Cluster ${name} is being deleted`;
  if (!ready) return `waiting for the infrastructure of Cluster ${name}`;
  return boot === undefined ? 'waiting for first-boot data' : undefined;
}

function isRegistered({ previous }: Situation, { node }: MachineState): boolean {
  return (node.nodeRef ?? previous.nodeRef) !== undefined;
}

function compose(
  reply: Reply,
  situation: Situation,
  cloud: Cloud,
  plan: MachinePlan,
  state: MachineState,
  boot: FirstBoot,
): readonly string[] {
  const { machine, owner, input } = situation;
  const { resources, unmatched } = applyOverrides(plan.resources, machine.spec.infrastructure.overrides, owner, {
    allowed: input.overrides ?? cloud.overridable,
    statedIn: INPUT_NAME,
    fields: kindFieldsOf(input.cloud),
    observed: situation.observed,
    later: cloud.laterKinds,
    // Of a machine that exists, an override of what was there for a while hinders nothing.
    has: (override) =>
      isLaid(override, plan.resources, situation.observed) ||
      (situation.observed.has(cloud.machineKey) && !meansAny(override, plan.resources)),
  });
  const isReady = readiness(situation, cloud, state);
  reply.compose(PAYLOAD_RESOURCE, boot.secret, isReady(PAYLOAD_RESOURCE));
  for (const [key, resource] of resources)
    if (situation.observed.has(key) || mayExist(key, situation, cloud, plan, boot))
      reply.compose(key, resource, isReady(key));
  if (state.instanceID === undefined) reply.notReady();
  return unmatched;
}

/**
 * Another call may have stored first-boot data with another token: until it is known which data is stored, no machine
 * boots, and no copy of the data is made.
 */
function mayExist(
  key: string,
  { observed }: Situation,
  { machineKey }: Cloud,
  { blockedBy, resources }: MachinePlan,
  { secret }: FirstBoot,
): boolean {
  const isSure = observed.has(PAYLOAD_RESOURCE) || at(secret, 'data', JOIN_TOKEN_KEY) === undefined;
  if (key === machineKey) return isSure && blockedBy === undefined;
  return isSure || ![...resources.values()].some(isSecret);
}

/** The data for the node objects besides the Machine. */
interface NodeContext {
  readonly update: Update | undefined;
  readonly start: Start | undefined;
  readonly join: Join | undefined;
  readonly clusterUid: string | undefined;
}

/** First-boot data waits for a token that provider-node asks for: it has to know of the machine before there is one. */
function composeJoiningNode(
  request: Request,
  reply: Reply,
  situation: Situation,
  state: MachineState,
  cluster: KubeObject | undefined,
): void {
  const { machine, observed } = situation;
  const join = joinOf(request, situation);
  if (join === undefined || !isAsked(join.kind) || observed.has(NODE)) return;
  const certificates = servingCertificates(situation, state);
  const clusterUid = cluster?.metadata?.uid;
  const { taints } = machine.spec;
  const marks = { taints, update: undefined, start: undefined, join, servingCertificates: certificates, clusterUid };
  reply.compose(NODE, workloadNodeOf(machine, undefined, marks), false);
}

function composeNode(
  reply: Reply,
  situation: Situation,
  cloud: Cloud,
  { resources, unfinished }: MachinePlan,
  state: MachineState,
  context: NodeContext,
): void {
  const { machine, observed } = situation;
  const { update, start, join, clusterUid } = context;
  const virtualMachine = resources.get(cloud.machineKey);
  // There is no node to drain before the cloud assigned an id, and a Usage refers to an existing object.
  const hasNode = state.instanceID !== undefined || observed.has(NODE) || observed.has(DRAIN);
  if (virtualMachine === undefined || !hasNode) return;
  const isReady = readiness(situation, cloud, state);
  const requested = update === undefined ? undefined : nodeUpdate(situation, update, unfinished);
  const taints = taintsOf(situation, update);
  const certificates = servingCertificates(situation, state);
  const nodeState = { taints, update: requested, start, join, servingCertificates: certificates, clusterUid };
  const node = workloadNodeOf(machine, state.providerID, nodeState);
  reply.compose(NODE, node, isReady(NODE));
  // A Node that waited for its token exists before the machine that the Usage protects.
  if (state.instanceID !== undefined || observed.has(cloud.machineKey) || observed.has(DRAIN))
    // A machine whose node is not ready is not Ready, whatever its Usage says.
    reply.compose(DRAIN, drainOf(machine, virtualMachine), !isReady(NODE) || isReady(DRAIN));
  if (update === undefined || requested?.payloadSecretRef === undefined || requested.id !== update.order.id) return;
  const key = scriptsKey(update.order.id);
  const given = observed.get(key);
  const secret = given === undefined ? scriptsSecret(machine, requested.id, update.scripts) : asDesired(given);
  reply.compose(key, secret, given !== undefined);
}

const Marked = z.looseObject({ spec: WorkloadNodeSpec.pick({ taints: true }).loose() });

/** New evicting taints are set once the node is drained, because an eviction by taint ignores disruption budgets. */
function taintsOf({ machine, observed }: Situation, update: Update | undefined): Machine['spec']['taints'] {
  const node = observed.get(NODE);
  if (node === undefined || update === undefined || update.released || !update.own.has('Taints'))
    return machine.spec.taints;
  const present = parseAs(Marked, { spec: node['spec'] }, describeObject(node), 'InvalidObserved').spec.taints;
  return machine.spec.taints.filter(
    (taint) =>
      taint.effect !== 'NoExecute' ||
      present.some((one) => one.key === taint.key && one.value === taint.value && one.effect === taint.effect),
  );
}

/** Everything observed, unchanged; a machine that was complete before keeps its readiness. */
function keepAll(reply: Reply, situation: Situation, cloud: Cloud, state: MachineState): void {
  const isReady = readiness(situation, cloud, state);
  for (const [key, object] of situation.observed) reply.compose(key, asDesired(object), isReady(key));
  if (state.lost !== undefined || !situation.observed.has(NODE)) reply.notReady();
}

function isSecret(object: KubeObject | undefined): boolean {
  return object?.apiVersion === 'v1' && object.kind === 'Secret';
}

function readiness({ observed }: Situation, { machineKey }: Cloud, state: MachineState): (key: string) => boolean {
  return (key) => {
    // A Secret has no conditions.
    if (key === PAYLOAD_RESOURCE || isSecret(observed.get(key))) return observed.has(key);
    if (key === NODE) return state.nodeReady && state.lost === undefined;
    if (key === machineKey && (!state.virtualMachine.running || state.lost !== undefined)) return false;
    return isManagedReady(observed.get(key));
  };
}
