/**
 * Decides the infrastructure of a cluster: network, load balancer and identities in the cloud, and its control plane,
 * which is a pool of machines or managed by the cloud. Everything is desired at once, because references resolve when
 * ids become known. Existing resources are never withdrawn, and values in the status are kept for ever.
 */
import { SlipwayError } from '#lib/api/errors.ts';
import type { Override, ProviderConfigRef } from '#lib/api/fields/infrastructure.ts';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { isCompositeReady } from '#lib/api/conditions.ts';
import { atMostThree } from '#lib/api/shortened.ts';
import { readOverrides } from '#lib/fn/claimed-overrides.ts';
import { isEdit } from '#lib/fn/claimed-spec.ts';
import { acceptedOf, clusterFacts, FACTS } from '#lib/fn/cluster-facts.ts';
import type { CompositionFunction } from '#lib/fn/function.ts';
import { applyTtl } from '#lib/fn/input.ts';
import { asDesired, carryForward } from '#lib/fn/keep.ts';
import { withEnvironmentConfig } from '#lib/cloud/environment-config.ts';
import { keeps } from '#lib/fn/law.ts';
import { orAsAccepted } from '#lib/fn/refused-edit.ts';
import { Reply } from '#lib/fn/reply.ts';
import type { Request } from '#lib/fn/request.ts';
import type {
  Infrastructure,
  InfrastructureCloud,
  InfrastructureClouds,
  ManagedControlPlane,
} from '#lib/cloud/infrastructure.ts';
import { refuseOtherCloud } from './cloud.ts';
import { CLOUDS } from './clouds.ts';
import { chosenBy, withCredentials } from './credentials.ts';
import { type ClusterInput, clusterInput } from './input.ts';
import {
  CONTROL_PLANE,
  type ControlPlaneStatus,
  controlPlanePool,
  controlPlaneStatus,
  managedStatus,
} from './control-plane.ts';
import { refuseUnmapped } from './asked.ts';
import { noControlPlane, refuseOutside } from './limits.ts';
import { layOverrides } from './overrides.ts';
import { awaitPredecessor } from './predecessor.ts';
import { DELETION_PROTECTION, protect } from './protection.ts';
import { resolve } from './references.ts';
import { report, reportWaiting } from './report.ts';
import { type CalledSituation, type Situation, readSituation } from './situation.ts';
import { inItsWords, type ReferenceFields } from './reference-fields.ts';
import { type Pending, pendingOf, waitingFor } from './waiting.ts';

type Cloud = InfrastructureCloud<ClusterInput>;

/** The cluster step for these clouds. */
export function clusterFunction(clouds: InfrastructureClouds): CompositionFunction {
  const schema = clusterInput(clouds);
  return (called) =>
    orAsAccepted(called, acceptedOf(called.observed.resources.get(FACTS)?.resource), (request, refusal) => {
      const situation = readSituation(request, schema);
      refuseOtherCloud(situation);
      // The schema is built from the same clouds: it accepts no other name, and has parsed the section of this cloud.
      return decide(request, situation, clouds[situation.input.cloud] as Cloud, refusal);
    });
}

export const run = clusterFunction(CLOUDS);

function decide(request: Request, called: CalledSituation, cloud: Cloud, refusal: SlipwayError | undefined): Reply {
  const reply = new Reply(
    request,
    keeps(({ key, object }) => key === CONTROL_PLANE || key === FACTS || mustStay(cloud, called, object, key)),
  );
  applyTtl(reply, called.input);
  const input = withEnvironmentConfig(reply, called.input);
  const { metadata, spec } = called.cluster;
  const overrides = readOverrides(reply, metadata.namespace, spec.infrastructure.overrides, called.owner);
  const { cluster, waiting, ids, written } = resolve(reply, called, cloud.references);
  if (input !== undefined && overrides !== undefined && cluster !== undefined)
    return inItsWords(written, called.owner, () =>
      judged(reply, request, { ...called, cluster, input }, cloud, { overrides, references: ids, written, refusal }),
    );
  unchanged(reply, called, cloud);
  if (input !== undefined && waiting !== undefined) reportWaiting(reply, called, waiting);
  return reply;
}

/** Everything as it is, until what the claim and its Composition name was looked for. */
function unchanged(
  reply: Reply,
  { composite, observed }: Pick<CalledSituation, 'composite' | 'observed'>,
  cloud: Cloud,
): Reply {
  const { conditions: _conditions, ...known } = composite.status ?? {};
  reply.status(known);
  for (const [key, object] of observed)
    reply.compose(
      key,
      asDesired(object),
      key === CONTROL_PLANE ? isCompositeReady(object) : key === FACTS || cloud.whyNotReady(object) === undefined,
    );
  return reply.notReady();
}

interface Found {
  readonly overrides: readonly Override[];
  /** Ids of existing parts that the claim names by managed resources. */
  readonly references: Readonly<Record<string, string>>;
  readonly written: ReferenceFields;
  /** Why the claim is refused, if another spec decides. */
  readonly refusal: SlipwayError | undefined;
}

function judged(
  reply: Reply,
  request: Request,
  called: Situation,
  cloud: Cloud,
  { overrides, references, written, refusal }: Found,
): Reply {
  const situation = withCredentials(called);
  const { cluster, previous } = situation;
  const outside = refuseOutside(situation, cloud, written, overrides);
  const unmapped = refuseUnmapped(situation, cloud);
  const plan = cloud.plan(situation);
  const { resources, unmatched, refused } = layOverrides(situation, cloud, plan.resources, overrides);
  const withheld = unmapped ?? refused ?? outside.withheld;
  // What the platform has taken away since is waited for; an edit is refused.
  if (
    withheld !== undefined &&
    refusal === undefined &&
    isEdit(called.composite, acceptedOf(called.observed.get(FACTS)))
  )
    throw withheld;
  const early = awaitPredecessor(reply, situation, resources);
  if (early !== undefined) {
    reportWaiting(reply, situation, early);
    return unchanged(reply, called, cloud);
  }

  keepOthers(reply, request, situation, cloud, resources);
  protect(reply, situation, cloud.controlPlane);
  const pending = compose(reply, situation, cloud, resources);
  const ready = previous.infrastructure?.ready === true || (pending.length === 0 && plan.complete);
  const managed = managedBy(cloud, plan);
  if (managed === undefined)
    composeControlPlane(
      reply,
      situation,
      cloud,
      ready && plan.endpoint !== undefined && withheld === undefined,
      overrides,
    );
  else if (!managed.initialized) reply.notReady();

  const controlPlane = managed === undefined ? controlPlaneStatus(situation) : managedStatus(situation, managed);
  const kept = [...(withheld === undefined ? [] : [noControlPlane(withheld)]), ...outside.notes];
  const notes = [...plan.notes, ...(kept.length === 0 ? [] : [atMostThree(kept)]), ...unmatched];
  const certificateAuthority = managed?.certificateAuthority ?? previous.certificateAuthority;
  const status = {
    ...statusOf(withReferences(plan, references), ready, { ...controlPlane, ...accepted(cluster) }, chosenBy(called)),
    ...(managed === undefined || certificateAuthority === undefined ? {} : { certificateAuthority }),
  };
  reply.status(status);
  composeFacts(reply, situation, status, withheld === undefined && refusal === undefined);
  report(reply, situation, { waiting: waitingFor(pending), ready, controlPlane, managed, notes, withheld });
  return reply;
}

/** What its parts follow; an edit that waits, or that is refused, changes none of it. */
function composeFacts(reply: Reply, { composite, observed }: Situation, status: JsonObject, isAccepted: boolean): void {
  const cluster = { ...composite, status: { ...composite.status, ...status } };
  const facts = clusterFacts(cluster, observed.get(FACTS), isAccepted);
  if (facts !== undefined) reply.compose(FACTS, facts, observed.has(FACTS));
}

/** Undefined: machines are the control plane. */
function managedBy({ controlPlane, title }: Cloud, plan: Infrastructure): ManagedControlPlane | undefined {
  if (controlPlane === 'machines') return undefined;
  if (plan.controlPlane !== undefined) return plan.controlPlane;
  throw new SlipwayError('BrokenContract', `cannot plan a cluster on ${title}: its plan has no control plane`);
}

/** Limits that come later leave these. */
function accepted({ spec }: Situation['cluster']): Pick<ControlPlaneStatus, 'allowedCIDRs'> {
  const { allowedCIDRs } = spec.controlPlane;
  return allowedCIDRs === undefined ? {} : { allowedCIDRs };
}

function withReferences(plan: Infrastructure, references: Readonly<Record<string, string>>): Infrastructure {
  if (Object.keys(references).length === 0) return plan;
  const existing = { ...plan.status.existing, references };
  return { ...plan, status: { ...plan.status, existing } };
}

/** Once machines can be created, the failure domains say it. */
function zonesToCome({ zones }: Infrastructure, ready: boolean): JsonObject {
  return ready || zones === undefined ? {} : { zones: [...zones] };
}

function statusOf(
  plan: Infrastructure,
  ready: boolean,
  controlPlane: ControlPlaneStatus,
  chosen: ProviderConfigRef | undefined,
): JsonObject {
  return {
    infrastructure: {
      ...plan.status,
      ...zonesToCome(plan, ready),
      ready,
      ...(chosen === undefined ? {} : { providerConfigRef: chosen }),
    },
    ...(plan.endpoint === undefined ? {} : { controlPlaneEndpoint: { ...plan.endpoint } }),
    controlPlane: { ...controlPlane },
  } as JsonObject;
}

/**
 * Observed resources that are no longer planned but may be in use by machines, and resources of other releases. The
 * next step keeps Secrets.
 */
function keepOthers(
  reply: Reply,
  request: Request,
  situation: Situation,
  cloud: Cloud,
  planned: ReadonlyMap<string, KubeObject>,
): void {
  const isOther = (object: KubeObject, key: string): boolean =>
    !planned.has(key) &&
    (key === CONTROL_PLANE ? cloud.controlPlane === 'managed' : mustStay(cloud, situation, object, key));
  carryForward(reply, request, isOther);
}

/** Everything except what an edit of the claim may remove. */
function mustStay(cloud: Cloud, situation: Pick<Situation, 'anyTraffic'>, object: KubeObject, key: string): boolean {
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

/** The pool is composed once machines can be created, and then always. */
function composeControlPlane(
  reply: Reply,
  situation: Situation,
  cloud: Cloud,
  mayCome: boolean,
  overrides: readonly Override[],
): void {
  const pool = situation.observed.get(CONTROL_PLANE);
  if (pool === undefined && !mayCome) {
    reply.notReady();
    return;
  }
  const forMachines = overrides.filter(({ kind }) => cloud.machineKinds.has(kind));
  reply.compose(CONTROL_PLANE, controlPlanePool(situation, forMachines), isCompositeReady(pool));
}
