/** Builders of function requests for tests: state only what matters, the rest is plausible. */
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import type { Desired, Observed, Request } from '#lib/fn/request.ts';
import type { World } from '#lib/fn/world.ts';
import { factsFor } from './cluster-facts.ts';

export interface RequestParts {
  readonly composite: KubeObject;
  readonly input?: JsonObject;
  /** Observed composed resources by composition resource name. */
  readonly observed?: Readonly<Record<string, KubeObject>>;
  /** Desired by earlier steps; ready defaults to unspecified. */
  readonly desired?: Readonly<Record<string, KubeObject | Desired>>;
  readonly desiredStatus?: JsonObject;
  readonly context?: JsonObject;
  /** Required resources by name; omit one for "not requested yet". A Cluster stands for its ClusterFacts. */
  readonly required?: Readonly<Record<string, readonly KubeObject[]>>;
}

export function aRequest(parts: RequestParts): Request {
  const observed = Object.entries(parts.observed ?? {}).map(([key, resource]): [string, Observed] => [
    key,
    { resource, connectionDetails: {} },
  ]);
  const desired = Object.entries(parts.desired ?? {}).map(([key, value]): [string, Desired] => [
    key,
    'resource' in value ? (value as Desired) : { resource: value, ready: 'Unspecified' },
  ]);
  return {
    meta: { tag: 'test' },
    input: parts.input,
    observed: { composite: parts.composite, resources: new Map(observed) },
    desired: {
      composite:
        parts.desiredStatus === undefined
          ? undefined
          : { apiVersion: parts.composite.apiVersion, kind: parts.composite.kind, status: parts.desiredStatus },
      compositeReady: 'Unspecified',
      resources: new Map(desired),
    },
    context: parts.context ?? {},
    required: requiredOf(parts.required ?? {}),
  };
}

/** A pool that begins with an edit looks at the Cluster itself. */
function requiredOf({ cluster, ...others }: Readonly<Record<string, readonly KubeObject[]>>): Request['required'] {
  const claims = cluster === undefined ? {} : { 'cluster-claim': cluster, cluster: cluster.map(asRequired) };
  return new Map(Object.entries({ ...claims, ...others }));
}

function asRequired(object: KubeObject): KubeObject {
  return object.kind === 'Cluster' ? factsFor(object) : object;
}

/** A fixed time and counting "random" bytes: two calls with two such worlds give the same bytes. */
export function aWorld(now = '2026-01-01T00:00:00Z'): World {
  let next = 0;
  return {
    now: new Date(now),
    randomBytes: (length) => Uint8Array.from({ length }, () => (next = (next * 31 + 17) % 256)),
  };
}

/** Freezes nested JSON, so that a function that changes its input fails. */
export function frozen<T>(value: T): T {
  if (
    typeof value === 'object' &&
    value !== null &&
    !Object.isFrozen(value) &&
    !(value instanceof Map) &&
    !ArrayBuffer.isView(value)
  ) {
    Object.freeze(value);
    Object.values(value).forEach(frozen);
  }
  if (value instanceof Map) value.forEach(frozen);
  return value;
}
