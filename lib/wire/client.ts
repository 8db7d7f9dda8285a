/** Calls a function over gRPC: how the engine, the command line and the tests reach one. */
import { type ChannelCredentials, Client, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { SlipwayError } from '#lib/api/errors.ts';
import type { Request } from '#lib/fn/request.ts';
import { decodeAnswer, type FunctionAnswer } from './answer.ts';
import { NOW_METADATA, RUN_FUNCTION } from './method.ts';
import { encodeRequest } from './request.ts';

export interface ClientOptions {
  /** PEM contents; left out, the connection is plain. */
  readonly tls?: { readonly ca: Uint8Array; readonly cert?: Uint8Array; readonly key?: Uint8Array };
  /** @default 64 MiB */
  readonly maxMessageBytes?: number;
}

export interface CallOptions {
  readonly now?: Date;
  /** @default 60,000 */
  readonly timeoutMs?: number;
}

/** A function as its callers see it: one call, over the wire or in process. */
export interface FunctionCaller extends Pick<FunctionClient, 'run'> {
  /** host:port of a function of others; undefined for one of Slipway. */
  readonly servedAt?: string;
}

export interface FunctionClient {
  /** Throws SlipwayError Unavailable when nobody answers, with the cause alone as its reason. */
  run(request: Request, options?: CallOptions): Promise<FunctionAnswer>;
  close(): void;
}

/**
 * @param address host:port
 * @param name how messages call the function
 */
export function connectFunction(address: string, name: string, options: ClientOptions = {}): FunctionClient {
  const size = options.maxMessageBytes ?? 64 * 1024 * 1024;
  const client = new Client(address, channelCredentials(options), {
    'grpc.max_receive_message_length': size,
    'grpc.max_send_message_length': size,
    // A function that was killed comes back on the same port within a second.
    'grpc.initial_reconnect_backoff_ms': 100,
    'grpc.max_reconnect_backoff_ms': 1000,
  });
  return {
    async run(request, { now, timeoutMs = 60_000 } = {}) {
      const metadata = new Metadata();
      if (now !== undefined) metadata.set(NOW_METADATA, now.toISOString());
      const message = encodeRequest(request);
      return decodeAnswer(await call(client, message, metadata, timeoutMs, `function "${name}" at ${address}`));
    },
    close: () => client.close(),
  };
}

const own = (bytes: Uint8Array | undefined): Buffer | null => (bytes === undefined ? null : Buffer.from(bytes));

function channelCredentials({ tls }: ClientOptions): ChannelCredentials {
  if (tls === undefined) return credentials.createInsecure();
  return credentials.createSsl(Buffer.from(tls.ca), own(tls.key), own(tls.cert));
}

function call(
  client: Client,
  message: Uint8Array,
  metadata: Metadata,
  timeoutMs: number,
  what: string,
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string, cause?: ServiceError): void =>
      reject(new SlipwayError('Unavailable', `cannot call ${what}: ${reason}`, { reason, cause }));
    const done = (error: ServiceError | null, response?: Uint8Array): void => {
      if (error !== null) fail(causeOf(error, timeoutMs), error);
      else if (response === undefined) fail('it returned no response');
      else resolve(response);
    };
    client.makeUnaryRequest(
      RUN_FUNCTION,
      (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
      (bytes: Buffer) => bytes,
      message,
      metadata,
      { deadline: Date.now() + timeoutMs },
      done,
    );
  });
}

/** Whether a call failed because no answer came in time: then the next one would wait as long. */
export function isUnanswered(thrown: unknown): boolean {
  const cause = thrown instanceof SlipwayError ? thrown.cause : undefined;
  return cause instanceof Error && 'code' in cause && cause.code === status.DEADLINE_EXCEEDED;
}

/** Without what changes from call to call, and without advice of the library. */
function causeOf({ code, details, message }: ServiceError, timeoutMs: number): string {
  if (code === status.DEADLINE_EXCEEDED) return `it did not answer within ${timeoutMs / 1000} s`;
  return (details || message)
    .replace(/\.? Resolution note:.*$/s, '')
    .replace(/^No connection established\. Last error: (.*?)(?: \(\d{4}-[^)]*\))?$/s, 'no gRPC connection: $1');
}
