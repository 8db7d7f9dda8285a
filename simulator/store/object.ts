/** Reads Kubernetes objects, and copies them with one change. Objects are never modified. */
import { type KubeObject, type ObjectMeta, isJsonObject } from '#lib/api/json.ts';

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

export function metaOf(object: KubeObject): ObjectMeta {
  return object.metadata ?? {};
}

export function uidOf(object: KubeObject): string {
  return object.metadata?.uid ?? '';
}

export function isDeleting(object: KubeObject): boolean {
  return object.metadata?.deletionTimestamp !== undefined;
}

export function finalizersOf(object: KubeObject): readonly string[] {
  return object.metadata?.finalizers ?? [];
}

export function ownersOf(object: KubeObject): readonly OwnerReference[] {
  const owners = object.metadata?.['ownerReferences'];
  return Array.isArray(owners) ? (owners.filter(isJsonObject) as unknown as readonly OwnerReference[]) : [];
}

export function controllerOf(object: KubeObject): OwnerReference | undefined {
  return ownersOf(object).find(({ controller }) => controller === true);
}

export function labelsOf(object: KubeObject): Readonly<Record<string, string>> {
  return object.metadata?.labels ?? {};
}

export function annotationsOf(object: KubeObject): Readonly<Record<string, string>> {
  return object.metadata?.annotations ?? {};
}

/** The object with some metadata replaced; undefined removes a field. */
export function withMeta(object: KubeObject, changes: Readonly<Record<string, unknown>>): KubeObject {
  const metadata: Record<string, unknown> = { ...object.metadata, ...changes };
  for (const key of Object.keys(changes)) if (changes[key] === undefined) delete metadata[key];
  return { ...object, metadata: metadata as ObjectMeta };
}

export function withLabels(object: KubeObject, labels: Readonly<Record<string, string>>): KubeObject {
  return withMeta(object, { labels: { ...labelsOf(object), ...labels } });
}

export function withAnnotations(object: KubeObject, annotations: Readonly<Record<string, string>>): KubeObject {
  return withMeta(object, { annotations: { ...annotationsOf(object), ...annotations } });
}

export function withFinalizer(object: KubeObject, finalizer: string): KubeObject {
  const present = finalizersOf(object);
  return present.includes(finalizer) ? object : withMeta(object, { finalizers: [...present, finalizer] });
}

export function withoutFinalizer(object: KubeObject, finalizer: string): KubeObject {
  const left = finalizersOf(object).filter((name) => name !== finalizer);
  return withMeta(object, { finalizers: left.length === 0 ? undefined : left });
}

export function matches(object: KubeObject, labels: Readonly<Record<string, string>> = {}): boolean {
  const own = labelsOf(object);
  return Object.entries(labels).every(([key, value]) => own[key] === value);
}

const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/** Whether Kubernetes accepts it as the name of most objects (RFC 1123). */
export function isSubdomain(name: string): boolean {
  return name.length <= 253 && SUBDOMAIN.test(name);
}
