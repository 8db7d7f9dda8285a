/** Deterministic names: the same parts always give the same name; truncated parts are replaced by a hash. */
import { hash } from 'node:crypto';
import { canonical } from './json.ts';

const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789'; // no vowels, no look-alikes: no accidental words

/** A short hash of any JSON, for names and revisions. `length` is in characters of 4.75 bits each. */
export function shortHash(value: unknown, length = 8): string {
  return shortHashOf(canonical(value), length);
}

/** The same of JSON that is canonical text already. */
export function shortHashOf(text: string, length: number): string {
  const digest = hash('sha256', text, 'buffer');
  return Array.from(digest.subarray(0, length), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
}

/** A lower-case SHA-256 in hex of text or bytes. */
export function sha256(data: string | Uint8Array): string {
  return hash('sha256', data);
}

/**
 * Joins parts with '-' within `limit` characters (63: a DNS label, 32: some load balancers).
 * What does not fit is cut off, and a hash of the whole put in its place.
 */
export function joinName(parts: readonly string[], limit = 63): string {
  const whole = parts.filter((part) => part !== '').join('-');
  if (whole.length <= limit) return whole;
  const mark = shortHash(whole, 6);
  return `${whole.slice(0, limit - mark.length - 1).replace(/(?<![-.])[-.]+$/, '')}-${mark}`;
}

/** `Kind "namespace/name"`, the way every message names an object. */
export function describeObject(object: {
  readonly kind?: string;
  readonly metadata?: { readonly name?: string; readonly namespace?: string | undefined } | undefined;
}): string {
  const { name = '?', namespace } = object.metadata ?? {};
  return `${object.kind ?? 'object'} "${namespace === undefined ? name : `${namespace}/${name}`}"`;
}
