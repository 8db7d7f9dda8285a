/** Pools that exist and are in no file, where the files have a new one of their Cluster: it was perhaps renamed. */
import type { KubeObject } from '#lib/api/json.ts';
import { describeObject } from '#lib/api/names.ts';
import { ownerOf } from './machines.ts';
import { isGoing, isSlipway, nameOf, objectKey, type PlanWorld } from './world.ts';

/**
 * A sentence for each: a plan changes nothing that is in no file.
 * @param going names of what the plan deletes
 */
export function leftOutNotes(
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
