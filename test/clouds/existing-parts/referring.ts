/** The same parts, named by managed resources of the team that observe them. */
import { REFERENCES as AWS } from '#clouds/aws/infrastructure/references.ts';
import { REFERENCES as AZURE } from '#clouds/azure/infrastructure/references.ts';
import { REFERENCES as GCP } from '#clouds/gcp/infrastructure/references.ts';
import { at, isJsonObject, type Json, type JsonObject, type KubeObject } from '#lib/api/json.ts';
import { CROSSPLANE } from '#lib/api/words.ts';
import type { ReferablePart, References } from '#lib/cloud/references.ts';

const BY_CLOUD: Readonly<Record<string, References>> = { aws: AWS, azure: AZURE, gcp: GCP };

/** By its id in the cloud, or by a managed resource: by the name or by the labels of that one. */
export type Way = 'id' | 'name' | 'labels';

export type Naming = (part: ReferablePart) => Way;

export interface Referring {
  /** The claim with references in place of ids, where the cloud has such. */
  readonly claim: JsonObject;
  /** What it refers to. */
  readonly observers: readonly KubeObject[];
}

/** @param owned what the owner has, as the cloud reports it @param namespace of the claim */
export function referring(
  cloud: string,
  claim: JsonObject,
  owned: readonly KubeObject[],
  namespace: string,
  naming: Naming,
): Referring {
  const references = BY_CLOUD[cloud] ?? AWS;
  const observers = new Map<string, KubeObject>();
  const refTo = (part: ReferablePart, id: Json | undefined): JsonObject | undefined => {
    const referable = references[part];
    const way = naming(part);
    if (typeof referable === 'string' || way === 'id') return undefined;
    const kinds = new Set(referable.kinds.map(({ kind }) => kind));
    const found = owned.find((one) => kinds.has(one.kind) && referable.idOf(one) === id);
    if (found === undefined) return undefined;
    const observer = observerOf(found, namespace);
    const { name = '', labels = {} } = observer.metadata ?? {};
    observers.set(`${found.kind} ${name}`, observer);
    return way === 'name' ? { name } : { matchLabels: { part: labels['part'] } };
  };
  const parts = Object.entries(existingIn(claim)).map(([part, value]) => [
    part,
    replaced(value as Json, (id) => refTo(part as ReferablePart, id)),
  ]);
  if (parts.length === 0) return { claim, observers: [] };
  const existing = Object.fromEntries(parts) as JsonObject;
  const infrastructure = { ...(at(claim, 'infrastructure') as JsonObject), existing };
  return { claim: { ...claim, infrastructure }, observers: [...observers.values()] };
}

function existingIn(claim: JsonObject): JsonObject {
  const existing = at(claim, 'infrastructure', 'existing');
  return isJsonObject(existing) ? existing : {};
}

/** `id` becomes `ref`; a text or a list of texts of machines becomes Ref or Refs. */
function replaced(value: Json, refTo: (id: Json | undefined) => JsonObject | undefined): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map((one) => replaced(one, refTo));
  if (!isJsonObject(value)) return value;
  const { id, ...rest } = value;
  const ref = refTo(id);
  if (id !== undefined) return ref === undefined ? value : { ...rest, ref };
  const machines = Object.entries(value).flatMap(([role, named]): readonly (readonly [string, Json])[] => {
    const ids: readonly Json[] = Array.isArray(named) ? (named as readonly Json[]) : [named as Json];
    const refs = ids.map((one) => refTo(one));
    if (refs.some((one) => one === undefined)) return [[role, named as Json]];
    return Array.isArray(named) ? [[`${role}Refs`, refs as Json]] : [[`${role}Ref`, refs[0] as Json]];
  });
  return Object.fromEntries(machines);
}

/** What a team writes to use something of the owner: it may observe, and nothing else. */
function observerOf({ apiVersion, kind, metadata, status }: KubeObject, namespace: string): KubeObject {
  const id = at(status, 'atProvider', 'id');
  const name = metadata?.annotations?.[CROSSPLANE.externalName] ?? (typeof id === 'string' ? id : '');
  return {
    apiVersion,
    kind,
    metadata: {
      name: `their-${metadata?.name ?? ''}`,
      namespace,
      labels: { observes: 'owner', part: metadata?.name ?? '' },
      annotations: { [CROSSPLANE.externalName]: name },
    },
    spec: {
      managementPolicies: ['Observe'],
      forProvider: {},
      providerConfigRef: { kind: 'ProviderConfig', name: 'default' },
    },
  };
}
