/**
 * What each XR depends on. Crossplane 2.4 records it at the end of a compose that succeeds, in memory: what the XR
 * composes and what its functions require. 2.3 follows the references in the XR and knows nothing of requirements.
 */
import type { KubeObject } from '#lib/api/json.ts';
import type { Selector } from '#lib/fn/request.ts';
import type { CrossplaneMinor } from '../interface.ts';
import { matches, metaOf } from '../store/object.ts';
import { type ObjectRef, keyOf, kindKey, refOf } from '../store/ref.ts';
import { resourceRefs } from './machinery.ts';

/** Selectors by requirement name, by step. */
export type Required = ReadonlyMap<string, ReadonlyMap<string, Selector>>;

interface Dependency {
  readonly xr: ObjectRef;
  readonly selector: Selector;
}

export class Dependencies {
  readonly version: CrossplaneMinor;
  readonly #required = new Map<string, Required>();
  readonly #byXr = new Map<string, readonly Dependency[]>();
  /** By key of an object that is selected by name, otherwise by kind. */
  readonly #byPlace = new Map<string, Set<Dependency>>();

  constructor(version: CrossplaneMinor) {
    this.version = version;
  }

  /** After a compose that succeeded. */
  composed(xr: ObjectRef, composed: readonly ObjectRef[], required: Required): void {
    if (this.version === '2.3') return;
    this.#replace(xr, [...composed.map(selectorOf), ...[...required.values()].flatMap((each) => [...each.values()])]);
    this.#required.set(keyOf(xr), required);
  }

  /** After any write to the XR. */
  written(xr: KubeObject): void {
    if (this.version === '2.3') this.#replace(refOf(xr), resourceRefs(xr).map(selectorOf));
  }

  forget(xr: ObjectRef): void {
    this.#replace(xr, []);
    this.#required.delete(keyOf(xr));
  }

  /** What a step required when its XR was composed last. */
  requiredBefore(xr: ObjectRef, step: string): ReadonlyMap<string, Selector> {
    return this.#required.get(keyOf(xr))?.get(step) ?? new Map<string, Selector>();
  }

  /** The XRs that depend on the object, each once or more often. */
  dependants(object: KubeObject): readonly ObjectRef[] {
    return [keyOf(refOf(object)), kindKey(object.apiVersion, object.kind)]
      .flatMap((place) => [...(this.#byPlace.get(place) ?? [])])
      .filter(({ selector }) => isSelected(object, selector))
      .map(({ xr }) => xr);
  }

  #replace(xr: ObjectRef, selectors: readonly Selector[]): void {
    const key = keyOf(xr);
    for (const dependency of this.#byXr.get(key) ?? []) this.#byPlace.get(placeOf(dependency))?.delete(dependency);
    const dependencies = selectors.map((selector) => ({ xr, selector }));
    this.#byXr.set(key, dependencies);
    for (const dependency of dependencies) {
      const place = placeOf(dependency);
      this.#byPlace.set(place, (this.#byPlace.get(place) ?? new Set()).add(dependency));
    }
  }
}

function placeOf({ selector: { apiVersion, kind, namespace, matchName } }: Dependency): string {
  if (matchName === undefined) return kindKey(apiVersion, kind);
  return keyOf({ apiVersion, kind, ...(namespace === undefined ? {} : { namespace }), name: matchName });
}

function isSelected(object: KubeObject, { namespace = '', matchName, matchLabels }: Selector): boolean {
  if (matchName !== undefined) return true;
  return (namespace === '' || namespace === metaOf(object).namespace) && matches(object, matchLabels);
}

function selectorOf({ apiVersion, kind, namespace, name }: ObjectRef): Selector {
  return { apiVersion, kind, namespace, matchName: name };
}
