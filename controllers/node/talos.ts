/**
 * The call that starts a Talos cluster: `Bootstrap` of machine.MachineService, gRPC over HTTP/2 with a client certificate.
 * The request has no fields, so no library for messages is needed.
 */
import { type ClientHttp2Session, connect, constants } from 'node:http2';
import { parse } from 'yaml';
import { z } from 'zod';
import { troubleOf } from '#lib/kube/trouble.ts';

const PORT = 50_000;
const PATH = '/machine.MachineService/Bootstrap';
/** Milliseconds. */
const WITHIN = 10_000;
/** A gRPC message of no bytes: not compressed, length 0. */
const EMPTY = Buffer.alloc(5);
/** Codes of gRPC. `AlreadyExists`: etcd exists, which is what the caller wants. */
const OK = '0';
const ALREADY_EXISTS = '6';

const Base64 = z.string().transform((text) => Buffer.from(text, 'base64').toString('utf8'));
const Talosconfig = z.looseObject({
  context: z.string(),
  contexts: z.record(z.string(), z.looseObject({ ca: Base64, crt: Base64, key: Base64 })),
});

/**
 * Calls the machine once. Undefined: it accepted the call, or had been called before; otherwise why not.
 * @param talosconfig  its text, which is never repeated
 * @param port  @default that of the Talos API
 */
export async function bootstrapTalos(address: string, talosconfig: string, port = PORT): Promise<string | undefined> {
  const credentials = credentialsOf(talosconfig);
  if (credentials === undefined) return 'the Secret holds no talosconfig';
  const host = address.includes(':') ? `[${address}]` : address;
  const session = connect(`https://${host}:${port}`, credentials);
  try {
    return await called(session);
  } finally {
    session.destroy();
  }
}

function credentialsOf(text: string): { readonly ca: string; readonly cert: string; readonly key: string } | undefined {
  try {
    const { context, contexts } = Talosconfig.parse(parse(text));
    const found = Object.hasOwn(contexts, context) ? contexts[context] : undefined;
    return found && { ca: found.ca, cert: found.crt, key: found.key };
  } catch {
    return undefined;
  }
}

function called(session: ClientHttp2Session): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const timer = setTimeout(() => resolve(`no answer within ${WITHIN / 1000} s`), WITHIN);
  session.on('error', (error) => resolve(troubleOf(error).why));
  session.on('close', () => resolve('the connection was closed'));
  const stream = session.request({
    [constants.HTTP2_HEADER_METHOD]: 'POST',
    [constants.HTTP2_HEADER_PATH]: PATH,
    [constants.HTTP2_HEADER_CONTENT_TYPE]: 'application/grpc',
    te: 'trailers',
  });
  const judge = (headers: Readonly<Record<string, unknown>>): void => {
    const status = headers['grpc-status'];
    if (typeof status !== 'string') return;
    resolve(status === OK || status === ALREADY_EXISTS ? undefined : refusal(status, headers['grpc-message']));
  };
  stream.on('response', judge); // a refusal without an answer has its status in the first headers
  stream.on('trailers', judge);
  stream.on('error', (error) => resolve(troubleOf(error.cause ?? error).why));
  stream.resume();
  stream.end(EMPTY);
  return promise.finally(() => clearTimeout(timer));
}

function refusal(status: string, message: unknown): string {
  return typeof message === 'string' && message !== '' ? decodeURIComponent(message) : `code ${status} of gRPC`;
}
