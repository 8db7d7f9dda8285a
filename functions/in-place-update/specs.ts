/**
 * Specs that are the same JSON, as one object, so that what follows from a spec is found once: machines of a pool want
 * few different ones, and messages have their fields in any order.
 */
import { type JsonObject, sameJson } from '#lib/api/json.ts';
import { readMachineSpec } from '#lib/api/kinds/machine-spec.ts';

/** Machines of a pool differ by their failure domain. */
const MOST = 8;
const recent: JsonObject[] = [];

/** The same spec, perhaps an object of an earlier call. */
export function sharedSpec(spec: JsonObject): JsonObject {
  const at = recent.findIndex((known) => sameJson(known, spec));
  const [shared = spec] = at === -1 ? [] : recent.splice(at, 1);
  recent.unshift(shared);
  recent.splice(MOST);
  return shared;
}

/** The spec of a Machine as its schema reads it. */
export function withDefaults(spec: JsonObject): JsonObject {
  const shared = sharedSpec(spec);
  const known = read.get(shared) ?? readMachineSpec(shared);
  read.set(shared, known);
  return known;
}

const read = new WeakMap<JsonObject, JsonObject>();
