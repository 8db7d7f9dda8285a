/** One message, made from its seed: read by the codec and by the SDK, written by the codec, and compared. */
import { isDeepStrictEqual } from 'node:util';
import { SlipwayError } from '#lib/api/errors.ts';
import { isJsonObject, type Json, type KubeObject } from '#lib/api/json.ts';
import { UNREAD_MANAGED_FIELDS } from '#lib/api/managed-fields.ts';
import { ANSWERS_FOR_NOTHING } from '#lib/fn/law.ts';
import { Reply } from '#lib/fn/reply.ts';
import type { Request } from '#lib/fn/request.ts';
import { decodeAnswer } from '#lib/wire/answer.ts';
import { decodeRequest, type Incoming, incoming, requestIn } from '#lib/wire/incoming.ts';
import { encodeReply } from '#lib/wire/reply.ts';
import { encodeRequest } from '#lib/wire/request.ts';
import { Chance } from '../sim/chance.ts';
import { made } from './made.ts';
import { ANSWER, REQUEST, type Schema } from './schema.ts';
import { answerBySdk, requestBySdk } from './sdk.ts';
import { standard } from './tree.ts';

export interface Tried {
  readonly seed: number;
  readonly what: 'request' | 'answer';
  /** Refused by both. */
  readonly refused: boolean;
  readonly wrong: readonly string[];
}

export function tryMessage(seed: number): Tried {
  const chance = new Chance(seed);
  const what = seed % 4 === 0 ? 'answer' : 'request';
  const bytes = made(what, chance);
  return what === 'answer' ? tryAnswer(seed, bytes) : tryRequest(seed, bytes);
}

function tryAnswer(seed: number, bytes: Uint8Array): Tried {
  const want = bySdk(bytes, ANSWER, answerBySdk);
  const got = byCodec(() => decodeAnswer(bytes));
  return { seed, what: 'answer', refused: want === undefined, wrong: difference('the answer', got, want) };
}

function tryRequest(seed: number, bytes: Uint8Array): Tried {
  const want = bySdk(bytes, REQUEST, requestBySdk) ?? withoutUnread(bytes);
  const read = byCodec(() => {
    const message = incoming(bytes);
    return { message, request: whole(requestIn(message)), lazy: requestIn(message) };
  });
  const wrong = difference('the request', typeof read === 'string' ? read : read?.request, want);
  if (wrong.length > 0 || want === undefined || read === undefined || typeof read === 'string' || !isJson(want))
    return { seed, what: 'request', refused: want === undefined, wrong };
  const again = requestBySdk(encodeRequest(want));
  return {
    seed,
    what: 'request',
    refused: false,
    wrong: [...difference('the request, written', again, want), ...tryReply(read.message, read.lazy, want)],
  };
}

/** What is desired again: as its bytes where nobody looked at it, and written where it is another object. */
function tryReply(message: Incoming, request: Request, want: Request): readonly string[] {
  const reply = new Reply(request, ANSWERS_FOR_NOTHING);
  for (const [i, [key, { resource, ready }]] of [...want.desired.resources].entries())
    if (i % 3 === 1) reply.compose(key, resource, ready === 'True');
    else if (i % 3 === 2) reply.compose(key, request.desired.resources.get(key)!.resource, ready === 'True');
  const sent = standard(encodeReply(message, want.observed.composite, reply.build()), ANSWER);
  const { desired, context } = answerBySdk(sent);
  const resources = [...want.desired.resources].map(([key, { resource, ready }], i) => {
    const said = ready === 'True' ? 'True' : 'False';
    return [key, { resource, ready: i % 3 === 0 ? ready : said }] as const;
  });
  return [
    ...difference('what is desired again', withoutNulls(desired.resources), new Map(resources)),
    ...difference('the context', context, want.context),
  ];
}

function bySdk<T>(bytes: Uint8Array, schema: Schema, read: (bytes: Uint8Array) => T, without?: string): T | undefined {
  try {
    return read(standard(bytes, schema, without));
  } catch {
    return undefined;
  }
}

/** What nobody reads may be broken: managedFields of which there are others after them. All the rest is the same. */
function withoutUnread(bytes: Uint8Array): Request | undefined {
  const got = byCodec(() => whole(decodeRequest(bytes)));
  if (got === undefined || typeof got === 'string') return undefined;
  const rest = bySdk(bytes, REQUEST, requestBySdk, 'managedFields');
  return isDeepStrictEqual(withoutManagedFields(got), rest) ? got : undefined;
}

function withoutManagedFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutManagedFields);
  if (value instanceof Map)
    return new Map(
      [...value].filter(([key]) => key !== 'managedFields').map(([key, one]) => [key, withoutManagedFields(one)]),
    );
  if (!isJsonObject(value) || value instanceof Uint8Array) return value;
  const kept = Object.entries(value).filter(([key]) => key !== 'managedFields');
  return Object.fromEntries(kept.map(([key, one]) => [key, withoutManagedFields(one)]));
}

/** A text: what is wrong. */
function byCodec<T>(read: () => T): T | string | undefined {
  try {
    return read();
  } catch (thrown) {
    return thrown instanceof SlipwayError && thrown.code === 'BrokenContract'
      ? undefined
      : `it throws ${String(thrown)}`;
  }
}

function difference(what: string, got: unknown, want: unknown): readonly string[] {
  if (isDeepStrictEqual(got, want)) return [];
  if (typeof got === 'string') return [`${what}: ${got}`];
  if (got === undefined) return [`${what} is refused by the codec alone`];
  return [want === undefined ? `${what} is refused by the SDK alone` : `${what} differs`];
}

/** With everything that is read late. */
function whole(request: Request): Request {
  const { observed, desired, required } = request;
  const bytes = (details: Readonly<Record<string, Uint8Array>>) =>
    Object.fromEntries(Object.entries(details).map(([key, value]) => [key, new Uint8Array(value)]));
  return {
    ...request,
    observed: {
      composite: read(observed.composite),
      resources: mapped(observed.resources, ({ resource, connectionDetails }) => ({
        resource: read(resource),
        connectionDetails: bytes(connectionDetails),
      })),
    },
    desired: {
      ...desired,
      resources: mapped(desired.resources, ({ resource, ready }) => ({ resource: read(resource), ready })),
    },
    required: mapped(required, (items) => items.map(read)),
  };
}

function read(object: KubeObject): KubeObject {
  const { metadata } = object;
  const unread = (metadata as { [UNREAD_MANAGED_FIELDS]?: () => unknown } | undefined)?.[UNREAD_MANAGED_FIELDS]?.();
  if (unread === undefined || unread === null) return structuredClone(object);
  return structuredClone({ ...object, metadata: { ...metadata, managedFields: unread as Json } });
}

/** Null in metadata means nothing; bytes that go back as they came have it still. */
function withoutNulls(resources: Request['desired']['resources']): Request['desired']['resources'] {
  return mapped(resources, ({ resource, ready }) => {
    const { metadata } = resource;
    if (!isJsonObject(metadata)) return { resource: metadata === null ? without(resource) : resource, ready };
    const known = Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== null));
    return { resource: { ...resource, metadata: known }, ready };
  });
}

function without({ metadata: _null, ...rest }: KubeObject): KubeObject {
  return rest;
}

function mapped<From, To>(from: ReadonlyMap<string, From>, to: (value: From) => To): ReadonlyMap<string, To> {
  return new Map([...from].map(([key, value]) => [key, to(value)]));
}

/** What broken programs write may be read, but never written: a number that is none, or a list with a gap. */
function isJson(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (value instanceof Uint8Array) return true;
  if (Array.isArray(value)) return value.every((item) => item !== undefined && isJson(item));
  if (value instanceof Map) return [...value.values()].every(isJson);
  return typeof value !== 'object' || value === null || Object.values(value).every(isJson);
}
