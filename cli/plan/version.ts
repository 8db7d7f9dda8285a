/**
 * Workers follow the version of their control plane: what they do once it runs the version, and what they do not if it
 * cannot.
 */
import { type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import type { VersionPath } from './pool.ts';
import type { Present } from './settled.ts';
import { nameOf, withObjects } from './world.ts';

/**
 * @param cluster of the pool; undefined: there is none
 * @param gets the version that its control plane reaches; undefined: not known, and assumed to be the desired one
 */
export function versionPath(cluster: KubeObject | undefined, gets: string | undefined): VersionPath {
  const wanted = stringAt(cluster, 'spec', 'version');
  const runs = stringAt(cluster, 'status', 'controlPlane', 'version');
  if (cluster === undefined || runs === undefined || wanted === undefined || runs === wanted) return NOTHING;
  const blockedBy = waitsForControlPlane(cluster);
  const at =
    (version: string) =>
    ({ world, pool }: Present): Present => ({ world: withObjects(world, [atVersion(cluster, version)]), pool });
  const reached = gets ?? wanted;
  return {
    events: reached === runs ? [] : [{ blockedBy, happens: at(reached) }],
    obstacles:
      reached === wanted ? [] : [{ blockedBy, without: at(wanted), stays: `the control plane does not get ${wanted}` }],
    follows: reached === runs ? undefined : blockedBy,
  };
}

export function waitsForControlPlane(cluster: KubeObject): string {
  return `the control plane of ${nameOf(cluster)}, which runs ${stringAt(cluster, 'status', 'controlPlane', 'version')}`;
}

export const NOTHING: VersionPath = { events: [], obstacles: [], follows: undefined };

/** The Cluster once its control plane has that version. */
export function atVersion(cluster: KubeObject, version: string): KubeObject {
  const controlPlane = { ...(cluster.status?.['controlPlane'] as JsonObject | undefined), version };
  const addons = cluster.status?.['addons'];
  // Add-ons that are chosen by the version are assumed to follow: workers wait for them.
  const followed = stringAt(addons, 'version') === undefined ? {} : { addons: { ...(addons as JsonObject), version } };
  return { ...cluster, status: { ...cluster.status, controlPlane, ...followed } };
}
