/**
 * Decides what a cluster stands on: network, load balancer and identities in the cloud, and then its control plane: a pool of
 * machines, or what the cloud manages itself. Everything is desired at once, since references resolve as ids become known; what exists is
 * never withdrawn, and what was once told in the status is told for ever.
 */
import { SlipwayError } from '#lib/api/errors.ts';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { isCompositeReady } from '#lib/api/conditions.ts';
import type { CompositionFunction } from '#lib/fn/function.ts';
import { applyTtl } from '#lib/fn/input.ts';
import { carryForward } from '#lib/fn/keep.ts';
import { applyOverrides } from '#lib/fn/overrides.ts';
import { keeps } from '#lib/fn/law.ts';
import { Reply } from '#lib/fn/reply.ts';
import type { Request } from '#lib/fn/request.ts';
import type {
  Infrastructure,
  InfrastructureCloud,
  InfrastructureClouds,
  ManagedControlPlane,
} from '#lib/cloud/infrastructure.ts';
import { CLOUDS } from './clouds.ts';
import { type ClusterInput, clusterInput } from './input.ts';
import {
  CONTROL_PLANE,
  type ControlPlaneStatus,
  controlPlanePool,
  controlPlaneStatus,
  managedStatus,
} from './control-plane.ts';
import { DELETION_PROTECTION, protect } from './protection.ts';
import { report } from './report.ts';
import { type Situation, readSituation } from './situation.ts';
import { type Pending, pendingOf, waitingFor } from './waiting.ts';

type Cloud = InfrastructureCloud<ClusterInput>;

/** The step that makes clusters on these clouds. */
export function clusterFunction(clouds: InfrastructureClouds): CompositionFunction {
  const schema = clusterInput(clouds);
  return (request) => {
    const situation = readSituation(request, schema);
    // The schema is made of the same clouds: it lets no other name pass, and has read this one's section.
    return decide(request, situation, clouds[situation.input.cloud] as Cloud);
  };
}

export const run = clusterFunction(CLOUDS);

function decide(request: Request, situation: Situation, cloud: Cloud): Reply {
  const { cluster, input, owner, previous } = situation;
  const plan = cloud.plan(situation);
  const { overrides } = cluster.spec.infrastructure;
  const { resources, unmatched } = applyOverrides(plan.resources, overrides, owner, cloud.machineKinds);

  const reply = new Reply(
    request,
    keeps(({ key, object }) => key === CONTROL_PLANE || mustStay(cloud, situation, object, key)),
  );
  applyTtl(reply, input);
  keepOthers(reply, situation, cloud, resources);
  protect(reply, situation, cloud.controlPlane);
  const pending = compose(reply, situation, cloud, resources);
  const ready = previous.infrastructure?.ready === true || (pending.length === 0 && plan.complete);
  const managed = managedBy(cloud, plan);
  if (managed === undefined) composeControlPlane(reply, situation, cloud, ready && plan.endpoint !== undefined);
  else if (!managed.initialized) reply.notReady();

  const controlPlane = managed === undefined ? controlPlaneStatus(situation) : managedStatus(situation, managed);
  const notes = [...plan.notes, ...unmatched];
  const certificateAuthority = managed?.certificateAuthority ?? previous.certificateAuthority;
  reply.status(statusOf(plan, ready, controlPlane));
  if (managed !== undefined && certificateAuthority !== undefined) reply.status({ certificateAuthority });
  report(reply, situation, { waiting: waitingFor(pending), ready, controlPlane, managed, notes });
  return reply;
}

/** Undefined: machines are the control plane. */
function managedBy({ controlPlane, title }: Cloud, plan: Infrastructure): ManagedControlPlane | undefined {
  if (controlPlane === 'machines') return undefined;
  if (plan.controlPlane !== undefined) return plan.controlPlane;
  throw new SlipwayError('BrokenContract', `cannot plan a cluster on ${title}: its plan has no control plane`);
}

function statusOf(plan: Infrastructure, ready: boolean, controlPlane: ControlPlaneStatus): JsonObject {
  return {
    infrastructure: { ...plan.status, ready },
    ...(plan.endpoint === undefined ? {} : { controlPlaneEndpoint: { ...plan.endpoint } }),
    controlPlane: { ...controlPlane },
  } as JsonObject;
}

/** What is observed and no longer planned, but may carry machines, and what another release made. Secrets the next step keeps. */
function keepOthers(reply: Reply, situation: Situation, cloud: Cloud, planned: ReadonlyMap<string, KubeObject>): void {
  const isOther = (object: KubeObject, key: string): boolean =>
    !planned.has(key) &&
    (key === CONTROL_PLANE ? cloud.controlPlane === 'managed' : mustStay(cloud, situation, object, key));
  carryForward(reply, situation.observed, isOther);
}

/** All but what the claim itself may take back. */
function mustStay(cloud: Cloud, situation: Situation, object: KubeObject, key: string): boolean {
  return key !== DELETION_PROTECTION && cloud.mustStay(object, key, situation);
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
