/** A part of a cluster that somebody else made in a cloud, in a namespace of theirs, and a claim that uses it. */
import { at, type Json, type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import type { Engine } from '#simulator/engine.ts';

export const OWNER = 'network-team';

/** One managed resource of the owner. */
export interface Foreign {
  readonly kind: string;
  readonly name: string;
  readonly forProvider: JsonObject;
}

/** What the owner has, by name, once the cloud made it. */
export type Seen = (name: string, field: string) => string;

export interface PartCase {
  readonly part: string;
  /** One batch after another: a later one may need ids of an earlier one. */
  readonly owned: readonly ((seen: Seen) => readonly Foreign[])[];
  /** Merged into the spec of the Cluster. */
  readonly claim: (seen: Seen) => JsonObject;
  /** Merged into the input of the Composition. */
  readonly input?: (seen: Seen) => JsonObject;
  /** Kinds that are then not made for the cluster. */
  readonly without: readonly string[];
  /** Kinds of objects of the owner that are read, and nothing else. */
  readonly lookedAt?: readonly string[];
  /** The claim names managed resources that observe the part. @default ids */
  readonly byReference?: boolean;
}

export interface CloudCase {
  readonly cloud: string;
  readonly apiVersionOf: (kind: string) => string;
  readonly region: string;
  readonly parts: readonly PartCase[];
}

/** The part of a claim that names the endpoint. */
export const endpoint = (host: string) => ({ endpoint: { host, port: 6443 } });

/** The managed resource of the owner. */
export function foreignObject({ apiVersionOf }: CloudCase, { kind, name, forProvider }: Foreign): KubeObject {
  return {
    apiVersion: apiVersionOf(kind),
    kind,
    metadata: { name, namespace: OWNER, annotations: { 'crossplane.io/external-name': name } },
    spec: { forProvider, providerConfigRef: { kind: 'ProviderConfig', name: 'default' } },
  };
}

/** What the cloud reports about a managed resource of the owner. @param name with its kind before it, if several have it */
export function seenIn(engine: Engine, owned: () => readonly KubeObject[]): Seen {
  return (name, field) => {
    const object = owned().find((one) => [one.metadata?.name, `${one.kind} ${one.metadata?.name}`].includes(name));
    const { apiVersion = '', kind = '', metadata } = object ?? {};
    const now = engine.get({ apiVersion, kind, namespace: OWNER, name: metadata?.name ?? '' });
    const value = stringAt(at(now, 'status', 'atProvider'), field);
    if (value === undefined) throw new Error(`the cloud reports no ${field} of ${name}`);
    return value;
  };
}

/** Every text in a value. */
export function textsIn(value: Json | undefined): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap(textsIn);
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap((one) => textsIn(one as Json)) : [];
}
