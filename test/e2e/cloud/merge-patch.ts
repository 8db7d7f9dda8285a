/** JSON merge patches (RFC 7386): the difference between two values, and a value after a patch. */
import { type Json, type JsonObject, isJsonObject, sameJson } from '#lib/api/json.ts';

/** Undefined when nothing changed. Arrays are values: a changed one is complete. */
export function mergePatch(before: JsonObject, after: JsonObject): JsonObject | undefined {
  const changes: [string, Json][] = [];
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [was, is] = [before[key], after[key]];
    if (is === undefined) {
      if (was !== undefined) changes.push([key, null]);
      continue;
    }
    if (isJsonObject(is) && isJsonObject(was)) {
      const inner = mergePatch(was, is);
      if (inner !== undefined) changes.push([key, inner]);
      continue;
    }
    if (!sameJson(is, was)) changes.push([key, is]);
  }
  return changes.length === 0 ? undefined : Object.fromEntries(changes);
}

export function patched(value: JsonObject, patch: JsonObject | undefined): JsonObject {
  const result: Record<string, Json | undefined> = { ...value };
  for (const [key, change] of Object.entries(patch ?? {})) {
    const present = result[key];
    if (change === null || change === undefined) delete result[key];
    else if (isJsonObject(change)) result[key] = patched(isJsonObject(present) ? present : {}, change);
    else result[key] = change;
  }
  return result;
}
