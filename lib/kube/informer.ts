/**
 * All objects of a kind, kept up to date by a list and watches: frozen, by namespace and name. An object that vanished
 * while no watch was open is reported as gone after the next list.
 */
import type { KubeObject } from '#lib/api/json.ts';
import { jittered } from './backoff.ts';
import { weightOf } from './budget.ts';
import type { Selection } from './pages.ts';
import { KubeRefusal, Unreachable } from './refusal.ts';
import type { Resource } from './resource.ts';
import { type Change, Store } from './store.ts';
import { pause } from './timing.ts';
import { watched, type WatchEvent, type WatchParts } from './watch.ts';

/** `after` is undefined when the object is gone, `before` when it is new. */
export type Changed = (before: KubeObject | undefined, after: KubeObject | undefined) => void;

export interface InformerParts extends WatchParts {
  readonly resource: Resource;
  readonly selection?: Selection;
  /** Takes parts away that nobody reads. `metadata.managedFields` always goes. */
  readonly slim?: (object: KubeObject) => KubeObject;
  /** A key for `byIndex`, read from what `slim` left; undefined for none. */
  readonly index?: (object: KubeObject) => string | undefined;
  /** False: the change is stored, and nobody is told. @default every change matters */
  readonly matters?: (before: KubeObject, after: KubeObject) => boolean;
  readonly onChange: Changed;
  /** A list or a watch failed, and is tried again; or `onChange` threw, and is not called again. */
  readonly onError: (thrown: unknown) => void;
  /** It works again after a failure. */
  readonly onRecovery?: () => void;
  /** Seconds between attempts at most. @default 60 */
  readonly retryWithin?: number;
}

/** Since it was made, for metrics. */
export interface InformerCounts {
  readonly lists: number;
  readonly watches: number;
  readonly events: number;
  /** Watches whose version was too old. */
  readonly expired: number;
  /** Watches that were silent for too long. */
  readonly silent: number;
  /** Lists and watches that failed for another reason. */
  readonly failures: number;
  /** Of these, those with something that no Kubernetes API sends. */
  readonly garbled: number;
}

/** Seconds. */
const RETRY = { least: 0.5, most: 60 } as const;
/** Seconds. After a watch that ended earlier the next one waits like after a failure, so that none begins in a loop. */
const SHORT = 5;

export class Informer {
  readonly #parts: InformerParts;
  readonly #store: Store;
  readonly #stopped = new AbortController();
  readonly #synced = Promise.withResolvers<void>();
  readonly #counts = { lists: 0, watches: 0, events: 0, expired: 0, silent: 0, failures: 0, garbled: 0 };
  #isSynced = false;
  /** Where the next watch begins; undefined: a list comes first. */
  #version: string | undefined;
  /** In a row. */
  #failures = 0;
  #failure: Error | undefined;
  #running: Promise<void> | undefined;

  constructor(parts: InformerParts) {
    this.#parts = parts;
    const { index = () => undefined, client } = parts;
    this.#store = client.budget === undefined ? new Store(index) : new Store(index, weightOf);
  }

  start(): void {
    this.#running ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#running;
    this.#parts.client.budget?.keep(this, 0);
  }

  /** Resolves after the first list; never, when it is stopped before. */
  get synced(): Promise<void> {
    return this.#synced.promise;
  }

  get isSynced(): boolean {
    return this.#isSynced;
  }

  /** Why the last list or watch failed; undefined while it works. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  get counts(): InformerCounts {
    return { ...this.#counts };
  }

  get(name: string, namespace?: string): KubeObject | undefined {
    return this.#store.get(name, namespace);
  }

  list(): readonly KubeObject[] {
    return this.#store.list();
  }

  /** Objects with this key. */
  byIndex(key: string): readonly KubeObject[] {
    return this.#store.byIndex(key);
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopped;
    const { timing } = this.#parts;
    while (!signal.aborted) {
      const began = timing.elapsed();
      try {
        if (this.#version === undefined) await this.#list();
        await this.#watch(this.#version ?? '');
        if (timing.elapsed() - began < SHORT * 1000) await this.#wait();
        else this.#failures = 0;
      } catch (thrown) {
        if (!signal.aborted) await this.#failed(thrown);
      }
    }
  }

  async #list(): Promise<void> {
    const { client, resource, selection, slim = same } = this.#parts;
    const { items: objects, resourceVersion } = await client
      .bounded({ signal: this.#stopped.signal })
      .list(resource, selection, (object) => slim(withoutManagedFields(object)));
    // Who is told about one object finds all others.
    const changes = [...this.#store.keep(objects), ...objects.flatMap((object) => this.#store.set(object))];
    this.#weigh();
    this.#version = resourceVersion;
    this.#counts.lists += 1;
    this.#works();
    this.#isSynced = true;
    this.#tell(changes);
    this.#synced.resolve();
  }

  async #watch(version: string): Promise<void> {
    const { resource, selection = {} } = this.#parts;
    for await (const event of watched(this.#parts, resource, selection, version, this.#stopped.signal)) {
      if (event.type === 'Open') this.#counts.watches += 1;
      else this.#take(event);
      this.#works();
    }
  }

  #take(event: Exclude<WatchEvent, { readonly type: 'Open' }>): void {
    this.#failures = 0;
    this.#counts.events += 1;
    if (event.type === 'Bookmark') {
      this.#version = event.resourceVersion;
      return;
    }
    const { slim = same } = this.#parts;
    const { object } = event;
    this.#tell(
      event.type === 'Gone' ? this.#store.delete(object) : this.#store.set(slim(withoutManagedFields(object))),
    );
    this.#version = object.metadata?.resourceVersion ?? this.#version;
    this.#weigh();
  }

  #weigh(): void {
    this.#parts.client.budget?.keep(this, this.#store.weight);
  }

  #works(): void {
    const hadFailed = this.#failure !== undefined;
    this.#failure = undefined;
    if (hadFailed) this.#parts.onRecovery?.();
  }

  /** A watch that was cut off goes on after what it had; a version that is too old needs a new list, at once. */
  async #failed(thrown: unknown): Promise<void> {
    if (thrown instanceof Unreachable && thrown.kind === 'Silent') {
      this.#counts.silent += 1;
      return;
    }
    if (thrown instanceof Unreachable && thrown.kind === 'CutOff') this.#letGo();
    if (needsList(thrown)) this.#version = undefined;
    if (KubeRefusal.has(thrown, 410)) {
      this.#counts.expired += 1;
      return this.#failures === 0 ? void (this.#failures += 1) : this.#wait();
    }
    this.#failure = thrown instanceof Error ? thrown : new Error(String(thrown));
    this.#counts.failures += 1;
    if (thrown instanceof Unreachable && thrown.kind === 'NotKubernetes') this.#counts.garbled += 1;
    this.#parts.onError(thrown);
    await this.#wait(thrown instanceof KubeRefusal || thrown instanceof Unreachable ? thrown.retryAfter : undefined);
  }

  /** Nobody is told that the objects are gone: nothing is known of them until they are listed again. */
  #letGo(): void {
    this.#store.clear();
    this.#version = undefined;
    this.#weigh();
  }

  /** @param least  seconds that the server asked for */
  async #wait(least = 0): Promise<void> {
    const { timing, random, retryWithin: most = RETRY.most } = this.#parts;
    this.#failures += 1;
    const seconds = jittered({ ...RETRY, most }, this.#failures, random);
    await pause(timing, Math.max(least, seconds), this.#stopped.signal);
  }

  #tell(changes: readonly Change[]): void {
    const { matters = () => true, onChange, onError } = this.#parts;
    for (const { before, after } of changes)
      try {
        if (before === undefined || after === undefined || matters(before, after)) onChange(before, after);
      } catch (thrown) {
        onError(thrown);
      }
  }
}

function same(object: KubeObject): KubeObject {
  return object;
}

/** Also after an event that cannot be read: a watch from the version before it would bring it again, for ever. */
function needsList(thrown: unknown): boolean {
  if (thrown instanceof Unreachable)
    return thrown.kind === 'TooLarge' || thrown.kind === 'NotKubernetes' || thrown.kind === 'CutOff';
  return thrown instanceof KubeRefusal && thrown.status < 500 && thrown.status !== 429;
}

function withoutManagedFields(object: KubeObject): KubeObject {
  if (object.metadata?.['managedFields'] === undefined) return object;
  const { managedFields: _unread, ...metadata } = object.metadata;
  return { ...object, metadata };
}
