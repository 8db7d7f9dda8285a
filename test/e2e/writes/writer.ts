/** Who wrote an object, from two successive versions of it. */
import { type JsonObject, type KubeObject, at, isJsonObject, stringAt } from '#lib/api/json.ts';

/** The field manager whose entry changed; of several, the one that wrote last. */
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

/** The field managers of Crossplane are long, and the one for composed objects ends in a hash of their XR. */
function shortened(manager: string): string {
  return manager.replace('apiextensions.crossplane.io/', '').replace(/\/[0-9a-f]{32,}$/, '');
}
