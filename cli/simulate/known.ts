/** Which objects a simulation can have, before it runs: those of its files, and what these compose, by how their names begin. */
import { type KubeObject, stringAt } from '#lib/api/json.ts';
import { alike } from '#lib/api/nearest.ts';
import { API_VERSION } from '#lib/api/words.ts';
import { UsageError } from '../exit.ts';
import { type ObjectRef, refText } from '../object-ref.ts';

/** Where an object is. */
type Place = Pick<ObjectRef, 'name'> & { readonly namespace?: string | undefined };

/** Throws UsageError for an object that none of these claims is, or composes. */
export function refuseUnknown(ref: ObjectRef, objects: readonly KubeObject[]): void {
  const claims = objects.filter(({ apiVersion }) => apiVersion === API_VERSION);
  const places = (kind: string, tail = ''): readonly Place[] =>
    claims
      .filter((claim) => claim.kind === kind)
      .map(({ metadata }) => ({ namespace: metadata?.namespace, name: `${metadata?.name ?? ''}${tail}` }));
  const clusters = places('Cluster');
  const pools = [...places('NodePool'), ...places('Cluster', '-control-plane')];
  const isHere = ({ namespace }: Place): boolean => ref.namespace === undefined || ref.namespace === namespace;
  const known = { Cluster: clusters, NodePool: pools, Machine: pools }[ref.kind];
  const begins = ({ name }: Place): boolean =>
    ref.kind === 'Machine' ? ref.name.startsWith(`${name}-`) : ref.name === name;
  if (known.some((one) => isHere(one) && begins(one))) return;
  throw notFound(ref, ref.kind === 'Machine' ? pools.map((one) => ({ ...one, name: `${one.name}-…` })) : known);
}

/** @param existing  objects of its kind, in any namespace */
export function notFound(ref: ObjectRef, existing: readonly Place[]): UsageError {
  return new UsageError(`cannot find ${refText(ref)}: ${absence(ref, existing)}`);
}

/** Why an object is not found: the names that there are, or the namespaces. */
export function absence(
  { kind, namespace, name }: Place & { readonly kind: string },
  existing: readonly Place[],
): string {
  if (existing.length === 0) return `there is no ${kind}`;
  const here = existing.filter((one) => namespace === undefined || one.namespace === namespace);
  if (here.length > 0) return `accepted: ${alike(name, [...new Set(here.map((one) => one.name))], `other ${kind}s`)}`;
  const namespaces = [...new Set(existing.map((one) => one.namespace ?? ''))];
  return `there is no ${kind} in namespace "${namespace ?? ''}"; accepted namespaces: ${alike(namespace ?? '', namespaces, 'other namespaces')}`;
}

/** The namespace and name of an object. */
export function placeOf(object: KubeObject): Place {
  return { namespace: stringAt(object, 'metadata', 'namespace'), name: stringAt(object, 'metadata', 'name') ?? '' };
}
