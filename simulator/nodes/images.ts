/** What a machine image contains, according to its names in Compositions and EnvironmentConfigs, such as ubuntu/v1.35.4. */
import { type Json, at, isJsonObject } from '#lib/api/json.ts';
import { COMPOSITION } from '../reconcile/composition.ts';
import { ENVIRONMENT_CONFIG } from '../store/builtins.ts';
import type { Store } from '../store/store.ts';

/** The Kubernetes version of an image by its id; undefined if no name of it has one. */
export function versionOfImage(store: Store, id: string): string | undefined {
  const versions = namesOf(store, id).flatMap((name) => /\/(v[0-9]+\.[0-9]+\.[0-9]+)(\/|$)/.exec(name)?.[1] ?? []);
  return versions[0];
}

/** The architecture of an image by its id; undefined if it has no name, and its id does not say it. */
export function architectureOfImage(store: Store, id: string): string | undefined {
  const names = namesOf(store, id);
  const last = names.flatMap((name) => /\/(amd64|arm64)$/.exec(name)?.[1] ?? [])[0];
  if (last !== undefined) return last;
  const texts = [...names, id].map((text) => text.split(/[^A-Za-z0-9]/));
  if (texts.some((words) => words.includes('arm64') || words.includes('aarch64'))) return 'arm64';
  return names.length > 0 || texts.some((words) => words.includes('amd64')) ? 'amd64' : undefined;
}

function namesOf(store: Store, id: string): readonly string[] {
  return tablesIn(store).flatMap((images) =>
    Object.entries(isJsonObject(images) ? images : {})
      .filter(([, regions]) => isJsonObject(regions) && Object.values(regions).includes(id))
      .map(([name]) => name),
  );
}

function tablesIn(store: Store): readonly (Json | undefined)[] {
  const known = [COMPOSITION, ENVIRONMENT_CONFIG].filter(
    ({ apiVersion, kind }) => store.kinds.find(apiVersion, kind) !== undefined,
  );
  return known.flatMap(store.list.bind(store)).flatMap((object) => {
    const pipeline = at(object, 'spec', 'pipeline');
    const steps = Array.isArray(pipeline) ? (pipeline as readonly Json[]) : [];
    return [at(object, 'data', 'images'), ...steps.map((step) => at(step, 'input', 'images'))];
  });
}
