/** What exists and is in no file: it stays, though it was perhaps taken for something new, or is expected to go. */
import { counted } from '#lib/api/counted.ts';
import type { KubeObject } from '#lib/api/json.ts';
import { describeObject } from '#lib/api/names.ts';
import { firstNames } from '#lib/api/shortened.ts';
import { LABEL } from '#lib/api/words.ts';
import { differences } from './difference.ts';
import { ownerOf } from './machines.ts';
import { isGoing, isSlipway, nameOf, objectKey, type PlanWorld, type Ref } from './world.ts';

/**
 * A sentence for each pool in no file whose Cluster gets a new one, which was perhaps renamed, for other pools of a
 * Cluster of the files, for each new Cluster beside a like one in no file, and for each new one of a name that is in another
 * namespace.
 * @param going what the plan deletes
 */
export function leftOutNotes(
  world: Pick<PlanWorld, 'objects'>,
  claims: readonly KubeObject[],
  going: readonly Ref[],
): readonly string[] {
  return [
    ...clustersElsewhere(world, claims),
    ...clustersBeside(world, claims, going),
    ...poolsLeftOut(world, claims, going),
  ];
}

/** Names of Clusters in a sentence. */
const MOST = 2;

function clustersBeside(
  { objects }: Pick<PlanWorld, 'objects'>,
  claims: readonly KubeObject[],
  going: readonly Ref[],
): readonly string[] {
  const stays = leftOutOf('Cluster', objects, claims, going);
  return newClusters(objects, claims).flatMap((cluster) => {
    const beside = stays.filter(
      (one) => one.metadata?.namespace === cluster.metadata?.namespace && isAlike(one, cluster),
    );
    if (beside.length === 0) return [];
    const names = firstNames(beside.map(nameOf).toSorted(), MOST);
    const stay = beside.length === 1 ? 'is in no file and stays' : 'are in no file and stay';
    return `${describeObject(cluster)} is a new one beside ${names}, which ${stay}: no Cluster can be renamed; plan --delete shows what goes with one`;
  });
}

function newClusters(objects: readonly KubeObject[], claims: readonly KubeObject[]): readonly KubeObject[] {
  const existing = new Set(objects.map(objectKey));
  return claims.filter((one) => isSlipway(one, 'Cluster') && !existing.has(objectKey(one)));
}

/** What exists, is in no file, and stays. */
function leftOutOf(
  kind: 'Cluster' | 'NodePool',
  objects: readonly KubeObject[],
  claims: readonly KubeObject[],
  going: readonly Ref[],
): readonly KubeObject[] {
  const written = new Set(claims.map(objectKey));
  return objects.filter(
    (one) => isSlipway(one, kind) && !isGoing(one) && !written.has(objectKey(one)) && !isDeleted(one, going),
  );
}

/** Fields that are edited together with a name: more, and it is another cluster. */
const EDITED = 2;

/** Whether one could be the other under a new name. What only the stored one has are defaults. */
function isAlike(stored: KubeObject, written: KubeObject): boolean {
  const own = differences(stored.spec, written.spec).filter(
    ({ path, new: now }) => now !== undefined && path[0] !== 'crossplane',
  );
  return own.length <= EDITED;
}

function isDeleted({ kind, metadata }: KubeObject, going: readonly Ref[]): boolean {
  return going.some((ref) => ref.kind === kind && ref.name === metadata?.name && ref.namespace === metadata.namespace);
}

function clustersElsewhere({ objects }: Pick<PlanWorld, 'objects'>, claims: readonly KubeObject[]): readonly string[] {
  return newClusters(objects, claims).flatMap((cluster) => {
    const others = objects.filter((one) => isSlipway(one, 'Cluster') && nameOf(one) === nameOf(cluster));
    const places = others.map(({ metadata }) => metadata?.namespace ?? '').toSorted();
    return places.length === 0
      ? []
      : `${describeObject(cluster)} is a new one: that of namespace ${places.join(', and that of ')} stays as it is`;
  });
}

function poolsLeftOut(
  { objects }: Pick<PlanWorld, 'objects'>,
  claims: readonly KubeObject[],
  going: readonly Ref[],
): readonly string[] {
  const existing = new Set(objects.map(objectKey));
  const leftOut = leftOutOf('NodePool', objects, claims, going).filter((one) => !isComposed(one));
  const isNewBeside = (pool: KubeObject): boolean =>
    claims.some(
      (one) => isSlipway(one, 'NodePool') && !existing.has(objectKey(one)) && clusterOf(one) === clusterOf(pool),
    );
  const others = leftOut.filter((pool) => !isNewBeside(pool));
  return [
    ...leftOut
      .filter(isNewBeside)
      .map((pool) => `${describeObject(pool)} stays as it is: it is in no file; plan --delete shows what goes with it`),
    ...claims
      .filter((one) => isSlipway(one, 'Cluster') && !isDeleted(one, going))
      .flatMap((cluster) => {
        const pools = others.filter((one) => clusterOf(one) === objectKey(cluster));
        return pools.length === 0 ? [] : prunedNote(cluster, pools, objects);
      }),
  ];
}

/** Who applies files with a tool that deletes what is in none of them reads of no machine that goes. */
function prunedNote(cluster: KubeObject, pools: readonly KubeObject[], objects: readonly KubeObject[]): string {
  const names = new Set(pools.map(nameOf));
  const machines = objects.filter(
    (one) =>
      isSlipway(one, 'Machine') &&
      clusterOf(one) === objectKey(cluster) &&
      names.has(one.metadata?.labels?.[LABEL.nodePool] ?? ''),
  );
  // Those of a cloud's own pools are no objects.
  const count = machines.length === 0 ? '' : `, with ${counted(machines.length, 'machine')}`;
  const isOne = pools.length === 1;
  const who = `NodePool${isOne ? '' : 's'} ${firstNames([...names].toSorted(), MOST)}`;
  const them = isOne ? 'it' : 'them';
  const stays = isOne ? 'is in no file and stays' : 'are in no file and stay';
  return `${describeObject(cluster)}: ${who} ${stays}; a GitOps tool that prunes would delete ${them}${count}; plan --delete shows what goes with ${them}`;
}

/** The Cluster of a pool or machine, as a key. */
function clusterOf(object: KubeObject): string {
  const { apiVersion, metadata } = object;
  return objectKey({ apiVersion, kind: 'Cluster', metadata: { ...metadata, name: ownerOf(object).cluster } });
}

/** The pool of a control plane, which its Cluster makes. */
function isComposed({ metadata }: KubeObject): boolean {
  const owners = metadata?.['ownerReferences'];
  return Array.isArray(owners) && owners.length > 0;
}
