/** Which claims read an object that they name: an edit of it alone is an edit of them. */
import type { KubeObject } from '#lib/api/json.ts';

/** The field that names an object of a kind, wherever it is in a claim. */
const FIELD: Readonly<Record<string, string>> = { ConfigMap: 'configMap', Secret: 'secret' };

/** Whether claims can read an object by its name. */
export function isRead({ apiVersion, kind }: KubeObject): boolean {
  return apiVersion === 'v1' && kind in FIELD;
}

/** Whether a claim names one of the objects, which are in its namespace. */
export function usesAny({ metadata, spec }: KubeObject, objects: readonly KubeObject[]): boolean {
  return objects.some(
    (object) =>
      isRead(object) &&
      object.metadata?.namespace === metadata?.namespace &&
      names(spec, FIELD[object.kind] ?? '', object.metadata?.name),
  );
}

function names(value: unknown, field: string, name: string | undefined): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(
    ([key, below]) =>
      (key === field && (below as { readonly name?: unknown } | null)?.name === name) || names(below, field, name),
  );
}
