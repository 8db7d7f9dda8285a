/**
 * All objects of a kind, kept up to date by a list and watches: frozen, by namespace and name. An object that vanished
 * while no watch was open is reported as gone after the next list.
 */
import type { KubeObject } from '#lib/api/json.ts';
import { jittered } from './backoff.ts';
import type { Selection } from './client.ts';
import { KubeRefusal } from './refusal.ts';
import type { Resource } from './resource.ts';
import { pause } from './timing.ts';
import { watched, type WatchParts } from './watch.ts';

/** `after` is undefined when the object is gone, `before` when it is new. */
export type Changed = (before: KubeObject | undefined, after: KubeObject | undefined) => void;

export interface InformerParts extends WatchParts {
  readonly resource: Resource;
  readonly selection?: Selection;
  /** Takes parts away that nobody reads. `metadata.managedFields` always goes. */
  readonly slim?: (object: KubeObject) => KubeObject;
  /** False: the change is stored, and nobody is told. @default every change matters */
  readonly matters?: (before: KubeObject, after: KubeObject) => boolean;
  readonly onChange: Changed;
  /** A list or a watch failed; it is tried again. */
  readonly onError: (thrown: unknown) => void;
  /** It works again after a failure. */
  readonly onRecovery?: () => void;
}

/** Seconds. */
const RETRY = { least: 0.5, most: 60 } as const;

export class Informer {
  readonly #parts: InformerParts;
  readonly #objects = new Map<string, KubeObject>();
  readonly #stopped = new AbortController();
  readonly #synced = Promise.withResolvers<void>();
  #isSynced = false;
  /** Where the next watch begins; undefined: a list comes first. */
  #version: string | undefined;
  /** In a row. */
  #failures = 0;
  #failure: Error | undefined;
  #running: Promise<void> | undefined;

  constructor(parts: InformerParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#running;
  }

  /** Resolves after the first list. */
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

  get(name: string, namespace?: string): KubeObject | undefined {
    return this.#objects.get(keyOf(namespace, name));
  }

  list(): readonly KubeObject[] {
    return [...this.#objects.values()];
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopped;
    const { timing, random, onError } = this.#parts;
    while (!signal.aborted) {
      try {
        if (this.#version === undefined) await this.#list();
        await this.#watch();
      } catch (thrown) {
        if (signal.aborted) return;
        this.#failure = thrown instanceof Error ? thrown : new Error(String(thrown));
        onError(thrown);
        // A watch that was cut off goes on after what it had. A version that is too old needs a new list, at once.
        if (needsList(thrown)) this.#version = undefined;
        if (KubeRefusal.has(thrown, 410)) continue;
        this.#failures += 1;
        const least = thrown instanceof KubeRefusal ? (thrown.retryAfter ?? 0) : 0;
        await pause(timing, Math.max(least, jittered(RETRY, this.#failures, random)), signal);
      }
    }
  }

  async #list(): Promise<void> {
    const { client, resource, selection } = this.#parts;
    const { items, resourceVersion } = await client.list(resource, selection);
    const present = new Set(items.map((object) => keyOf(object.metadata?.namespace, object.metadata?.name)));
    for (const [key, object] of this.#objects) if (!present.has(key)) this.#gone(object);
    for (const object of items) this.#set(object);
    this.#version = resourceVersion;
    this.#works();
    this.#isSynced = true;
    this.#synced.resolve();
  }

  async #watch(): Promise<void> {
    const { resource, selection = {}, timing, random } = this.#parts;
    const { signal } = this.#stopped;
    let heard = false;
    for await (const event of watched(this.#parts, resource, selection, this.#version ?? '', signal)) {
      this.#works();
      if (event.type === 'Open') continue;
      heard = true;
      if (event.type === 'Bookmark') this.#version = event.resourceVersion;
      else {
        this.#version = event.object.metadata?.resourceVersion ?? this.#version;
        if (event.type === 'Gone') this.#gone(event.object);
        else this.#set(event.object);
      }
    }
    // A server that ends every watch at once must not be asked in a loop.
    if (!heard) await pause(timing, RETRY.least + random(), signal);
  }

  #works(): void {
    const hadFailed = this.#failure !== undefined;
    this.#failures = 0;
    this.#failure = undefined;
    if (hadFailed) this.#parts.onRecovery?.();
  }

  #set(object: KubeObject): void {
    const { slim = (one) => one, matters = () => true, onChange } = this.#parts;
    const key = keyOf(object.metadata?.namespace, object.metadata?.name);
    const before = this.#objects.get(key);
    const after = frozen(slim(withoutManagedFields(object)));
    if (before?.metadata?.resourceVersion === after.metadata?.resourceVersion && before !== undefined) return;
    this.#objects.set(key, after);
    // Another object of the same name: the first one is gone, even if nobody saw it go.
    if (before !== undefined && before.metadata?.uid !== after.metadata?.uid) {
      onChange(before, undefined);
      return onChange(undefined, after);
    }
    if (before === undefined || matters(before, after)) onChange(before, after);
  }

  #gone(object: KubeObject): void {
    const key = keyOf(object.metadata?.namespace, object.metadata?.name);
    const before = this.#objects.get(key);
    if (before === undefined) return;
    this.#objects.delete(key);
    this.#parts.onChange(before, undefined);
  }
}

function needsList(thrown: unknown): boolean {
  return thrown instanceof KubeRefusal && thrown.status < 500 && thrown.status !== 429;
}

function keyOf(namespace: string | undefined, name: string | undefined): string {
  return `${namespace ?? ''}/${name ?? ''}`;
}

function withoutManagedFields(object: KubeObject): KubeObject {
  if (object.metadata?.['managedFields'] === undefined) return object;
  const { managedFields: _unread, ...metadata } = object.metadata;
  return { ...object, metadata };
}

function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
}
