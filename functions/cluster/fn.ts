/**
 * Decides what a cluster stands on: network, load balancer and identities in the cloud, and then the pool of its
 * control plane. Everything is desired at once, since references resolve as ids become known; what exists is
 * never withdrawn, and what was once told in the status is told for ever.
 */
import { seconds } from '#lib/api/fields/text.ts';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { isCompositeReady } from '#lib/api/conditions.ts';
import type { CompositionFunction } from '#lib/fn/function.ts';
import { asDesired } from '#lib/fn/keep.ts';
import { applyOverrides } from '#lib/fn/overrides.ts';
import { Reply } from '#lib/fn/reply.ts';
import { aws } from './aws/aws.ts';
import type { Cloud, Infrastructure } from './cloud.ts';
import { CONTROL_PLANE, type ControlPlaneStatus, controlPlanePool, controlPlaneStatus } from './control-plane.ts';
import { report } from './report.ts';
import { type Situation, readSituation } from './situation.ts';
import { type Pending, pendingOf, waitingFor } from './waiting.ts';

const CLOUDS: Readonly<Record<Situation['input']['cloud'], Cloud>> = { aws };

export const run: CompositionFunction = (request) => {
  const situation = readSituation(request);
  const { cluster, input, owner, previous } = situation;
  const cloud = CLOUDS[input.cloud];
  const plan = cloud.plan(situation);
  const { overrides } = cluster.spec.infrastructure;
  const { resources, unmatched } = applyOverrides(plan.resources, overrides, owner, cloud.machineKinds);

  const reply = new Reply(request);
  if (input.ttl !== undefined) reply.ttl(seconds(input.ttl));
  keepOthers(reply, situation, cloud, resources);
  const pending = compose(reply, situation, cloud, resources);
  const ready = previous.infrastructure?.ready === true || (pending.length === 0 && plan.complete);
  composeControlPlane(reply, situation, cloud, ready && plan.endpoint !== undefined);

  const controlPlane = controlPlaneStatus(situation);
  reply.status(statusOf(plan, ready, controlPlane));
  report(reply, situation, { waiting: waitingFor(pending), ready, controlPlane, notes: [...plan.notes, ...unmatched] });
  return reply;
};

function statusOf(plan: Infrastructure, ready: boolean, controlPlane: ControlPlaneStatus): JsonObject {
  return {
    infrastructure: { ...plan.status, ready },
    ...(plan.endpoint === undefined ? {} : { controlPlaneEndpoint: { ...plan.endpoint } }),
    controlPlane: { ...controlPlane },
  } as JsonObject;
}

/** What is observed and no longer planned, but may carry machines. */
function keepOthers(
  reply: Reply,
  { observed }: Situation,
  cloud: Cloud,
  planned: ReadonlyMap<string, KubeObject>,
): void {
  for (const [key, object] of observed) {
    if (planned.has(key) || !cloud.mustStay(object)) continue;
    reply.compose(key, asDesired(object), cloud.whyNotReady(object) === undefined);
  }
}

function compose(
  reply: Reply,
  { observed }: Situation,
  cloud: Cloud,
  resources: ReadonlyMap<string, KubeObject>,
): readonly Pending[] {
  const pending: Pending[] = [];
  for (const [key, resource] of resources) {
    const why = cloud.whyNotReady(observed.get(key));
    reply.compose(key, resource, why === undefined);
    if (why !== undefined) pending.push(pendingOf(resource, observed.get(key), why));
  }
  return pending;
}

/** The pool comes once machines can be made, and then stays. */
function composeControlPlane(reply: Reply, situation: Situation, cloud: Cloud, mayCome: boolean): void {
  const pool = situation.observed.get(CONTROL_PLANE);
  if (pool === undefined && !mayCome) {
    reply.notReady();
    return;
  }
  const { overrides } = situation.cluster.spec.infrastructure;
  const forMachines = overrides.filter(({ kind }) => cloud.machineKinds.has(kind));
  reply.compose(CONTROL_PLANE, controlPlanePool(situation, forMachines), isCompositeReady(pool));
}
