/**
 * A pair of a state and an edit: how a pool reached its state, and what is changed then. Plain data, printed as JSON.
 */
import type { JsonObject } from '#lib/api/json.ts';

export interface Case {
  readonly role: 'worker' | 'control-plane';
  /** Fields of the claim in addition to those of every pool: NodePool, or Cluster for a control plane. */
  readonly spec: JsonObject;
  /** An earlier edit, and the number of steps before the other one; undefined: the pool is settled. */
  readonly before?: { readonly edit: Edit; readonly steps: number };
  readonly edit: Edit;
  /** How slow machines are. */
  readonly seed: number;
}

/** Whole fields of the claims; null removes one. */
export interface Edit {
  /** Of the claim of a worker pool. */
  readonly pool?: JsonObject;
  readonly cluster?: JsonObject;
}

/** The spec of a claim after an edit: objects are merged, everything else is replaced. */
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
