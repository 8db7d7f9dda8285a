/**
 * Decides what one machine is made of: its first-boot Secret, the cloud's virtual machine, its place behind load
 * balancers, its node, and the Usage that drains the node first. First-boot data and the first id are kept for
 * ever; nothing that exists is withdrawn because something else cannot be read.
 */
import { isManagedReady } from '#lib/api/conditions.ts';
import { seconds } from '#lib/api/fields/text.ts';
import type { KubeObject } from '#lib/api/json.ts';
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
import { readInfrastructure, readSituation, type Situation } from './situation.ts';

const CLOUDS: Readonly<Record<Situation['input']['cloud'], Cloud>> = { aws };

export const run: CompositionFunction = (request) => {
  const situation = readSituation(request);
  const { machine, input, observed } = situation;
  const { namespace } = machine.metadata;
  const cloud = CLOUDS[input.cloud];
  const reply = new Reply(request);
  if (input.ttl !== undefined) reply.ttl(seconds(input.ttl));

  const clusters = reply.require('cluster', {
    apiVersion: API_VERSION,
    kind: 'Cluster',
    namespace,
    matchName: machine.spec.clusterRef.name,
  });
  const infrastructure = readInfrastructure(clusters?.[0]);
  const boot = firstBoot(situation, request.context);
  const life = lifeOf(situation, cloud.read(observed.get(cloud.machineKey)), infrastructure);
  const waiting = waitingFor(situation, clusters, infrastructure !== undefined, boot);

  if (infrastructure === undefined || boot === undefined) {
    keepAll(reply, observed);
    report(reply, situation, {
      life,
      boot,
      bytes: undefined,
      waiting,
      kept: [],
      notes: [],
      machineKey: cloud.machineKey,
    });
    return reply.notReady();
  }
  const plan = cloud.plan(situation, infrastructure, boot, life.instanceID);
  const notes = compose(reply, situation, cloud, plan, life, boot);
  report(reply, situation, {
    life,
    boot,
    bytes: plan.bytes,
    waiting,
    kept: plan.kept,
    notes,
    machineKey: cloud.machineKey,
  });
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

function compose(
  reply: Reply,
  situation: Situation,
  cloud: Cloud,
  plan: Plan,
  life: Life,
  boot: FirstBoot,
): readonly string[] {
  const { machine, observed, owner } = situation;
  const { resources, unmatched } = applyOverrides(plan.resources, machine.spec.infrastructure.overrides, owner);
  reply.compose(PAYLOAD_RESOURCE, boot.secret, observed.has(PAYLOAD_RESOURCE));
  for (const [key, resource] of resources) {
    const running = key !== cloud.machineKey || (life.virtualMachine.running && life.lost === undefined);
    reply.compose(key, resource, isManagedReady(observed.get(key)) && running);
  }
  const virtualMachine = resources.get(cloud.machineKey);
  if (virtualMachine !== undefined)
    reply.compose(DRAIN, drainOf(situation, virtualMachine), isManagedReady(observed.get(DRAIN)));
  reply.compose(NODE, workloadNodeOf(situation, life.providerID), life.nodeReady && life.lost === undefined);
  if (life.instanceID === undefined) reply.notReady();
  return unmatched;
}

function keepAll(reply: Reply, observed: ReadonlyMap<string, KubeObject>): void {
  for (const [key, object] of observed)
    reply.compose(key, asDesired(object), isManagedReady(object) || object.kind === 'Secret');
}
