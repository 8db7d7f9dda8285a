/** Workers follow the version their control plane has reached: what they do then, and not only what they do now. */
import { type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import type { PlanEntry } from './entry.ts';
import { withLater } from './later.ts';
import { nameOf, type World, withObjects } from './world.ts';

/**
 * @param cluster of the pool; undefined: there is none
 * @param plan plans one pool in a world
 * @param held whether the control plane cannot get there before somebody mends something
 */
export async function planFollower(
  world: World,
  cluster: KubeObject | undefined,
  plan: (world: World) => Promise<readonly PlanEntry[]>,
  held: boolean,
): Promise<readonly PlanEntry[]> {
  const wanted = stringAt(cluster, 'spec', 'version');
  const reached = stringAt(cluster, 'status', 'controlPlane', 'version');
  const now = await plan(world);
  if (cluster === undefined || reached === undefined || reached === wanted) return now;
  const later = await plan(withObjects(world, [atVersion(cluster, wanted)]));
  return withLater(now, later, `the control plane of ${nameOf(cluster)}, which is at ${reached}`, held);
}

function atVersion(cluster: KubeObject, version: string | undefined): KubeObject {
  const controlPlane = { ...(cluster.status?.['controlPlane'] as JsonObject | undefined), version };
  return { ...cluster, status: { ...cluster.status, controlPlane } };
}
