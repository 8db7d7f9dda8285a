/** One request to a Kubernetes API and its whole answer: bounded in time and size, without redirects. */
import { type ClientRequest, type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { type JsonObject, at, isJsonObject, stringAt } from '#lib/api/json.ts';
import { type Endpoint, headersOf, placeOf, secretsOf } from './endpoint.ts';
import { KubeRefusal, type RefusalCause, Unreachable } from './refusal.ts';
import { REAL_TIME, type Timing } from './timing.ts';
import { ANSWER_IS_NOT_JSON, tooLarge, troubleOf } from './trouble.ts';

export interface Ask {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With its query. */
  readonly path: string;
  /** For messages: `list Machine`, `evict Pod "default/web"`. */
  readonly what: string;
  readonly body?: unknown;
  readonly contentType?: string;
  /** Bytes. @default 32 MiB */
  readonly most?: number | undefined;
  /** Seconds for the whole answer. @default 30 */
  readonly within?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Bytes that came; it may throw, which ends the exchange. */
  readonly onBytes?: ((bytes: number) => void) | undefined;
  /** The whole text, before it is read; it may throw. */
  readonly onText?: ((text: string) => void) | undefined;
}

export const MIB = 1024 * 1024;
const MOST = 32 * MIB;
/** Seconds. */
const CONNECT = 10;
export const WITHIN = 30;
const MOST_RETRY_AFTER = 300;
const MOST_CAUSES = 20;

/**
 * The JSON object that the API answered with.
 * Throws KubeRefusal for an answer that is not a success, Unreachable for none or one that is not JSON.
 */
export async function exchange(endpoint: Endpoint, ask: Ask, timing: Timing = REAL_TIME): Promise<JsonObject> {
  const begin = beginOf(endpoint, ask);
  const { within = WITHIN } = ask;
  const late = new AbortController();
  const cancel = timing.after(within, () => late.abort());
  const signal = ask.signal === undefined ? late.signal : AbortSignal.any([late.signal, ask.signal]);
  try {
    const answer = await opened(endpoint, { ...ask, signal }, timing);
    const text = await wholeText(answer, ask.most ?? MOST, ask.onBytes);
    ask.onText?.(text);
    return accepted(answer, text, begin, endpoint);
  } catch (thrown) {
    if (thrown instanceof KubeRefusal || thrown instanceof Unreachable) throw thrown;
    if (ask.signal?.aborted === true) throw new Unreachable(begin, { kind: 'Stopped', why: 'stopped' });
    if (late.signal.aborted) throw new Unreachable(begin, { kind: 'Timeout', why: `no answer within ${within} s` });
    throw new Unreachable(begin, troubleOf(thrown));
  } finally {
    cancel();
  }
}

/** How messages about a request begin. */
export function beginOf(endpoint: Endpoint, { what }: Pick<Ask, 'what'>): string {
  return `cannot ${what} ${placeOf(endpoint)}`;
}

/**
 * The head of an answer; its body is still to be read. Throws what the socket throws.
 * A server may close a connection in the moment it is used again: then something that is only read is asked for once
 * more.
 */
export async function opened(endpoint: Endpoint, ask: Ask, timing: Timing = REAL_TIME): Promise<IncomingMessage> {
  const first = sent(endpoint, ask, timing);
  try {
    return await first.answer;
  } catch (thrown) {
    const isReset = thrown instanceof Error && 'code' in thrown && thrown.code === 'ECONNRESET';
    if (!isReset || !first.request.reusedSocket || ask.method !== 'GET' || ask.signal?.aborted === true) throw thrown;
    return sent(endpoint, ask, timing).answer;
  }
}

function sent(
  endpoint: Endpoint,
  ask: Ask,
  timing: Timing,
): { readonly request: ClientRequest; readonly answer: Promise<IncomingMessage> } {
  const { server, credentials, agent } = endpoint;
  const url = new URL(`${server.replace(/\/$/, '')}${ask.path}`);
  const body = ask.body === undefined ? undefined : Buffer.from(JSON.stringify(ask.body));
  const headers = {
    ...headersOf(endpoint),
    accept: 'application/json',
    'user-agent': 'slipway',
    ...(body === undefined
      ? {}
      : { 'content-type': ask.contentType ?? 'application/json', 'content-length': body.length }),
  };
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const isPlain = url.protocol === 'http:';
  const request = (isPlain ? requestPlain : requestTls)(
    url,
    {
      ...credentials,
      ...(agent === undefined ? {} : { agent }),
      ...(ask.signal === undefined ? {} : { signal: ask.signal }),
      method: ask.method,
      headers,
    },
    resolve,
  );
  request.on('error', reject);
  limitConnecting(request, isPlain ? 'connect' : 'secureConnect', timing);
  request.end(body);
  return { request, answer: promise };
}

/** A connection from before is open already. */
function limitConnecting(request: ClientRequest, connected: 'connect' | 'secureConnect', timing: Timing): void {
  request.once('socket', (socket) => {
    if (!socket.connecting) return;
    const cancel = timing.after(CONNECT, () =>
      request.destroy(Object.assign(new Error('no connection in time'), { code: 'ETIMEDOUT' })),
    );
    socket.once(connected, cancel);
    socket.once('close', cancel);
  });
}

/** Throws when it is longer. @param most  bytes */
export async function wholeText(answer: IncomingMessage, most: number, onBytes?: Ask['onBytes']): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length;
    onBytes?.(chunk.length);
    // Leaving the loop ends the connection.
    if (size > most) throw tooLarge('the answer', most);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** A refusal that repeats a secret of the request is shown without it. */
function accepted(answer: IncomingMessage, text: string, begin: string, endpoint: Endpoint): JsonObject {
  const status = answer.statusCode ?? 0;
  const isSuccess = status >= 200 && status < 300;
  const secrets = isSuccess ? [] : secretsOf(endpoint);
  const body = parsed(secrets.reduce((shown, secret) => shown.replaceAll(secret, '***'), text));
  if (isSuccess && isJsonObject(body)) return body;
  if (isSuccess && body === null && endpoint.foreign !== undefined) return {};
  if (isSuccess) throw new Unreachable(begin, ANSWER_IS_NOT_JSON);
  const foreign = endpoint.foreign && stringAt(body, endpoint.foreign.refusalAt);
  if (foreign !== undefined) throw new KubeRefusal(status, `${begin}: ${foreign}`, { text: foreign });
  throw refusalOf(status, body, begin, answer.headers['retry-after']);
}

/** @param begin  how the message begins, without a colon */
export function refusalOf(status: number, body: unknown, begin: string, retryAfter?: string): KubeRefusal {
  const text = (at(body, 'kind') === 'Status' ? stringAt(body, 'message') : undefined) ?? `HTTP ${status}`;
  const seconds = Number(retryAfter ?? at(body, 'details', 'retryAfterSeconds'));
  return new KubeRefusal(status, `${begin}: ${text}`, {
    text,
    reason: stringAt(body, 'reason') ?? '',
    causes: causesOf(body),
    ...(seconds > 0 ? { retryAfter: Math.min(seconds, MOST_RETRY_AFTER) } : {}),
  });
}

function causesOf(body: unknown): readonly RefusalCause[] {
  const causes = at(body, 'details', 'causes');
  return (Array.isArray(causes) ? causes.slice(0, MOST_CAUSES) : []).map((cause) => ({
    reason: stringAt(cause, 'reason') ?? '',
    field: stringAt(cause, 'field') ?? '',
    message: stringAt(cause, 'message') ?? '',
  }));
}

/** Undefined for what is no JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
