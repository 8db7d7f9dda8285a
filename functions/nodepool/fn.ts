/**
 * Decides what each machine of a pool should be: how many there are, in which slot, where, with which name and
 * template. The current state of machines is only used to find outdated ones; changing them is the decision of the next
 * step.
 */
import { fieldAndCause, type SlipwayError } from '#lib/api/errors.ts';
import type { Override } from '#lib/api/fields/infrastructure.ts';
import { isJsonObject, type JsonObject, type KubeObject } from '#lib/api/json.ts';
import type { Cluster } from '#lib/api/kinds/cluster.ts';
import type { NodePoolStatus } from '#lib/api/kinds/node-pool.ts';
import { API_VERSION, CONTEXT, GROUP, LABEL, TTL } from '#lib/api/words.ts';
import { readOverrides } from '#lib/fn/claimed-overrides.ts';
import type { CompositionFunction } from '#lib/fn/function.ts';
import { readCluster, requireCluster } from '#lib/fn/cluster.ts';
import { withEnvironmentConfig } from '#lib/cloud/environment-config.ts';
import { applyTtl } from '#lib/fn/input.ts';
import { asDesired, carryForward, isLabelled } from '#lib/fn/keep.ts';
import { groupKind, type Law } from '#lib/fn/law.ts';
import { claimedSpec } from '#lib/fn/claimed-spec.ts';
import { orAsAccepted } from '#lib/fn/refused-edit.ts';
import { Reply } from '#lib/fn/reply.ts';
import type { Request } from '#lib/fn/request.ts';
import { refuseUnmapped } from './asked.ts';
import { refuseOtherCloud } from './cloud.ts';
import { compose } from './compose.ts';
import { groupOf } from './group.ts';
import { refuseOutside } from './limits.ts';
import { protectCluster } from './protection.ts';
import { type PoolFindings, report } from './report.ts';
import { mayRest } from './rest.ts';
import { type ClaimedSituation, MACHINES, readSituation, type PoolSituation } from './situation.ts';
import { afterCluster } from './cluster-edit.ts';
import { acceptedInstead, askedVersion, isEarly, targetOf, withCluster } from './target.ts';
import { planVersion } from './version.ts';

/**
 * Every machine stays, under its own name or a desired slot: the next step decides which machine of a slot is deleted.
 * All other resources of the pool are deleted with it and never before.
 */
const KEEPS_ALL: Law = {
  answersFor: ({ object }) => isMachine(object) || isLabelled(object),
  objection: ({ gone, desired }) => {
    const slots = new Set([...desired.values()].map(({ resource }) => slotOf(resource)));
    const isPlaced = (object: KubeObject): boolean => slotOf(object) !== undefined && slots.has(slotOf(object));
    if (gone.every(({ object }) => isMachine(object) && isPlaced(object))) return undefined;
    return 'only the in-place-update step removes Machines, and nothing else may be removed while the pool exists';
  },
};

function isMachine(object: KubeObject): boolean {
  return groupKind(object) === `${GROUP}/Machine`;
}

function slotOf({ metadata }: KubeObject): string | undefined {
  return metadata?.labels?.[LABEL.slot];
}

export const run: CompositionFunction = (called, { now }) =>
  orAsAccepted(called, acceptedIn(called), (request, refusal) => decide(request, now, refusal));

function decide(request: Request, now: Date, refusal: SlipwayError | undefined): Reply {
  const claimed = readSituation(request);
  const { reply, settled } = answer(request, claimed, now, refusal);
  // A pool that was read before Crossplane wrote to it shows fewer machines than there are: they are listed before
  // anything changes.
  return settled || !claimed.complete ? reply : answer(request, readSituation(request, true), now, refusal).reply;
}

/** The spec that was accepted before; undefined: none yet. */
function acceptedIn({ observed }: Request): JsonObject | undefined {
  const accepted = observed.composite.status?.['acceptedSpec'];
  return isJsonObject(accepted) ? accepted : undefined;
}

interface Answer {
  readonly reply: Reply;
  /** Nothing is under way. */
  readonly settled: boolean;
}

const NO_CHANGES = { releases: [], replacements: [], stopped: undefined };

/** @param refusal  why the claim is refused: the pool goes on as it was accepted, and begins nothing */
function answer(request: Request, claimed: ClaimedSituation, now: Date, refusal: SlipwayError | undefined): Answer {
  const reply = new Reply(request, KEEPS_ALL);
  const overrides = overridesOf(reply, claimed);
  const situation = withOverrides(claimed, overrides ?? []);
  const { pool, input } = situation;
  const { name, namespace } = pool.metadata;
  const { object, waiting: noCluster } = requireCluster(reply, pool);
  const all = situation.complete
    ? []
    : reply.require(MACHINES, {
        apiVersion: API_VERSION,
        kind: 'Machine',
        namespace,
        matchLabels: { [LABEL.nodePool]: name },
      });
  const cluster = object === undefined ? undefined : readCluster(object);
  protectCluster(reply, situation, request, object);
  const mapped = withEnvironmentConfig(reply, input);
  const cloud = cluster?.status?.infrastructure?.cloud ?? input.cloud;
  // Machines are known before anything is refused: what they have stays, also if the status was lost that counted them.
  const isJudged = mapped !== undefined && overrides !== undefined && all !== undefined;
  const elsewhere = isJudged ? refuseOtherCloud(situation, input.cloud, cluster) : undefined;
  const kept = isJudged ? refuseOutside(situation, mapped, cloud) : undefined;
  recordSize(reply, situation, isJudged);
  const planned = cluster && planVersion(pool, cluster, situation);
  const always = elsewhere ?? kept?.refused;
  const asked = cluster && planned?.held ? askedVersion(pool, cluster) : planned?.version;
  const unmapped = isJudged ? refuseUnmapped(situation, mapped, cluster, asked) : undefined;
  const edit = refusal && fieldAndCause(refusal);
  const refused = isJudged ? (elsewhere ?? unmapped ?? always ?? edit) : undefined;
  const whole = planned && withCluster(planned, situation, object);
  const version = whole && cluster && object ? afterCluster(reply, situation, whole, cluster, object) : whole;
  const accepted = version && acceptedInstead(situation, version, refused);
  const waiting = isJudged ? waitingFor(situation, cluster, noCluster) : 'waiting for the list of machines';

  const isPlannable = version?.version !== undefined && !isEarly(situation, version, accepted);
  if (cluster === undefined || mapped === undefined || !isPlannable || waiting !== undefined) {
    keepWaiting(reply, situation, { waiting, heldVersion: version?.held, now: now.getTime() });
    keepOthers(reply, request);
    applyTtl(reply, input, TTL.following);
    return { reply: reply.notReady(), settled: false };
  }
  if (version.held !== undefined) reply.ttl(TTL.underWay);
  const target = targetOf(
    situation,
    cluster,
    { ...version, version: version.version },
    { accepted, refused, always, input: mapped },
  );
  const { plan, settled } = compose(reply, target.situation, { ...target, now, outside: kept?.notes ?? [] });
  const acceptedSpec = refusal === undefined ? claimedSpec(situation.composite.spec) : situation.previous.acceptedSpec;
  recordAccepted(reply, { accepted: target.record, acceptedSpec });
  keepOthers(reply, request);
  const rests = refused === undefined && version.held === undefined && mayRest(situation, plan);
  applyTtl(reply, input, rests ? TTL.settled : TTL.following);
  return { reply, settled };
}

/** Every machine stays as it is, and the pool says what it waits for. */
function keepWaiting(
  reply: Reply,
  situation: PoolSituation,
  { waiting, ...found }: Pick<PoolFindings, 'waiting' | 'heldVersion' | 'now'>,
): void {
  const { pool, previous, others } = situation;
  keepAll(reply, situation);
  recordAccepted(reply, previous);
  reply.context(CONTEXT.leaving, others.leaving.length);
  reply.context(CONTEXT.group, groupOf(situation, { quorum: pool.spec.role === 'control-plane', ...NO_CHANGES }));
  report(reply, situation, {
    ...found,
    waiting: waiting ?? `waiting for the control plane of Cluster ${pool.spec.clusterRef.name}`,
    notes: [],
    pending: previous.pendingRemediations,
  });
}

/** What the pool needs before it can create machines. A pool with machines continues with what it has. */
function waitingFor(
  { pool, machines }: PoolSituation,
  cluster: Cluster | undefined,
  noCluster: string,
): string | undefined {
  const { name } = pool.spec.clusterRef;
  if (cluster === undefined) return noCluster;
  // A Cluster that is being deleted is no longer reconciled: new machines would prevent its deletion.
  if (cluster.metadata.deletionTimestamp !== undefined) return `Cluster ${name} is being deleted`;
  if (machines.length > 0) return undefined;
  if (cluster.status?.infrastructure?.ready !== true) return `waiting for the infrastructure of Cluster ${name}`;
  if (cluster.status.controlPlaneEndpoint === undefined)
    return `waiting for the control-plane endpoint of Cluster ${name}`;
  const initialized = cluster.status.controlPlane?.initialized === true;
  if (pool.spec.role === 'worker' && !initialized)
    return `waiting for the control plane of Cluster ${name} to be initialized`;
  return undefined;
}

function overridesOf(reply: Reply, { pool, owner }: ClaimedSituation): readonly Override[] | undefined {
  return readOverrides(reply, pool.metadata.namespace, pool.spec.infrastructure.overrides, owner);
}

function withOverrides(situation: ClaimedSituation, overrides: readonly Override[]): PoolSituation {
  const { pool } = situation;
  return { ...situation, pool: { ...pool, spec: { ...pool.spec, infrastructure: { overrides: [...overrides] } } } };
}

/** Limits that come later leave the size that was accepted last. */
function recordSize(reply: Reply, { pool, previous }: PoolSituation, isJudged: boolean): void {
  const acceptedReplicas = isJudged ? pool.spec.replicas : previous.acceptedReplicas;
  if (acceptedReplicas !== undefined) reply.status({ acceptedReplicas });
}

/** What was accepted last stays in the status, whatever this call decides: for machines, and of the claim. */
function recordAccepted(reply: Reply, recorded: Pick<NodePoolStatus, 'accepted' | 'acceptedSpec'>): void {
  for (const field of ['accepted', 'acceptedSpec'] as const) {
    const value = recorded[field];
    if (value !== undefined) reply.status({ [field]: value as JsonObject });
  }
}

function keepAll(reply: Reply, { machines }: PoolSituation): void {
  for (const { key, object, ready } of machines) reply.compose(key, asDesired(object), ready);
}

/** Resources of another release besides machines. */
function keepOthers(reply: Reply, request: Request): void {
  carryForward(reply, request, (object) => isLabelled(object) && !isMachine(object));
}
