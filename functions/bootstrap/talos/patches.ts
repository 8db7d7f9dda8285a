/** Patches of a machine configuration: JSON merge patches (RFC 7386), each merged over one document. */
import { at, isJsonObject, type JsonObject } from '#lib/api/json.ts';
import { mergePatch } from '#lib/fn/overrides.ts';

/** A document of a machine configuration. */
export type Document = JsonObject;

/** Fields of the first document that are the identity of the cluster: other parts rely on them. */
const OWNED_FIELDS = [
  ['machine', 'type'],
  ['machine', 'token'],
  ['machine', 'ca'],
  ['cluster', 'id'],
  ['cluster', 'secret'],
  ['cluster', 'token'],
  ['cluster', 'ca'],
  ['cluster', 'aggregatorCA'],
  ['cluster', 'serviceAccount'],
  ['cluster', 'secretboxEncryptionSecret'],
  ['cluster', 'etcd', 'ca'],
  ['cluster', 'clusterName'],
  ['cluster', 'controlPlane'],
] as const;

/** Documents with the same fields since 1.14. */
const OWNED_KINDS: ReadonlySet<unknown> = new Set([
  'DiscoveryIdentityConfig',
  'HostnameConfig',
  'KubeAPIServerCAConfig',
  'KubeAggregatorCAConfig',
  'KubeClusterConfig',
  'KubeEtcdEncryptionConfig',
  'KubeServiceAccountConfig',
]);

/** Whether a patch changes the identity of the cluster. */
export function changesOwned(patch: Readonly<Record<string, unknown>>): boolean {
  if (patch['kind'] !== undefined) return OWNED_KINDS.has(patch['kind']);
  return OWNED_FIELDS.some((path) => path.some((_, depth) => reaches(patch, path.slice(0, depth + 1), path.length)));
}

/** A patch changes a field by setting it, or by removing an object that contains it. */
function reaches(patch: unknown, path: readonly string[], whole: number): boolean {
  const found = at(patch, ...path);
  if (found === undefined) return false;
  return path.length === whole || !isJsonObject(found);
}

/** @param documents  the first has no kind; no two others have the same kind and name */
export function patched(documents: readonly Document[], patches: readonly JsonObject[]): readonly Document[] {
  return patches.reduce<readonly Document[]>(patchedOnce, documents);
}

function patchedOnce(documents: readonly Document[], patch: JsonObject): readonly Document[] {
  const index = documents.findIndex(
    (document) => document['kind'] === patch['kind'] && document['name'] === patch['name'],
  );
  if (index < 0) return [...documents, mergePatch({}, { apiVersion: 'v1alpha1', ...patch }) as Document];
  return documents.map((document, i) => (i === index ? (mergePatch(document, patch) as Document) : document));
}
