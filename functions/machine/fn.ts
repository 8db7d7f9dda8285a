/**
 * Decides what one machine is made of: its first-boot Secret, the cloud's virtual machine, its place behind load
 * balancers, its node, and the Usage that drains the node first. First-boot data and the first id are kept for
 * ever; nothing that exists is withdrawn because something else cannot be read.
 */
import { isManagedReady } from '#lib/api/conditions.ts';
import { seconds } from '#lib/api/fields/text.ts';
import { z } from 'zod';
import type { KubeObject } from '#lib/api/json.ts';
import type { Machine } from '#lib/api/kinds/machine.ts';
import { WorkloadNodeSpec } from '#lib/api/kinds/workload-node.ts';
import { describeObject } from '#lib/api/names.ts';
import { parseAs } from '#lib/api/parse.ts';
import { API_VERSION } from '#lib/api/words.ts';
import { PAYLOAD_RESOURCE } from '#lib/api/contracts/payload.ts';
import type { CompositionFunction } from '#lib/fn/function.ts';
import { asDesired } from '#lib/fn/keep.ts';
import { applyOverrides } from '#lib/fn/overrides.ts';
import { Reply } from '#lib/fn/reply.ts';
import { aws } from './aws/aws.ts';
import type { Cloud, Plan } from './cloud.ts';
import { type Life, lifeOf } from './life.ts';
import { DRAIN, drainOf, NODE, workloadNodeOf } from './node.ts';
import { type FirstBoot, firstBoot } from './payload.ts';
import { report } from './report.ts';
import { scriptsKey, scriptsSecret } from './scripts.ts';
import { type Start, startOf } from './start.ts';
import { readInfrastructure, readSituation, type Situation } from './situation.ts';
import { nodeUpdate, type Update, updateOf } from './update.ts';

const CLOUDS: Readonly<Record<Situation['input']['cloud'], Cloud>> = { aws };

export const run: CompositionFunction = (request) => {
  const situation = readSituation(request);
  const { machine, input, observed } = situation;
  const cloud = CLOUDS[input.cloud];
  const { machineKey } = cloud;
  const reply = new Reply(request);
  if (input.ttl !== undefined) reply.ttl(seconds(input.ttl));

  const clusters = reply.require('cluster', {
    apiVersion: API_VERSION,
    kind: 'Cluster',
    namespace: machine.metadata.namespace,
    matchName: machine.spec.clusterRef.name,
  });
  const infrastructure = readInfrastructure(situation, clusters?.[0]);
  const boot = firstBoot(situation, request.context);
  const life = lifeOf(situation, cloud.read(observed.get(machineKey)), observed.has(machineKey), infrastructure);
  const waiting = waitingFor(situation, clusters, infrastructure !== undefined, boot);

  // A machine that is gone is not made again: its successor is another Machine.
  const gone = life.lost !== undefined && !observed.has(machineKey);
  if (infrastructure === undefined || boot === undefined || gone) {
    keepAll(reply, situation, cloud, life);
    report(reply, situation, {
      life,
      boot,
      bytes: undefined,
      waiting,
      kept: [],
      notes: [],
      machineKey,
      update: undefined,
      unfinished: undefined,
    });
    return reply;
  }
  const update = updateOf(request, situation, life, cloud.resizable);
  // Not for ever: what a size is called in may change later, and no node is drained then.
  const isReleased = update?.released === true && update.ended === undefined && update.own.has('Cloud');
  const stage = { id: life.instanceID, registered: isRegistered(situation, life), released: isReleased };
  const plan = cloud.plan(situation, infrastructure, boot, stage);
  const unmatched = compose(reply, situation, cloud, plan, life, boot);
  composeNode(reply, situation, cloud, plan, life, { update, start: startOf(request, situation, life) });
  const { bytes, kept, unfinished, awaits } = plan;
  const notes = [...plan.notes, ...unmatched];
  report(reply, situation, { life, boot, bytes, waiting: awaits, kept, notes, machineKey, update, unfinished });
  return reply;
};

function waitingFor(
  { machine }: Situation,
  clusters: readonly KubeObject[] | undefined,
  ready: boolean,
  boot: FirstBoot | undefined,
): string | undefined {
  const { name } = machine.spec.clusterRef;
  if (clusters?.length === 0) return `waiting for Cluster "${machine.metadata.namespace}/${name}": not found`;
  if (!ready) return `waiting for the infrastructure of Cluster ${name}`;
  return boot === undefined ? 'waiting for first-boot data' : undefined;
}

function isRegistered({ previous }: Situation, { node }: Life): boolean {
  return (node.nodeRef ?? previous.nodeRef) !== undefined;
}

function compose(
  reply: Reply,
  situation: Situation,
  cloud: Cloud,
  plan: Plan,
  life: Life,
  boot: FirstBoot,
): readonly string[] {
  const { machine, owner } = situation;
  const { resources, unmatched } = applyOverrides(
    plan.resources,
    machine.spec.infrastructure.overrides,
    owner,
    cloud.laterKinds,
  );
  const isReady = readiness(situation, cloud, life);
  reply.compose(PAYLOAD_RESOURCE, boot.secret, isReady(PAYLOAD_RESOURCE));
  for (const [key, resource] of resources)
    if (key !== cloud.machineKey || plan.awaits === undefined) reply.compose(key, resource, isReady(key));
  if (life.instanceID === undefined) reply.notReady();
  return unmatched;
}

function composeNode(
  reply: Reply,
  situation: Situation,
  cloud: Cloud,
  { resources, unfinished }: Plan,
  life: Life,
  { update, start }: { readonly update: Update | undefined; readonly start: Start | undefined },
): void {
  const { machine, observed } = situation;
  const virtualMachine = resources.get(cloud.machineKey);
  // There is no node to drain before the cloud gave an id, and a Usage refers to what exists.
  const hasNode = life.instanceID !== undefined || observed.has(NODE) || observed.has(DRAIN);
  if (virtualMachine === undefined || !hasNode) return;
  const isReady = readiness(situation, cloud, life);
  const told = update === undefined ? undefined : nodeUpdate(situation, update, unfinished);
  const taints = taintsOf(situation, update);
  reply.compose(NODE, workloadNodeOf(machine, life.providerID, { taints, update: told, start }), isReady(NODE));
  reply.compose(DRAIN, drainOf(machine, virtualMachine), isReady(DRAIN));
  if (update === undefined || told?.payloadSecretRef === undefined || told.id !== update.order.id) return;
  const key = scriptsKey(update.order.id);
  const given = observed.get(key);
  const secret = given === undefined ? scriptsSecret(machine, told.id, update.scripts) : asDesired(given);
  reply.compose(key, secret, given !== undefined);
}

const Marked = z.looseObject({ spec: WorkloadNodeSpec.pick({ taints: true }).loose() });

/** New taints that evict come once the node is drained: an eviction by taint asks no disruption budget. */
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

/** Everything observed, as it is; a machine that was complete before stays as ready as it is. */
function keepAll(reply: Reply, situation: Situation, cloud: Cloud, life: Life): void {
  const isReady = readiness(situation, cloud, life);
  for (const [key, object] of situation.observed) reply.compose(key, asDesired(object), isReady(key));
  if (life.lost !== undefined || !situation.observed.has(NODE)) reply.notReady();
}

function readiness({ observed }: Situation, { machineKey }: Cloud, life: Life): (key: string) => boolean {
  return (key) => {
    if (key === PAYLOAD_RESOURCE) return observed.has(key);
    if (key === NODE) return life.nodeReady && life.lost === undefined;
    if (key === machineKey && (!life.virtualMachine.running || life.lost !== undefined)) return false;
    return isManagedReady(observed.get(key));
  };
}
