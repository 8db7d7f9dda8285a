/** JSON between functions, and Kubernetes objects as functions see them. */

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json | undefined };
export type JsonObject = { readonly [key: string]: Json | undefined };

export interface ObjectMeta {
  readonly name?: string;
  readonly namespace?: string;
  readonly generateName?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly [key: string]: Json | undefined;
}

/** Any Kubernetes object before parsing: only its identity is known. */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata?: ObjectMeta;
  readonly spec?: JsonObject;
  readonly status?: JsonObject;
  readonly [key: string]: Json | ObjectMeta | undefined;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value under a key that the record itself has: a name from a claim may be `constructor`, which every object inherits. */
export function own<Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** The value at a path of keys, or undefined as soon as a step is not an object. */
export function at(value: unknown, ...path: readonly string[]): Json | undefined {
  let here: unknown = value;
  for (const key of path) {
    if (!isJsonObject(here)) return undefined;
    here = Object.hasOwn(here, key) ? here[key] : undefined;
  }
  return here as Json | undefined;
}

/** The string at a path, or undefined when it is absent, empty or something else. */
export function stringAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = at(value, ...path);
  return typeof found === 'string' && found !== '' ? found : undefined;
}

/** JSON text with sorted keys and no undefined: equal values give equal text, whatever the key order was. */
export function canonical(value: unknown): string {
  return JSON.stringify(inOrder(value));
}

/** A copy with sorted keys and no undefined. */
export function inOrder<T>(value: T): T {
  if (Array.isArray(value)) return value.map((item) => (item === undefined ? null : (inOrder(item) as unknown))) as T;
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .filter((key) => value[key] !== undefined)
      .sort()
      .map((key) => [key, inOrder(value[key])]),
  ) as T;
}

/** True when both values are the same JSON, key order and undefined properties aside. */
export function sameJson(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left)) {
    if (!Array.isArray(right) || left.length !== right.length) return false;
    return left.every((item, index) => sameJson(item ?? null, right[index] ?? null));
  }
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  let count = 0;
  for (const key of Object.keys(left)) {
    const value = left[key];
    if (value === undefined) continue;
    if (!Object.hasOwn(right, key) || !sameJson(value, right[key])) return false;
    count += 1;
  }
  const others = Object.keys(right);
  return others.length === count || others.filter((key) => right[key] !== undefined).length === count;
}
