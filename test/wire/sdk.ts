/**
 * The judge of the codec: the code that Crossplane's SDK generates, and what functions see of its messages. It stops at
 * 100 nested messages, which are 32 levels of JSON; here at as many as the codec reads.
 */
import { BinaryReader } from '@bufbuild/protobuf/wire';
import {
  Ready,
  RunFunctionRequest,
  RunFunctionResponse,
  Severity,
  Status,
} from '@crossplane-org/function-sdk-typescript';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import type { Desired, Observed, Readiness, Request } from '#lib/fn/request.ts';
import type { FunctionAnswer } from '#lib/wire/answer.ts';
import { objectFrom } from '#lib/wire/object.ts';
import { MAX_LEVELS } from '#lib/wire/struct.ts';

class DeepReader extends BinaryReader {
  #depth = 0;

  // The generated code keeps its count here: it reads it, writes one more on the way into a message, and what it
  // read on the way out. Reading always 0 keeps its own limit away; the writes tell the true depth.
  get __tsProtoDecodeDepth(): number {
    return 0;
  }

  set __tsProtoDecodeDepth(count: number) {
    this.#depth += count === 0 ? -1 : 1;
    if (this.#depth > MAX_LEVELS * 3) throw new RangeError('too deep');
  }
}

export function requestMessage(bytes: Uint8Array): RunFunctionRequest {
  return RunFunctionRequest.decode(new DeepReader(bytes));
}

/** What a function should see of a request. Throws what it should not see. */
export function requestBySdk(bytes: Uint8Array): Request {
  const message = requestMessage(bytes);
  const composite = message.observed?.composite;
  if (composite?.resource === undefined) throw new Error('it has no observed composite resource');
  return structuredClone({
    meta: { tag: message.meta?.tag ?? '' },
    input: message.input,
    observed: {
      composite: objectFrom(composite.resource),
      resources: entries(message.observed?.resources, ({ resource, connectionDetails }): Observed => ({
        resource: objectFrom(resource as JsonObject),
        connectionDetails: Object.fromEntries(
          Object.entries(connectionDetails).map(([key, value]) => [key, new Uint8Array(value)]),
        ),
      })),
    },
    desired: {
      composite: message.desired?.composite?.resource as KubeObject | undefined,
      compositeReady: readiness(message.desired?.composite?.ready),
      resources: entries(message.desired?.resources, ({ resource, ready }): Desired => ({
        resource: objectFrom(resource as JsonObject),
        ready: readiness(ready),
      })),
    },
    context: message.context ?? {},
    required: entries(message.requiredResources, ({ items }) =>
      items.map(({ resource }) => objectFrom(resource as JsonObject)),
    ),
  });
}

/** What a caller should see of an answer. */
export function answerBySdk(bytes: Uint8Array): FunctionAnswer {
  const message = RunFunctionResponse.decode(new DeepReader(bytes));
  const ttl = message.meta?.ttl;
  return structuredClone({
    desired: {
      composite: message.desired?.composite?.resource as KubeObject | undefined,
      compositeReady: readiness(message.desired?.composite?.ready),
      resources: entries(message.desired?.resources, ({ resource, ready }): Desired => ({
        resource: (resource ?? {}) as KubeObject,
        ready: readiness(ready),
      })),
    },
    conditions: message.conditions.map(({ type, status, reason, message: text }) => ({
      type,
      status: STATUS[status] ?? 'Unknown',
      reason,
      ...(text === undefined ? {} : { message: text }),
    })),
    results: message.results.map(({ severity, reason, message: text }) => ({
      severity: SEVERITY[severity] ?? 'Normal',
      message: text,
      ...(reason === undefined ? {} : { reason }),
    })),
    requirements: entries(
      message.requirements?.resources,
      ({ apiVersion, kind, namespace, matchName, matchLabels }) => ({
        apiVersion,
        kind,
        ...(namespace === undefined ? {} : { namespace }),
        ...(matchName === undefined ? {} : { matchName }),
        ...(matchLabels === undefined ? {} : { matchLabels: matchLabels.labels }),
      }),
    ),
    context: message.context ?? {},
    ttl: ttl === undefined ? undefined : ttl.seconds + ttl.nanos / 1e9,
  });
}

const STATUS: Readonly<Record<number, 'True' | 'False' | 'Unknown'>> = {
  [Status.STATUS_CONDITION_TRUE]: 'True',
  [Status.STATUS_CONDITION_FALSE]: 'False',
};
const SEVERITY: Readonly<Record<number, 'Fatal' | 'Warning'>> = {
  [Severity.SEVERITY_FATAL]: 'Fatal',
  [Severity.SEVERITY_WARNING]: 'Warning',
};

function readiness(ready: Ready | undefined): Readiness {
  if (ready === Ready.READY_TRUE) return 'True';
  return ready === Ready.READY_FALSE ? 'False' : 'Unspecified';
}

function entries<From, To>(
  from: { readonly [key: string]: From } | undefined,
  convert: (value: From) => To,
): ReadonlyMap<string, To> {
  const sorted = Object.entries(from ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return new Map(sorted.map(([key, value]) => [key, convert(value)]));
}
