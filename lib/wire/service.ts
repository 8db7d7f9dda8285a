/** The function as a gRPC service: one call in, one answer out, each counted; a call never ends in a broken stream. */
import { type Metadata, type sendUnaryData, type Server, type ServerUnaryCall, status } from '@grpc/grpc-js';
import { SlipwayError } from '#lib/api/errors.ts';
import { NOW_METADATA, RUN_FUNCTION } from './method.ts';
import type { Flags } from './flags.ts';
import type { Calls } from './calls.ts';
import { answer, type Shell } from './shell.ts';
import type { Threads } from './threads.ts';
import { realWorld, type World } from '#lib/fn/world.ts';

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

/** @param threads for large calls */
export function addFunction(
  server: Server,
  shell: Shell,
  clock: Flags['clock'],
  calls: Calls,
  threads: Pick<Threads, 'answer'>,
): void {
  const { logger } = shell;
  const respond = async (call: Call, done: sendUnaryData<Uint8Array>): Promise<void> => {
    const began = performance.now();
    try {
      const { request } = call;
      const world = worldOf(call.metadata, clock);
      const { bytes, outcome } =
        request.length < LARGE
          ? await answer(shell, request, world)
          : await threads.answer({ bytes: request, now: world.now.getTime() }, () => !call.cancelled);
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

function worldOf(metadata: Metadata, clock: Flags['clock']): World {
  const world = realWorld();
  if (clock !== 'request') return world;
  const [text] = metadata.get(NOW_METADATA);
  const now = new Date(String(text));
  return Number.isNaN(now.getTime()) ? world : { ...world, now };
}
