/**
 * Specs that are the same JSON, as one object, so that what follows from a spec is found once: machines of a pool have
 * few different ones, and messages have their fields in any order.
 */
import { inOrder, type JsonObject, type KubeObject, sameJson } from '#lib/api/json.ts';
import { readMachineSpec } from '#lib/api/kinds/machine-spec.ts';
import { isMachine } from './machine.ts';

/** Machines of a pool differ by their failure domain, and twice as much while it is rolled out. */
const MOST = 16;
const recent: JsonObject[] = [];

/** The same spec, perhaps an object of an earlier call. */
function sharedSpec(spec: JsonObject): JsonObject {
  const at = recent.findIndex((known) => sameJson(known, spec));
  if (at === 0) return recent[0] ?? spec;
  // In one order of its fields, whichever call it is from: the same request always has the same answer.
  const shared = recent[at] ?? inOrder(spec);
  if (at > 0) recent.splice(at, 1);
  recent.unshift(shared);
  recent.length = Math.min(recent.length, MOST);
  return shared;
}

/**
 * The spec without the fields of Crossplane, and without spec.update, which this step itself sets on a Machine. Specs of
 * Machines that are the same are one object.
 */
export function ownSpec(object: KubeObject): JsonObject {
  const { spec = NONE } = object;
  if (!isMachine(object)) return withoutMachinery(spec);
  const known = own.get(spec);
  if (known !== undefined) return known;
  const { update: _order, ...template } = withoutMachinery(spec);
  const shared = sharedSpec(template);
  own.set(spec, shared);
  return shared;
}

function withoutMachinery({ crossplane: _machinery, ...own }: JsonObject): JsonObject {
  return own;
}

const NONE: JsonObject = {};
/** Objects of a request never change. */
const own = new WeakMap<JsonObject, JsonObject>();

/** The spec of a Machine, from `ownSpec`, as its schema reads it. */
export function withDefaults(spec: JsonObject): JsonObject {
  const known = read.get(spec) ?? readMachineSpec(spec);
  read.set(spec, known);
  return known;
}

const read = new WeakMap<JsonObject, JsonObject>();

/** What follows from two specs of Machines, from `ownSpec`: found once for each pair. */
export function ofBoth<T>(find: (old: JsonObject, now: JsonObject) => T): (old: JsonObject, now: JsonObject) => T {
  const found = new WeakMap<JsonObject, WeakMap<JsonObject, T>>();
  return (old, now) => {
    const byNow = found.get(old) ?? new WeakMap<JsonObject, T>();
    found.set(old, byNow);
    if (!byNow.has(now)) byNow.set(now, find(old, now));
    return byNow.get(now) as T;
  };
}
