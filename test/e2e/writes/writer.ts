/** Who wrote an object, read from two versions of it that followed each other. */
import { type JsonObject, type KubeObject, at, isJsonObject, stringAt } from '#lib/api/json.ts';

/** The field manager whose entry is another one now; of several, the one that wrote last. */
export function writerOf(before: KubeObject | undefined, after: KubeObject): string {
  const known = new Set(managersOf(before).map((entry) => JSON.stringify(entry)));
  const all = managersOf(after);
  const fresh = all.filter((entry) => !known.has(JSON.stringify(entry)));
  const byTime = (fresh.length > 0 ? fresh : all).toSorted((a, b) => (timeOf(a) < timeOf(b) ? -1 : 1));
  return shortened(stringAt(byTime.at(-1), 'manager') ?? '?');
}

function timeOf(entry: JsonObject): string {
  return stringAt(entry, 'time') ?? '';
}

function managersOf(object: KubeObject | undefined): readonly JsonObject[] {
  const list = at(object, 'metadata', 'managedFields');
  return (Array.isArray(list) ? list : []).filter(isJsonObject);
}

/** Crossplane's names for itself are long, and the one for what an XR composes ends in a hash of that XR. */
function shortened(manager: string): string {
  return manager.replace('apiextensions.crossplane.io/', '').replace(/\/[0-9a-f]{32,}$/, '');
}
