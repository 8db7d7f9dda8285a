/**
 * A pair of a state and an edit: how a pool came to be what it is, and what is changed then. Plain data, printed as
 * JSON.
 */
import type { JsonObject } from '#lib/api/json.ts';

export interface Case {
  readonly role: 'worker' | 'control-plane';
  /** Of the claim beside what every pool has: NodePool, or Cluster for a control plane. */
  readonly spec: JsonObject;
  /** An edit before, and how many steps it had when the other comes; absent: the pool is at rest. */
  readonly before?: { readonly edit: Edit; readonly steps: number };
  readonly edit: Edit;
  /** How long machines take. */
  readonly seed: number;
}

/** Fields of the claims, whole; null takes one away. */
export interface Edit {
  /** Of a worker pool's own claim. */
  readonly pool?: JsonObject;
  readonly cluster?: JsonObject;
}

/** A claim's spec after an edit: members of objects one by one, everything else as a whole. */
export function edited(spec: JsonObject, edit: JsonObject | undefined): JsonObject {
  const merged = new Map(Object.entries(spec));
  for (const [key, value] of Object.entries(edit ?? {})) {
    const old = merged.get(key);
    if (value === null) merged.delete(key);
    else merged.set(key, isObject(old) && isObject(value) && MERGED.has(key) ? edited(old, value) : value);
  }
  return Object.fromEntries(merged);
}

const MERGED = new Set(['update', 'provisioning', 'deletion', 'controlPlane', 'machine']);

function isObject(value: JsonObject[string] | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
