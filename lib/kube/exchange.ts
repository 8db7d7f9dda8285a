/** One request to a Kubernetes API and its whole answer: bounded in time and size, without redirects. */
import { type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { type JsonObject, at, isJsonObject, stringAt } from '#lib/api/json.ts';
import type { Endpoint } from './endpoint.ts';
import { KubeRefusal, plainCause, type RefusalCause, Unreachable } from './refusal.ts';

export interface Ask {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With its query. */
  readonly path: string;
  /** For messages: `list Machine`, `evict Pod "default/web"`. */
  readonly what: string;
  readonly body?: unknown;
  readonly contentType?: string;
  /** Bytes. @default 32 MiB */
  readonly most?: number;
  /** Milliseconds for the whole answer. @default 30,000 */
  readonly within?: number;
  readonly signal?: AbortSignal;
}

export const MIB = 1024 * 1024;
const MOST = 32 * MIB;
const CONNECT_MS = 10_000;
const WITHIN_MS = 30_000;

/**
 * The JSON object that the API answered with.
 * Throws KubeRefusal for an answer that is not a success, Unreachable for none or one that is not JSON.
 */
export async function exchange(endpoint: Endpoint, ask: Ask): Promise<JsonObject> {
  const fail = (why: string, cause?: unknown): Unreachable =>
    new Unreachable(`cannot ${ask.what} at "${endpoint.server}": ${why}`, why, cause);
  const within = ask.within ?? WITHIN_MS;
  const ended = new AbortController();
  const timer = setTimeout(() => ended.abort(fail(`no answer within ${within / 1000} s`)), within);
  const signal = ask.signal === undefined ? ended.signal : AbortSignal.any([ended.signal, ask.signal]);
  try {
    const answer = await opened(endpoint, { ...ask, signal });
    const text = await wholeText(answer, ask.most ?? MOST);
    return accepted(answer, text, endpoint, ask);
  } catch (thrown) {
    if (thrown instanceof KubeRefusal || thrown instanceof Unreachable) throw thrown;
    if (ended.signal.aborted) throw ended.signal.reason;
    if (ask.signal?.aborted === true) throw fail('stopped', thrown);
    throw fail(plainCause(thrown), thrown);
  } finally {
    clearTimeout(timer);
  }
}

/** The head of an answer; its body is still to be read. Throws what the socket throws. */
export function opened({ server, credentials, agent }: Endpoint, ask: Ask): Promise<IncomingMessage> {
  const url = new URL(`${server.replace(/\/$/, '')}${ask.path}`);
  const request = url.protocol === 'http:' ? requestPlain : requestTls;
  const body = ask.body === undefined ? undefined : Buffer.from(JSON.stringify(ask.body));
  const headers = {
    ...(credentials.headers as Record<string, string> | undefined),
    accept: 'application/json',
    'user-agent': 'slipway',
    ...(body === undefined
      ? {}
      : { 'content-type': ask.contentType ?? 'application/json', 'content-length': body.length }),
  };
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const options = { ...credentials, ...(agent === undefined ? {} : { agent }), method: ask.method, headers };
  const sent = request(url, { ...options, ...(ask.signal === undefined ? {} : { signal: ask.signal }) }, resolve);
  sent.on('socket', (socket) => {
    if (!socket.connecting) return;
    const timer = setTimeout(
      () => sent.destroy(Object.assign(new Error('no connection in time'), { code: 'ETIMEDOUT' })),
      CONNECT_MS,
    );
    for (const event of ['connect', 'close'] as const) socket.once(event, () => clearTimeout(timer));
  });
  sent.on('error', reject);
  sent.end(body);
  return promise;
}

export async function wholeText(answer: IncomingMessage, most: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > most) {
      answer.destroy();
      throw new Error(`its answer is larger than ${Math.floor(most / MIB)} MiB`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function accepted(answer: IncomingMessage, text: string, endpoint: Endpoint, ask: Ask): JsonObject {
  const status = answer.statusCode ?? 0;
  const body = parsed(text);
  const isSuccess = status >= 200 && status < 300;
  if (isSuccess && isJsonObject(body)) return body;
  const begin = `cannot ${ask.what} at "${endpoint.server}"`;
  if (isSuccess) throw new Unreachable(`${begin}: the answer is not JSON`, 'the answer is not JSON');
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
    ...(seconds > 0 ? { retryAfter: seconds } : {}),
  });
}

function causesOf(body: unknown): readonly RefusalCause[] {
  const causes = at(body, 'details', 'causes');
  return (Array.isArray(causes) ? causes : []).map((cause) => ({
    reason: stringAt(cause, 'reason') ?? '',
    field: stringAt(cause, 'field') ?? '',
    message: stringAt(cause, 'message') ?? '',
  }));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
