/** What a machine image contains, according to its name in a Composition, such as ubuntu-24.04/v1.35.4. */
import { type Json, at, isJsonObject } from '#lib/api/json.ts';
import { COMPOSITION } from '../reconcile/composition.ts';
import type { Store } from '../store/store.ts';

/** The Kubernetes version of an image by its id; undefined if no Composition has a name with a version for it. */
export function versionOfImage(store: Store, id: string): string | undefined {
  if (store.kinds.find(COMPOSITION.apiVersion, COMPOSITION.kind) === undefined) return undefined;
  for (const composition of store.list(COMPOSITION)) {
    const pipeline = at(composition, 'spec', 'pipeline');
    for (const step of Array.isArray(pipeline) ? (pipeline as readonly Json[]) : []) {
      const images = at(step, 'input', 'images');
      const named = Object.entries(isJsonObject(images) ? images : {}).find(
        ([, regions]) => isJsonObject(regions) && Object.values(regions).includes(id),
      );
      const version = /\/(v[0-9]+\.[0-9]+\.[0-9]+)$/.exec(named?.[0] ?? '')?.[1];
      if (version !== undefined) return version;
    }
  }
  return undefined;
}
