/** Objects as the API server returns them, and requests as Crossplane sends them: with its fields in any order. */
import { isJsonObject, type Json, type JsonObject, type KubeObject } from '#lib/api/json.ts';
import type { Request } from '#lib/fn/request.ts';
import { encodeRequest } from '#lib/wire/request.ts';
import { Chance } from '../sim/chance.ts';

/** With what the API server adds: versions, owners of fields, defaults that no function writes. */
export function asStored(object: KubeObject): KubeObject {
  const { metadata = {}, status, ...rest } = object;
  const { provisioning, ...spec } = object.spec ?? {};
  const name = metadata.name ?? '';
  const filled =
    object.kind === 'Machine' ? { ...spec, provisioning: { commands: {}, ...toObject(provisioning) } } : object.spec;
  const entry = (manager: string, operation: string, fields: JsonObject, more: JsonObject = {}): JsonObject => ({
    manager,
    operation,
    apiVersion: object.apiVersion,
    time: '2026-01-01T00:00:00Z',
    fieldsType: 'FieldsV1',
    fieldsV1: treeOf(fields),
    ...more,
  });
  const { labels = {}, annotations = {} } = metadata;
  return {
    ...rest,
    ...(filled === undefined ? {} : { spec: filled }),
    ...(status === undefined ? {} : { status }),
    metadata: {
      ...metadata,
      uid: metadata.uid ?? `uid-of-${object.kind}-${name}`,
      resourceVersion: metadata.resourceVersion ?? '48151623',
      generation: metadata.generation ?? 3,
      creationTimestamp: metadata.creationTimestamp ?? '2026-01-01T00:00:00Z',
      managedFields: [
        entry('apiextensions.crossplane.io/composed/0a1b2c3d4e5f', 'Apply', {
          metadata: { labels, annotations },
          spec: spec ?? {},
        }),
        entry('crossplane', 'Update', { spec: { crossplane: {} } }),
        ...(status === undefined ? [] : [entry('crossplane', 'Update', { status }, { subresource: 'status' })]),
      ],
    },
  };
}

function toObject(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function treeOf(value: Json | undefined): Json {
  if (!isJsonObject(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [`f:${key}`, treeOf(item)]));
}

/** Requests that say the same. Never none. */
export type Sent = readonly [Uint8Array, ...Uint8Array[]];

/** Go writes the fields of every object in another order each time. */
export function sentOften(request: Request): Sent {
  return [sentOnce(request, 1), ...[2, 3, 4, 5].map((seed) => sentOnce(request, seed))];
}

function sentOnce(request: Request, seed: number): Uint8Array {
  return encodeRequest(asSent(request, seed));
}

/** Once, in the order of this seed. */
export function asSent(request: Request, seed: number): Request {
  const chance = new Chance(seed);
  const shuffled = <T>(items: readonly T[]): readonly T[] =>
    items
      .map((item) => [chance.draw(), item] as const)
      .sort(([a], [b]) => a - b)
      .map(([, item]) => item);
  const mixed = <T>(value: T): T => {
    if (Array.isArray(value)) return value.map((item: unknown) => mixed(item)) as T;
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(shuffled(Object.entries(value)).map(([key, item]) => [key, mixed(item)])) as T;
  };
  const inMap = <T>(map: ReadonlyMap<string, T>, change: (value: T) => T): ReadonlyMap<string, T> =>
    new Map(shuffled([...map]).map(([key, value]) => [key, change(value)]));
  const { observed, desired } = request;
  return {
    ...request,
    input: mixed(request.input),
    context: mixed(request.context),
    observed: {
      composite: mixed(asStored(observed.composite)),
      resources: inMap(observed.resources, (one) => ({ ...one, resource: mixed(asStored(one.resource)) })),
    },
    desired: {
      ...desired,
      composite: mixed(desired.composite),
      resources: inMap(desired.resources, (one) => ({ ...one, resource: mixed(one.resource) })),
    },
    required: inMap(request.required, (items) => items.map((item) => mixed(asStored(item)))),
  };
}
