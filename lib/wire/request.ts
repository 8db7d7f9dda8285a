/** Requests between the wire and plain data, in both directions: functions decode, the engine and tests encode. */
import type { Resource, RunFunctionRequest } from '@crossplane-org/function-sdk-typescript';
import { Ready, RunFunctionRequest as Message } from '@crossplane-org/function-sdk-typescript';
import { SlipwayError } from '#lib/api/errors.ts';
import { type KubeObject, isJsonObject } from '#lib/api/json.ts';
import { objectFrom } from './object.ts';
import { plain } from './plain.ts';
import type { Desired, Observed, Readiness, Request } from '#lib/fn/request.ts';

/** A decoded message as a Request; nothing of the message is shared with it. */
export function decodeRequest(message: RunFunctionRequest): Request {
  const observed = message.observed?.composite;
  if (observed?.resource === undefined)
    throw new SlipwayError('BrokenContract', 'cannot read the request: it has no observed composite resource');
  return structuredClone({
    meta: { tag: message.meta?.tag ?? '' },
    input: message.input,
    observed: { composite: toObject(observed), resources: entries(message.observed?.resources, toObserved) },
    desired: {
      composite: message.desired?.composite?.resource as KubeObject | undefined,
      compositeReady: readiness(message.desired?.composite?.ready),
      resources: entries(message.desired?.resources, toDesired),
    },
    context: message.context ?? {},
    required: entries(message.requiredResources, ({ items }) => items.map(toObject)),
  });
}

/** A Request as a message. */
export function encodeRequest(request: Request): RunFunctionRequest {
  const { observed, desired } = request;
  return Message.fromPartial({
    meta: { tag: request.meta.tag, capabilities: [] },
    ...(request.input === undefined ? {} : { input: plain(request.input, 'input') }),
    context: plain(request.context, 'context'),
    observed: {
      composite: { resource: plain(observed.composite, 'observed composite') },
      resources: record(observed.resources, ({ resource, connectionDetails }, key) => ({
        resource: plain(resource, key),
        connectionDetails: Object.fromEntries(
          Object.entries(connectionDetails).map(([name, bytes]) => [name, Buffer.from(bytes)]),
        ),
      })),
    },
    desired: {
      // No step has spoken of the XR yet: Crossplane leaves it out then.
      ...(desired.composite === undefined && desired.compositeReady === 'Unspecified'
        ? {}
        : {
            composite: {
              resource: desired.composite === undefined ? undefined : plain(desired.composite, 'desired composite'),
              ready: READY[desired.compositeReady],
            },
          }),
      resources: record(desired.resources, ({ resource, ready }, key) => ({
        resource: plain(resource, key),
        ready: READY[ready],
      })),
    },
    requiredResources: record(request.required, (items, key) => ({
      items: items.map((item) => ({ resource: plain(item, key) })),
    })),
  });
}

export const READY = {
  True: Ready.READY_TRUE,
  False: Ready.READY_FALSE,
  Unspecified: Ready.READY_UNSPECIFIED,
} as const;

export function readiness(ready: Ready | undefined): Readiness {
  if (ready === Ready.READY_TRUE) return 'True';
  return ready === Ready.READY_FALSE ? 'False' : 'Unspecified';
}

function toDesired(resource: Resource): Desired {
  return { resource: toObject(resource), ready: readiness(resource.ready) };
}

function toObserved(resource: Resource): Observed {
  return { resource: toObject(resource), connectionDetails: resource.connectionDetails };
}

function toObject({ resource }: Resource): KubeObject {
  if (isJsonObject(resource)) return objectFrom(resource);
  throw new SlipwayError('BrokenContract', 'cannot read a resource of the message: it is not an object');
}

/** A message's map as a Map with sorted keys, so that what iterates over it is deterministic. */
export function entries<From, To>(
  from: { readonly [key: string]: From } | undefined,
  convert: (value: From) => To,
): ReadonlyMap<string, To> {
  return new Map(
    Object.entries(from ?? {})
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, value]) => [key, convert(value)]),
  );
}

/** A Map as a message's map. */
export function record<From, To>(
  from: ReadonlyMap<string, From>,
  convert: (value: From, key: string) => To,
): Record<string, To> {
  return Object.fromEntries([...from].map(([key, value]) => [key, convert(value, key)]));
}
