/** Which claims read an object that they name: an edit of it alone is an edit of them. */
import { type KubeObject, stringAt } from '#lib/api/json.ts';

/** The fields that name an object of a kind, wherever they are in a claim: `secret.name`, or `caSecret` alone. */
const FIELD: Readonly<Record<string, RegExp>> = { ConfigMap: /configMap$/i, Secret: /secret$/i };

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
      names(spec, FIELD[object.kind] ?? /^$/, object.metadata?.name),
  );
}

function names(value: unknown, field: RegExp, name: string | undefined): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(
    ([key, below]: [string, unknown]) =>
      (field.test(key) && name !== undefined && (below === name || stringAt(below, 'name') === name)) ||
      names(below, field, name),
  );
}
