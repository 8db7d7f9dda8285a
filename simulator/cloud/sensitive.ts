/** Arguments whose values are in Secrets: read when the cloud object is created, and never written anywhere. */
import { type JsonObject, type KubeObject, at, stringAt } from '#lib/api/json.ts';
import { metaOf } from '../store/object.ts';
import type { Store } from '../store/store.ts';
import type { CloudKind } from './kind.ts';
import { UnresolvedReference } from './references.ts';

/** Values by argument; throws UnresolvedReference if a Secret or its key does not exist. */
export function sensitiveValues(store: Store, resource: KubeObject, { sensitive = [] }: CloudKind): JsonObject {
  const named = sensitive.flatMap((argument) => {
    const ref = at(resource, 'spec', 'forProvider', `${argument}SecretRef`);
    return ref === undefined ? [] : [[argument, valueOf(store, resource, ref)] as const];
  });
  return Object.fromEntries(named);
}

function valueOf(store: Store, resource: KubeObject, ref: unknown): string {
  const { namespace = '' } = metaOf(resource);
  const [name, key] = [stringAt(ref, 'name') ?? '', stringAt(ref, 'key') ?? ''];
  const value = stringAt(store.find({ apiVersion: 'v1', kind: 'Secret', namespace, name }), 'data', key);
  if (value === undefined)
    throw new UnresolvedReference(`cannot get sensitive parameters: Secret "${namespace}/${name}" has no key "${key}"`);
  return Buffer.from(value, 'base64').toString();
}
