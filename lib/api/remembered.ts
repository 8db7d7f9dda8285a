/**
 * Caches results by text, for the most recent texts only, because authors of claims and Compositions write these texts,
 * and a function runs for months.
 */
import { createHash } from 'node:crypto';

/** @param most maximum number of entries */
export function remembered<T>(make: (text: string) => T, most: number): (text: string) => T {
  return rememberedAs((text) => text, make, most);
}

/** The same for values that are not texts. @param textOf tells apart whatever gives different results */
export function rememberedAs<V, T>(textOf: (value: V) => string, make: (value: V) => T, most: number): (value: V) => T {
  const known = new Map<string, T>();
  return (value) => entryOf(known, most, textOf(value), () => make(value));
}

/** The same for texts that are long or secret: only the hash of each is kept. The result must not quote a secret. */
export function rememberedByHash<Texts extends readonly string[], T>(
  make: (...texts: Texts) => T,
  most: number,
): (...texts: Texts) => T {
  const known = new Map<string, T>();
  return (...texts) => entryOf(known, most, hashOf(texts), () => make(...texts));
}

function entryOf<T>(known: Map<string, T>, most: number, key: string, make: () => T): T {
  const value = known.has(key) ? (known.get(key) as T) : make();
  // Moves a used entry to the end: the least recently used one is dropped first.
  known.delete(key);
  known.set(key, value);
  for (const oldest of known.keys()) {
    if (known.size <= most) break;
    known.delete(oldest);
  }
  return value;
}

function hashOf(texts: readonly string[]): string {
  const hash = createHash('sha256');
  // The length says where one text ends and the next begins.
  for (const text of texts) hash.update(`${text.length}:`).update(text);
  return hash.digest('base64');
}
