/**
 * What edited claims would change: each claim is validated like an update of the API. An edited Cluster is followed to
 * the control-plane pool that it composes, and each of its pools, claimed or composed, to its machines. Nothing is
 * changed.
 */
import { counted } from '#lib/api/counted.ts';
import { at, type KubeObject, stringAt } from '#lib/api/json.ts';
import { applyOnce } from '#simulator/render/apply-once.ts';
import { isBeside, refusedBeside } from './beside.ts';
import { absentCluster } from './cluster-ref.ts';
import { planCluster, planFollowing } from './cluster.ts';
import { planDeletions } from './deletion.ts';
import type { PlanEntry } from './entry.ts';
import { configEntries, withConfigs } from './environment.ts';
import { acceptedCluster, withAccepted, withFacts } from './facts.ts';
import { ownerOf } from './machines.ts';
import { newPoolEntries } from './new-pool.ts';
import { play } from './play.ts';
import { type VersionPath, planPool, type PoolPlan } from './pool.ts';
import { restartEvents } from './restart.ts';
import { refusedEntries } from './refused.ts';
import { withStore } from './store.ts';
import { usesAny } from './uses.ts';
import { atVersion, NOTHING, versionPath, waitsForControlPlane } from './version.ts';
import {
  definitionOf,
  find,
  isSlipway,
  objectKey,
  list,
  nameOf,
  type Ref,
  type PlanWorld,
  withObjects,
  withoutRefused,
} from './world.ts';

/** What happens, and what functions note of the Clusters among the claims. */
export interface Planned {
  readonly entries: readonly PlanEntry[];
  readonly notes: readonly string[];
}

/** The entries of `planWithNotes`. */
export async function planClaims(...given: Parameters<typeof planWithNotes>): Promise<readonly PlanEntry[]> {
  return (await planWithNotes(...given)).entries;
}

/**
 * @param claims complete Clusters and NodePools; other objects are ignored. Existing claims that are not among them
 *   stay as they are, except that pools follow an edited Cluster.
 * @param deleted claims to delete
 * @param configs EnvironmentConfigs of the platform, as they will be: all claims are planned with them
 * @param brought what claims may refer to, such as ConfigMaps, as it will be: claims that name it are planned, too
 * @returns what happens, refused claims first, then Clusters before their pools, sorted by name; empty if nothing happens. Throws MissingReference
 *   if a Composition or function is missing.
 */
export async function planWithNotes(
  present: PlanWorld,
  claims: readonly KubeObject[],
  deleted: readonly Ref[] = [],
  configs: readonly KubeObject[] = [],
  brought: readonly KubeObject[] = [],
): Promise<Planned> {
  // What was not observed is taken to be there already: a live cluster is not asked for ConfigMaps.
  const world = withFacts(withObjects({ ...present, objects: brought }, present.objects));
  const judged = claims.filter(isClaim).map((claim) => judge(world, claim));
  const accepted = judged.flatMap((one) => ('stored' in one ? one.stored : []));
  const unstored = judged.flatMap((one) => ('stored' in one ? [] : one.wanted)).filter((one) => isNew(one, world));
  const edited = withoutRefused(withConfigs(withObjects(world, [...brought, ...accepted]), configs), unstored);
  const removal = planDeletions(edited, deleted);
  const entries: PlanEntry[] = [
    ...configEntries(world, configs),
    ...judged.flatMap(({ refused }) => refused),
    ...brought.filter(isBeside).flatMap((one) => refusedBeside(world, one, storedOf(present, one))),
    ...removal.entries,
  ];
  const edits = new Set(claims.map(objectKey));
  const isReader = (one: KubeObject): boolean =>
    isClaim(one) && isWritten(one) && !edits.has(objectKey(one)) && usesAny(one, brought);
  const planned =
    configs.length > 0 ? edited.objects.filter(isClaim) : [...accepted, ...edited.objects.filter(isReader)];

  const clusters = planned.filter((one) => one.kind === 'Cluster' && !removal.gone(one)).toSorted(byName);
  const notes: string[] = [];
  for (const cluster of clusters) {
    const family = await planFamily(edited, cluster, world, removal.gone);
    entries.push(...family.entries);
    if (edits.has(objectKey(cluster))) notes.push(...family.notes);
  }

  const covered = new Set(clusters.map(keyOf));
  const alone = planned.filter((one) => one.kind === 'NodePool' && !covered.has(clusterKey(one)) && !removal.gone(one));
  for (const pool of alone.toSorted(byName)) entries.push(...(await planWorker(edited, pool, world, undefined)));
  return { entries: refusedFirst(entries), notes };
}

/** A refused claim is what to mend before anything else is read; its other lines stay with it. */
function refusedFirst(entries: readonly PlanEntry[]): readonly PlanEntry[] {
  const refused = new Set(entries.filter(({ decision }) => decision === 'Refused').map(claimKey));
  const isRefused = (entry: PlanEntry): boolean => refused.has(claimKey(entry));
  return [...entries.filter(isRefused), ...entries.filter((entry) => !isRefused(entry))];
}

/** The claim that a line belongs to. */
function claimKey({ namespace, cluster, pool }: PlanEntry): string {
  return JSON.stringify([namespace, cluster, pool]);
}

/** A Cluster, its control plane, and then every pool that follows it. */
async function planFamily(
  edited: PlanWorld,
  cluster: KubeObject,
  before: PlanWorld,
  gone: (object: KubeObject) => boolean,
): Promise<Planned> {
  const { entries: own, pools, seen, notes } = await planCluster(edited, cluster, before);
  const isRefused = own.some(({ decision }) => decision === 'Refused');
  const known = isNew(cluster, before) ? [seen] : [];
  const live = find(before, { kind: 'Cluster', namespace: cluster.metadata?.namespace, name: nameOf(cluster) });
  const world = isRefused
    ? live === undefined
      ? withoutRefused(edited, [cluster])
      : withObjects(edited, [live])
    : withAccepted(withObjects(edited, [...known, ...pools]), live === undefined ? seen : cluster);
  const composed = new Set(pools.map(nameOf));
  const entries = [...(isRefused ? [] : newCluster(cluster, before)), ...own];
  let gets: string | undefined;
  for (const pool of pools) {
    const plan = await planOne(world, pool, before, NOTHING);
    entries.push(...plan.entries);
    gets = versionOf(plan.end?.pool) ?? versionOf(pool);
    entries.push(...(await follow({ world, cluster, blockedBy: waitsForControlPlane(cluster) }, plan.end?.pool)));
  }
  const followers = list(world, 'NodePool', cluster.metadata?.namespace).filter(
    (pool) => clusterKey(pool) === keyOf(cluster) && !composed.has(nameOf(pool)) && !gone(pool),
  );
  for (const pool of followers.filter(isWorker)) entries.push(...(await planWorker(world, pool, before, gets)));
  return { entries, notes };
}

/** @param pool the control plane after the edit; undefined: not known */
async function follow(now: Parameters<typeof planFollowing>[2], pool: KubeObject | undefined) {
  const version = versionOf(pool);
  const runs = stringAt(now.cluster, 'status', 'controlPlane', 'version');
  if (pool === undefined || version === undefined || runs === undefined || version === runs) return [];
  return planFollowing(withObjects(now.world, [pool]), atVersion(now.cluster, version), now);
}

/** The oldest version of its nodes. */
function versionOf(pool: KubeObject | undefined): string | undefined {
  return stringAt(pool, 'status', 'version');
}

/** @param gets the version that the control plane reaches; undefined: not known */
async function planWorker(
  world: PlanWorld,
  pool: KubeObject,
  before: PlanWorld,
  gets: string | undefined,
): Promise<readonly PlanEntry[]> {
  const { namespace } = pool.metadata ?? {};
  const cluster = acceptedCluster(world, { namespace, name: ownerOf(pool).cluster });
  const version = gets ?? (await versionToCome(world, cluster));
  return (await planOne(world, pool, before, versionPath(cluster, version))).entries;
}

/** The version that a control plane without an edit reaches; undefined: not known, or it is already reached. */
async function versionToCome(world: PlanWorld, cluster: KubeObject | undefined): Promise<string | undefined> {
  if (stringAt(cluster, 'spec', 'version') === stringAt(cluster, 'status', 'controlPlane', 'version')) return undefined;
  const pool = list(world, 'NodePool', cluster?.metadata?.namespace).find(
    (one) => !isWorker(one) && cluster !== undefined && clusterKey(one) === keyOf(cluster),
  );
  if (pool === undefined) return undefined;
  const played = await play({ world, pool });
  return 'refusal' in played ? versionOf(pool) : versionOf(played.end.pool);
}

async function planOne(world: PlanWorld, pool: KubeObject, before: PlanWorld, path: VersionPath): Promise<PoolPlan> {
  const events = [...path.events, ...restartEvents(world, pool)];
  const plan = await planPool(world, pool, before, { ...path, events });
  const entries = withStore(plan.entries, world, pool);
  return isNew(pool, before)
    ? { ...plan, entries: newPoolEntries(pool, entries, absentCluster(world, pool)) }
    : { ...plan, entries };
}

function newCluster(cluster: KubeObject, before: PlanWorld): readonly PlanEntry[] {
  if (!isNew(cluster, before)) return [];
  const { namespace } = cluster.metadata ?? {};
  const name = nameOf(cluster);
  const replicas = Number(at(cluster, 'spec', 'controlPlane', 'replicas'));
  const reason = `it does not exist yet; its control plane of ${counted(replicas, 'machine')} is created once the infrastructure is ready`;
  const about = { kind: 'Cluster', ...(namespace === undefined ? {} : { namespace }), name, cluster: name };
  return [{ ...about, field: '', decision: 'Create', reason, machinesLater: replicas }];
}

type Judged = ({ readonly stored: KubeObject } | { readonly wanted: KubeObject }) & {
  readonly refused: readonly PlanEntry[];
};

function judge(world: PlanWorld, claim: KubeObject): Judged {
  const live = find(world, { kind: claim.kind, namespace: claim.metadata?.namespace, name: nameOf(claim) });
  const applied = applyOnce(claim, live, definitionOf(world, claim));
  if ('stored' in applied) return { stored: applied.stored, refused: [] };
  const owner = claim.kind === 'Cluster' ? { cluster: nameOf(claim) } : ownerOf(claim);
  return { wanted: claim, refused: refusedEntries(applied.wanted, live, owner, applied.refused) };
}

/** Claims that people write; Machines and the pool of a control plane are composed. */
export function isClaim(object: KubeObject): boolean {
  return isSlipway(object, 'Cluster') || isSlipway(object, 'NodePool');
}

/** The pool of a control plane is its Cluster's. */
function isWritten(claim: KubeObject): boolean {
  return claim.kind !== 'NodePool' || isWorker(claim);
}

function storedOf({ objects }: PlanWorld, object: KubeObject): KubeObject | undefined {
  return objects.find((one) => objectKey(one) === objectKey(object));
}

function isNew(claim: KubeObject, before: PlanWorld): boolean {
  const { kind, metadata } = claim;
  return find(before, { kind, namespace: metadata?.namespace, name: nameOf(claim) }) === undefined;
}

function isWorker(pool: KubeObject): boolean {
  return stringAt(pool, 'spec', 'role') !== 'control-plane';
}

function keyOf({ metadata }: KubeObject): string {
  return `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;
}

function clusterKey(pool: KubeObject): string {
  return `${pool.metadata?.namespace ?? ''}/${ownerOf(pool).cluster}`;
}

function byName(a: KubeObject, b: KubeObject): number {
  return keyOf(a) < keyOf(b) ? -1 : 1;
}
