/** What the provider writes to managed resources: conditions, reported fields, ids and late initialisation. */
import type { Condition } from '#lib/api/conditions.ts';
import { isJsonObject, type Json, type JsonObject, type KubeObject } from '#lib/api/json.ts';
import { CROSSPLANE } from '#lib/api/words.ts';
import type { Scheduler } from '../clock/scheduler.ts';
import { marked } from '../reconcile/conditions.ts';
import { annotationsOf, withAnnotations } from '../store/object.ts';
import type { Store } from '../store/store.ts';
import type { CloudKind, CloudObject } from './kind.ts';
import {
  CREATE_SUCCEEDED,
  forProviderOf,
  mayLateInitialize,
  nameOf,
  withForProvider,
  withoutEmptyLists,
} from './resource.ts';

const MANAGER = 'provider';

export class StatusWriter {
  readonly #store: Store;
  readonly #clock: Scheduler;

  constructor(store: Store, clock: Scheduler) {
    this.#store = store;
    this.#clock = clock;
  }

  write(resource: KubeObject): KubeObject {
    return this.#store.update(resource, MANAGER);
  }

  mark(resource: KubeObject, conditions: readonly Condition[]): void {
    this.#store.updateStatus(marked(resource, conditions, this.#clock.stamp, true), MANAGER);
  }

  /** status.atProvider and conditions. */
  report(resource: KubeObject, kind: CloudKind, thing: CloudObject, conditions: readonly Condition[]): void {
    const hidden = new Set(kind.hidden ?? []);
    const shown = (fields: JsonObject) =>
      Object.fromEntries(Object.entries(fields).filter(([key]) => !hidden.has(key)));
    const atProvider = { ...withoutReferences(shown(thing.attributes)), ...shown(thing.outputs) };
    this.mark({ ...resource, status: { ...resource.status, atProvider } }, conditions);
  }

  /**
   * The object with its id, stored so that a restart finds it, and with arguments that the cloud filled in. It is not
   * written yet.
   */
  lateInitialized(resource: KubeObject, kind: CloudKind, thing: CloudObject): KubeObject {
    const may = mayLateInitialize(resource);
    const marks = {
      [CROSSPLANE.externalName]: nameOf(thing),
      [CREATE_SUCCEEDED]: annotationsOf(resource)[CREATE_SUCCEEDED] ?? this.#clock.stamp,
    };
    const noted = may || kind.idPrefix === undefined ? withAnnotations(resource, marks) : resource;
    if (!may) return noted;
    const present = forProviderOf(noted);
    const missing = (kind.lateInitialized ?? []).filter(
      (key) => present[key] === undefined && !isNothing(thing.attributes[key]),
    );
    if (missing.length === 0) return noted;
    const filled = Object.fromEntries(missing.map((key) => [key, thing.attributes[key]]));
    return withForProvider(noted, withoutEmptyLists({ ...present, ...filled }));
  }
}

function isNothing(value: Json | undefined): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0);
}

/** The status has the value of a reference, not the reference. */
function withoutReferences(value: JsonObject): JsonObject {
  const kept = Object.entries(value).filter(([key]) => !/(Refs?|Selector)$/.test(key));
  return Object.fromEntries(kept.map(([key, child]) => [key, reported(child)]));
}

function reported(value: Json | undefined): Json | undefined {
  if (Array.isArray(value))
    return (value as readonly Json[]).map((item) => (isJsonObject(item) ? withoutReferences(item) : item));
  return isJsonObject(value) ? withoutReferences(value) : value;
}
