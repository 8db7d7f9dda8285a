/** What exists beside something new of the files, and stays: the one was perhaps taken for the other. */
import type { KubeObject } from '#lib/api/json.ts';
import { describeObject } from '#lib/api/names.ts';
import { firstNames } from '#lib/api/shortened.ts';
import { ownerOf } from './machines.ts';
import { isGoing, isSlipway, nameOf, objectKey, type PlanWorld } from './world.ts';

/**
 * A sentence for each pool in no file whose Cluster gets a new one, which was perhaps renamed, for each new Cluster beside
 * one in no file, and for each new one of a name that is in another namespace.
 * @param going names of what the plan deletes
 */
export function leftOutNotes(
  world: Pick<PlanWorld, 'objects'>,
  claims: readonly KubeObject[],
  going: readonly string[],
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
  going: readonly string[],
): readonly string[] {
  const existing = new Set(objects.map(objectKey));
  const written = new Set(claims.map(objectKey));
  const stays = objects.filter(
    (one) => isSlipway(one, 'Cluster') && !isGoing(one) && !written.has(objectKey(one)) && !going.includes(nameOf(one)),
  );
  return claims
    .filter((one) => isSlipway(one, 'Cluster') && !existing.has(objectKey(one)))
    .flatMap((cluster) => {
      const beside = stays.filter(({ metadata }) => metadata?.namespace === cluster.metadata?.namespace);
      if (beside.length === 0) return [];
      const names = firstNames(beside.map(nameOf).toSorted(), MOST);
      const stay = beside.length === 1 ? 'is in no file and stays' : 'are in no file and stay';
      return `${describeObject(cluster)} is a new one beside ${names}, which ${stay}: no Cluster can be renamed; plan --delete shows what goes with one`;
    });
}

function clustersElsewhere({ objects }: Pick<PlanWorld, 'objects'>, claims: readonly KubeObject[]): readonly string[] {
  const existing = new Set(objects.map(objectKey));
  return claims
    .filter((one) => isSlipway(one, 'Cluster') && !existing.has(objectKey(one)))
    .flatMap((cluster) => {
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
  going: readonly string[],
): readonly string[] {
  const written = new Set(claims.map(objectKey));
  const existing = new Set(objects.map(objectKey));
  const isNewBeside = (pool: KubeObject): boolean =>
    claims.some(
      (one) =>
        isSlipway(one, 'NodePool') &&
        !existing.has(objectKey(one)) &&
        one.metadata?.namespace === pool.metadata?.namespace &&
        ownerOf(one).cluster === ownerOf(pool).cluster,
    );
  return objects
    .filter((one) => isSlipway(one, 'NodePool') && !isGoing(one) && !isComposed(one))
    .filter((one) => !written.has(objectKey(one)) && !going.includes(nameOf(one)) && isNewBeside(one))
    .map((pool) => `${describeObject(pool)} stays as it is: it is in no file; plan --delete shows what goes with it`);
}

/** The pool of a control plane, which its Cluster makes. */
function isComposed({ metadata }: KubeObject): boolean {
  const owners = metadata?.['ownerReferences'];
  return Array.isArray(owners) && owners.length > 0;
}
