/** The data of the pool for the in-place-update step: contract "group". */
import type { Group } from '#lib/api/contracts/group.ts';
import type { Json } from '#lib/api/json.ts';
import type { PoolSituation } from './situation.ts';
import type { Plan } from './slot.ts';

export function groupOf(
  { others }: PoolSituation,
  {
    quorum,
    releases,
    replacements,
    stopped,
    held,
  }: Pick<Plan, 'releases' | 'replacements' | 'stopped'> & Pick<Group, 'quorum' | 'held'>,
): Json {
  const group: Group = {
    contract: 1,
    leaving: others.leaving.length,
    quorum,
    unobserved: [...others.unobserved.keys()].toSorted(),
    releases: [...releases],
    replacements: [...replacements],
    ...(held === undefined ? {} : { held }),
    ...(stopped === undefined ? {} : { stopped }),
  };
  return group;
}
