/** An edited EnvironmentConfig of the platform: what its entries mean for machines that exist, and for new ones. */
import { isJsonObject, type Json, type KubeObject } from '#lib/api/json.ts';
import { shownChange } from '#lib/api/shown.ts';
import { ENVIRONMENT_CONFIG_KIND } from '#lib/cloud/environment-config.ts';
import { type Difference, differences, formatPath, type Path } from './difference.ts';
import type { PlanEntry } from './entry.ts';
import { nameOf, type PlanWorld } from './world.ts';

/** Whether it is one that functions read: they ask for one apiVersion. */
export function isEnvironmentConfig({ apiVersion, kind }: KubeObject): boolean {
  return kind === ENVIRONMENT_CONFIG_KIND.kind && apiVersion === ENVIRONMENT_CONFIG_KIND.apiVersion;
}

/** The world once the configs are applied; functions ask for them by name alone. */
export function withConfigs(world: PlanWorld, configs: readonly KubeObject[]): PlanWorld {
  const names = new Set(configs.map(nameOf));
  const others = world.objects.filter((one) => !isEnvironmentConfig(one) || !names.has(nameOf(one)));
  return { ...world, objects: [...others, ...configs] };
}

/** One line for each entry of the table that changes. */
export function configEntries(world: PlanWorld, configs: readonly KubeObject[]): readonly PlanEntry[] {
  return configs.flatMap((config) => {
    const live = world.objects.find((one) => isEnvironmentConfig(one) && nameOf(one) === nameOf(config));
    return leaves(live?.['data'], config['data']).map(({ path, old, new: now }): PlanEntry => ({
      kind: config.kind,
      name: nameOf(config),
      cluster: '',
      field: formatPath(path),
      ...shownChange({ old, new: now }, path, config),
      decision: 'Patch',
      reason: reasonFor(path[1] === 'regions' || path[1] === 'zones' ? 'cluster' : 'machine', now),
    }));
  });
}

/** Into tables that are new or taken away, too, so that each entry has its line. */
function leaves(old: Json = {}, now: Json = {}, path: Path = ['data']): readonly Difference[] {
  return differences(old, now, path).flatMap((one) =>
    isJsonObject(one.old ?? one.new) ? leaves(one.old, one.new, one.path) : [one],
  );
}

function reasonFor(what: string, now: Json | undefined): string {
  const use = now === undefined ? `no new ${what} uses it` : `new ${what}s use it`;
  return `${use}; those that exist keep what they have`;
}
