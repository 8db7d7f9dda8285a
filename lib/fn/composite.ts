/**
 * The XR of a call, with which every function begins. Errors in its spec are reported to its author; its status was
 * written by earlier calls, and each function parses its own part.
 */
import type { z } from 'zod';
import type { KubeObject } from '#lib/api/json.ts';
import { describeObject } from '#lib/api/names.ts';
import { parseAs } from '#lib/api/parse.ts';
import type { Request } from './request.ts';

export interface Claim<T> {
  /** Without its status. */
  readonly claim: T;
  /** As observed, for its conditions. */
  readonly composite: KubeObject;
  /** Name of the XR in messages. */
  readonly owner: string;
}

/** Throws InvalidClaim. @param kind its schema, such as Machine */
export function readClaim<T extends z.ZodType>(
  { observed: { composite } }: { readonly observed: Pick<Request['observed'], 'composite'> },
  kind: T,
): Claim<z.output<T>> {
  const owner = describeObject(composite);
  const { status: _status, ...claim } = composite;
  return { claim: parseAs(kind, claim, owner), composite, owner };
}

/**
 * The status an earlier call wrote, or its defaults. Throws InvalidObserved.
 * @param own an object with the status alone
 */
export function readOwnStatus<S>({ observed: { composite } }: Request, own: z.ZodType<{ status: S }>): S {
  return parseAs(own, { status: composite.status ?? {} }, describeObject(composite), 'InvalidObserved').status;
}

/**
 * What is observed of what the XR composes, by composition resource name. An object is read from the request when
 * somebody looks at it.
 */
export function observedObjects({ observed }: Request): ReadonlyMap<string, KubeObject> {
  return new ObservedObjects(observed.resources);
}

class ObservedObjects implements ReadonlyMap<string, KubeObject> {
  readonly #observed: Request['observed']['resources'];

  constructor(observed: Request['observed']['resources']) {
    this.#observed = observed;
  }

  get size(): number {
    return this.#observed.size;
  }

  get(key: string): KubeObject | undefined {
    return this.#observed.get(key)?.resource;
  }

  has(key: string): boolean {
    return this.#observed.has(key);
  }

  keys(): MapIterator<string> {
    return this.#observed.keys();
  }

  values(): MapIterator<KubeObject> {
    return this.#observed.values().map(({ resource }) => resource);
  }

  entries(): MapIterator<[string, KubeObject]> {
    return this.#observed.entries().map(([key, { resource }]) => [key, resource]);
  }

  [Symbol.iterator](): MapIterator<[string, KubeObject]> {
    return this.entries();
  }

  forEach(each: (value: KubeObject, key: string, map: ReadonlyMap<string, KubeObject>) => void): void {
    for (const [key, value] of this) each(value, key, this);
  }
}
