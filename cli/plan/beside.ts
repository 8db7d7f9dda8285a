/** What a platform writes for provider-node beside claims, such as Hosts: judged as claims are, by the API server. */
import type { KubeObject } from '#lib/api/json.ts';
import { applyOnce } from '#simulator/render/apply-once.ts';
import { misspelt } from '../files/misspelt.ts';
import type { PlanEntry } from './entry.ts';
import { refusedEntries } from './refused.ts';
import { definitionOf, isOfProviderNode, type PlanWorld } from './world.ts';

/** Whether it is of a kind that is judged so. */
export function isBeside(object: KubeObject): boolean {
  return isOfProviderNode(object) && misspelt(object) === undefined;
}

/**
 * A line for each field that is refused.
 * @param live  as it is stored; undefined: it is new
 */
export function refusedBeside(
  world: Pick<PlanWorld, 'definitions'>,
  object: KubeObject,
  live?: KubeObject,
): readonly PlanEntry[] {
  const applied = applyOnce(object, live, definitionOf(world, object));
  return 'stored' in applied ? [] : refusedEntries(applied.wanted, live, { cluster: '' }, applied.refused);
}
