/** How an object of the store is identified: kind and name, and the keys of maps. */
import type { KubeObject } from '#lib/api/json.ts';

export interface ObjectRef {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

export function refOf(object: KubeObject): ObjectRef {
  const { name = '', namespace } = object.metadata ?? {};
  return {
    apiVersion: object.apiVersion,
    kind: object.kind,
    ...(namespace === undefined ? {} : { namespace }),
    name,
  };
}

/** One string per group, kind, namespace and name. Versions of a kind share their objects, as in the API server. */
export function keyOf({ apiVersion, kind, namespace = '', name }: ObjectRef): string {
  return `${kindKey(apiVersion, kind)}|${namespace}|${name}`;
}

/** One string per group and kind: `Kind.group`. */
export function kindKey(apiVersion: string, kind: string): string {
  const group = groupOf(apiVersion);
  return group === '' ? kind : `${kind}.${group}`;
}

export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash === -1 ? '' : apiVersion.slice(0, slash);
}

/** `Kind "namespace/name"`, as every message names an object. */
export function describeRef({ kind, namespace, name }: ObjectRef): string {
  return `${kind} "${namespace === undefined || namespace === '' ? name : `${namespace}/${name}`}"`;
}
