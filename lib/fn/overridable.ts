/** Which fields of composed resources a claim may override: whoever writes a claim must not own the cloud account. */
import { isJsonObject, type Json, type JsonObject, own } from '#lib/api/json.ts';

/**
 * Field paths by kind, such as `spec.forProvider.monitoring`. A path includes everything below it; `*` stands for every
 * kind. A field of `spec.forProvider` may be set under `spec.initProvider` too.
 */
export type Overridable = Readonly<Record<string, readonly string[]>>;

/** The paths that a claim may set on resources of a kind. */
export function pathsFor(kind: string, overridable: Overridable): readonly string[] {
  return ['*', kind].flatMap((key) => own(overridable, key) ?? []);
}

/** The first field of a patch that is in none of the paths, as its path; undefined: every field is. */
export function firstOutside(patch: JsonObject, paths: readonly string[]): string | undefined {
  return leavesOf(patch, [])
    .find((leaf) => !paths.some((path) => isBelow(leaf, path)))
    ?.join('.');
}

/** Every value that the patch sets, and every field that it removes. */
function leavesOf(value: Json, path: readonly string[]): readonly (readonly string[])[] {
  if (!isJsonObject(value)) return [path];
  const fields = Object.entries(value);
  // An empty spec.forProvider changes nothing.
  if (fields.length === 0) return path.length <= 2 ? [] : [path];
  return fields.flatMap(([key, below]) => leavesOf(below ?? null, [...path, key]));
}

function isBelow(leaf: readonly string[], path: string): boolean {
  const [part, field, ...rest] = leaf;
  const compared = [part, field === 'initProvider' ? 'forProvider' : field, ...rest];
  // Keys of labels and annotations contain dots: only whole parts of the path are compared.
  return path.split('.').every((step, index) => compared[index] === step);
}
