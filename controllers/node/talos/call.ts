/**
 * One call to the Talos API of a machine: machine.MachineService, gRPC over HTTP/2 with a client certificate. Requests and
 * answers are few and small, so no library for them is needed.
 */
import { type ClientHttp2Session, connect, constants } from 'node:http2';
import { parse } from 'yaml';
import { z } from 'zod';
import { troubleOf } from '#lib/kube/trouble.ts';

export const TALOS_PORT = 50_000;
/** Seconds. */
const WITHIN = 10;
const MOST = 1024 * 1024;
/** Before each message of gRPC: whether it is compressed, and its length. */
const PREFIX = 5;

export interface TalosCredentials {
  /** PEM. */
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

export interface TalosCall {
  /** Of machine.MachineService. */
  readonly method: string;
  /** @default a message without fields */
  readonly message?: Buffer;
  /** Seconds. @default 10 */
  readonly within?: number;
  /** @default that of the Talos API */
  readonly port?: number;
}

/** The machine answered, with a status of gRPC other than 0. */
export class TalosRefusal extends Error {
  readonly status: string;

  constructor(status: string, message: unknown) {
    const text = typeof message === 'string' && message !== '' ? decoded(message) : `code ${status} of gRPC`;
    super(text.replaceAll(/\s+/g, ' ').slice(0, 300));
    this.status = status;
  }
}

const Base64 = z.string().transform((text) => Buffer.from(text, 'base64').toString('utf8'));
const Talosconfig = z.looseObject({
  context: z.string(),
  contexts: z.record(z.string(), z.looseObject({ ca: Base64, crt: Base64, key: Base64 })),
});

/** Of the current context of a talosconfig, which is never repeated; undefined: the text is none. */
export function credentialsOf(text: string): TalosCredentials | undefined {
  try {
    const { context, contexts } = Talosconfig.parse(parse(text, { logLevel: 'error' }));
    const found = Object.hasOwn(contexts, context) ? contexts[context] : undefined;
    return found && { ca: found.ca, cert: found.crt, key: found.key };
  } catch {
    return undefined;
  }
}

/** The message of the answer. Throws TalosRefusal, and an Error in a few words if there is no answer. */
export async function callTalos(address: string, credentials: TalosCredentials, call: TalosCall): Promise<Buffer> {
  const host = address.includes(':') ? `[${address}]` : address;
  const session = connect(`https://${host}:${call.port ?? TALOS_PORT}`, { ...credentials });
  try {
    return await answered(session, call);
  } finally {
    session.destroy();
  }
}

function answered(
  session: ClientHttp2Session,
  { method, message = Buffer.alloc(0), within = WITHIN }: TalosCall,
): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const fail = (why: string): void => reject(new Error(why));
  const timer = setTimeout(() => fail(`no answer within ${within} s`), within * 1000);
  session.on('error', (error) => fail(troubleOf(error).why));
  session.on('close', () => fail('the connection was closed'));
  const stream = session.request({
    [constants.HTTP2_HEADER_METHOD]: 'POST',
    [constants.HTTP2_HEADER_PATH]: `/machine.MachineService/${method}`,
    [constants.HTTP2_HEADER_CONTENT_TYPE]: 'application/grpc',
    te: 'trailers',
  });
  const chunks: Buffer[] = [];
  let size = 0;
  stream.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > MOST) fail('the answer is too large');
    else chunks.push(chunk);
  });
  const judge = (headers: Readonly<Record<string, unknown>>): void => {
    const status = headers['grpc-status'];
    if (typeof status !== 'string') return;
    if (status === '0') resolve(Buffer.concat(chunks).subarray(PREFIX));
    else reject(new TalosRefusal(status, headers['grpc-message']));
  };
  stream.on('response', judge); // a refusal without an answer has its status in the first headers
  stream.on('trailers', judge);
  stream.on('error', (error) => fail(troubleOf(error.cause ?? error).why));
  const prefix = Buffer.alloc(PREFIX);
  prefix.writeUInt32BE(message.length, 1);
  stream.end(Buffer.concat([prefix, message]));
  return promise.finally(() => clearTimeout(timer));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
