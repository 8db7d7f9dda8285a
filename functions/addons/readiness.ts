/** When an object that is waited for is ready: workloads by their own status, everything else once it is applied. */
import { type JsonObject, stringAt } from '#lib/api/json.ts';

const CURRENT =
  'has(object.status.observedGeneration) && object.status.observedGeneration >= object.metadata.generation';

const counted = (field: string, wanted: string): string =>
  `${CURRENT} && (has(object.status.${field}) ? object.status.${field} : 0) >= ${wanted}`;

const holds = (type: string): string =>
  `has(object.status.conditions) && object.status.conditions.exists(one, one.type == "${type}" && one.status == "True")`;

/** CEL over `object`, by group and kind. */
const QUERIES: ReadonlyMap<string, string> = new Map([
  ['apps/Deployment', counted('availableReplicas', 'object.spec.replicas')],
  ['apps/StatefulSet', counted('readyReplicas', 'object.spec.replicas')],
  ['apps/DaemonSet', counted('numberAvailable', 'object.status.desiredNumberScheduled')],
  ['batch/Job', holds('Complete')],
  ['apiextensions.k8s.io/CustomResourceDefinition', holds('Established')],
  ['apiregistration.k8s.io/APIService', holds('Available')],
]);

/** `spec.readiness` of an Object; undefined: it is ready once it is applied. */
export function readinessOf(manifest: JsonObject): { readonly policy: string; readonly celQuery: string } | undefined {
  const [group = ''] = (stringAt(manifest, 'apiVersion') ?? '').split('/');
  const query = QUERIES.get(`${group}/${stringAt(manifest, 'kind')}`);
  return query === undefined ? undefined : { policy: 'DeriveFromCelQuery', celQuery: `has(object.status) && ${query}` };
}
