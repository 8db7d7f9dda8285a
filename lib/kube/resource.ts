/** A kind with its path in the API, as fixed data: a controller knows its kinds and discovers nothing. */

export interface Kind {
  readonly apiVersion: string;
  readonly kind: string;
}

export interface Resource extends Kind {
  readonly plural: string;
  readonly namespaced: boolean;
}

/** One object. The namespace is left out for kinds without. */
export interface ObjectName {
  readonly namespace?: string | undefined;
  readonly name: string;
}

/** `/api/v1` or `/apis/GROUP/VERSION`. */
export function basePath(apiVersion: string): string {
  return apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
}

/** Path of all objects of a kind, or of those in a namespace. */
export function pathOf({ apiVersion, plural, namespaced }: Resource, namespace?: string): string {
  const within = namespaced && namespace !== undefined ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  return `${basePath(apiVersion)}${within}/${plural}`;
}

export function pathOfObject(resource: Resource, { namespace, name }: ObjectName, subresource?: string): string {
  const below = subresource === undefined ? '' : `/${subresource}`;
  return `${pathOf(resource, namespace)}/${encodeURIComponent(name)}${below}`;
}

/** For messages: `Pod "default/web"`. */
export function shownName({ kind }: Kind, { namespace, name }: ObjectName): string {
  return `${kind} "${namespace === undefined ? name : `${namespace}/${name}`}"`;
}
