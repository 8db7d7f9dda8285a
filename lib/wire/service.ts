/** The function as a gRPC service: one call in, one answer out, each counted; a call never ends in a broken stream. */
import { type Metadata, type sendUnaryData, type Server, type ServerUnaryCall, status } from '@grpc/grpc-js';
import { type ErrorCode, SlipwayError } from '#lib/api/errors.ts';
import { NOW_METADATA, RUN_FUNCTION } from './method.ts';
import type { Logger } from 'pino';
import type { Flags } from './flags.ts';
import type { Calls } from './calls.ts';
import { type Answered, endedAnswer } from './shell.ts';
import type { Threads } from './threads.ts';

type Call = ServerUnaryCall<Uint8Array, Uint8Array>;

/** Bytes in and bytes out: what cannot be decoded is answered too, and sizes are known. */
const SERVICE = {
  runFunction: {
    path: RUN_FUNCTION,
    requestStream: false,
    responseStream: false,
    requestSerialize: asIs,
    requestDeserialize: (bytes: Buffer): Uint8Array => bytes,
    responseSerialize: asIs,
    responseDeserialize: (bytes: Buffer): Uint8Array => bytes,
  },
} as const;

function asIs(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Bytes from which a request is a large call: some tens of machines, or several milliseconds. */
const LARGE = 256 * 1024;

/** Of a call that took too much. */
const ENDED: ReadonlySet<string> = new Set<ErrorCode>(['DeadlineExceeded', 'MemoryExceeded']);

/** Both have threads of their own, so that small calls never wait for large ones. */
interface Answering {
  readonly small: Pick<Threads, 'answer'>;
  readonly large: Pick<Threads, 'answer'>;
}

export function addFunction(
  server: Server,
  logger: Logger,
  clock: Flags['clock'],
  calls: Calls,
  threads: Answering,
): void {
  const answered = async (call: Call): Promise<Answered> => {
    const { request: bytes, metadata } = call;
    const pool = bytes.length < LARGE ? threads.small : threads.large;
    try {
      return await pool.answer({ bytes, now: timeOf(metadata, clock) }, () => !call.cancelled);
    } catch (thrown) {
      if (!(thrown instanceof SlipwayError) || !ENDED.has(thrown.code)) throw thrown;
      return endedAnswer(bytes, thrown, logger);
    }
  };
  const respond = async (call: Call, done: sendUnaryData<Uint8Array>): Promise<void> => {
    const began = performance.now();
    try {
      const { bytes, outcome } = await answered(call);
      const seconds = (performance.now() - began) / 1000;
      calls.record({ outcome, seconds, requestBytes: call.request.length, responseBytes: bytes.length });
      logger.debug({ outcome, ms: Math.round(seconds * 1000), bytes: bytes.length }, 'call');
      done(null, bytes);
    } catch (err) {
      logger.error({ err }, 'call broke');
      if (err instanceof SlipwayError) return done({ code: status.UNAVAILABLE, details: err.message });
      done({ code: status.INTERNAL, details: 'cannot answer: an internal error; see the log of the function' });
    }
  };
  server.addService(SERVICE, {
    runFunction: (call: Call, done: sendUnaryData<Uint8Array>) => void respond(call, done),
  });
}

/** Milliseconds since 1970. */
function timeOf(metadata: Metadata, clock: Flags['clock']): number {
  const [text] = clock === 'request' ? metadata.get(NOW_METADATA) : [];
  const time = new Date(String(text)).getTime();
  return Number.isNaN(time) ? Date.now() : time;
}
