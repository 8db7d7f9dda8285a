/** Which fields of composed resources a claim may override: whoever writes a claim must not own the cloud account. */
import { isJsonObject, type Json, type JsonObject, own } from '#lib/api/json.ts';
import { didYouMean } from '#lib/api/nearest.ts';

/**
 * Paths by kind; `*` stands for every kind. `spec.forProvider.monitoring` includes everything below it, and the same
 * field of `spec.initProvider`. `metadata.labels["example.com/*"]` is every label with that prefix, and
 * `metadata.annotations["note"]` one annotation: other controllers read them, so none is allowed unless its key is
 * stated.
 */
export type Overridable = Readonly<Record<string, readonly string[]>>;

/** The paths that a claim may set on resources of a kind. */
export function pathsFor(kind: string, overridable: Overridable): readonly string[] {
  return ['*', kind].flatMap((key) => own(overridable, key) ?? []);
}

/** The first field of a patch that is in none of the paths, as its path; undefined: every field is. */
export function firstOutside(patch: JsonObject, paths: readonly string[]): string | undefined {
  const outside = leavesOf(patch, []).find((leaf) => !paths.some((path) => isIn(leaf, path)));
  return outside === undefined ? undefined : shownPath(outside);
}

/** `; did you mean "monitoring"?` for the first step of a path that no accepted path has there; else empty. */
export function didYouMeanPath(path: string, paths: readonly string[]): string {
  const steps = path.replace(/^spec\.initProvider\b/, 'spec.forProvider').split('.');
  let near = paths.map((one) => one.split('.'));
  for (const [index, step] of steps.entries()) {
    const same = near.filter((one) => one[index] === step);
    if (same.length === 0)
      return didYouMean(
        step,
        near.flatMap((one) => one[index] ?? []),
      );
    near = same;
  }
  return '';
}

/** A path as in messages: keys of labels, annotations and tags are quoted, because they contain dots. */
export function shownPath(steps: readonly (string | number)[]): string {
  return steps
    .map((step, index) => {
      if (typeof step === 'number') return `[${step}]`;
      const quoted = step.includes('/') || (steps[0] === 'metadata' && index > 1);
      return quoted ? `["${step}"]` : `${index === 0 ? '' : '.'}${step}`;
    })
    .join('');
}

/** Every value that the patch sets, and every field that it removes. */
export function leavesOf(value: Json, path: readonly string[]): readonly (readonly string[])[] {
  if (!isJsonObject(value)) return [path];
  const fields = Object.entries(value);
  // An empty spec.forProvider changes nothing.
  if (fields.length === 0) return path.length <= 2 ? [] : [path];
  return fields.flatMap(([key, below]) => leavesOf(below ?? null, [...path, key]));
}

const MARK = /^metadata\.(?<marks>labels|annotations)\["(?<key>[^"]+)"\]$/;

function isIn(leaf: readonly string[], path: string): boolean {
  const [part, field, ...rest] = leaf;
  const { marks, key = '' } = MARK.exec(path)?.groups ?? {};
  if (marks !== undefined) return part === 'metadata' && field === marks && rest.length === 1 && isKey(rest[0], key);
  const compared = [part, field === 'initProvider' ? 'forProvider' : field, ...rest];
  return path.split('.').every((step, index) => compared[index] === step);
}

/** @param stated  a key, or a prefix that ends with /* */
function isKey(key: string | undefined, stated: string): boolean {
  return key === stated || (stated.endsWith('/*') && key?.startsWith(stated.slice(0, -1)) === true);
}
