/**
 * Messages from bytes, JSON of any sensible depth included. The SDK's generated code stops at 100 nested messages,
 * which are 32 levels of JSON, with an error that names nothing; pod templates inside custom resources come close.
 */
import { BinaryReader } from '@bufbuild/protobuf/wire';
import { RunFunctionRequest, RunFunctionResponse } from '@crossplane-org/function-sdk-typescript';
import { SlipwayError } from '#lib/api/errors.ts';

/** Levels of JSON in one message. Deep enough for every Kubernetes object, and far from the end of the stack. */
export const MAX_LEVELS = 200;
const MESSAGES_PER_LEVEL = 3;

/** Throws BrokenContract at bytes that are not a request. */
export function requestOf(bytes: Uint8Array): RunFunctionRequest {
  return decoded('request', () => RunFunctionRequest.decode(new DeepReader(bytes)));
}

/** Throws BrokenContract at bytes that are not an answer. */
export function responseOf(bytes: Uint8Array): RunFunctionResponse {
  return decoded('answer', () => RunFunctionResponse.decode(new DeepReader(bytes)));
}

function decoded<T>(what: string, decode: () => T): T {
  try {
    return decode();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SlipwayError('BrokenContract', `cannot read the ${what}: ${reason}`, { cause });
  }
}

class DeepReader extends BinaryReader {
  #depth = 0;

  // The generated code keeps its count here: it reads it, writes one more on the way into a message, and what it
  // read on the way out. Reading always 0 keeps its own limit away; the writes tell the true depth.
  get __tsProtoDecodeDepth(): number {
    return 0;
  }

  set __tsProtoDecodeDepth(count: number) {
    this.#depth += count === 0 ? -1 : 1;
    if (this.#depth > MAX_LEVELS * MESSAGES_PER_LEVEL)
      throw new RangeError(`its JSON is nested deeper than ${MAX_LEVELS} levels`);
  }
}
