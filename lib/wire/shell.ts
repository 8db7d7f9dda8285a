/** Around one call: decodes the request, runs the function, and turns whatever it throws into a fatal result. */
import {
  RunFunctionResponse as Message,
  type RunFunctionRequest,
  type RunFunctionResponse,
  Target,
} from '@crossplane-org/function-sdk-typescript';
import type { Logger } from 'pino';
import { SlipwayError } from '#lib/api/errors.ts';
import { CONDITION, TTL } from '#lib/api/words.ts';
import { requestOf } from './decode.ts';
import type { CompositionFunction } from '#lib/fn/function.ts';
import { refused } from '#lib/fn/refused.ts';
import type { ReplyData } from '#lib/fn/reply.ts';
import type { Request } from '#lib/fn/request.ts';
import { encodeCondition, encodeReply, SEVERITY } from './reply.ts';
import { decodeRequest } from './request.ts';
import type { World } from '#lib/fn/world.ts';

/** What a client of gRPC accepts by default, Crossplane's included: it sets no size of its own. */
export const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/** accepted · refused: the claim or what was observed cannot be accepted · failed: a defect of the function */
export type CallOutcome = 'accepted' | 'refused' | 'failed';

export interface Answered {
  /** A RunFunctionResponse, encoded. */
  readonly bytes: Uint8Array;
  readonly outcome: CallOutcome;
}

export interface Shell {
  readonly run: CompositionFunction;
  readonly logger: Logger;
  /** Seconds a settled answer lives; undefined: as long as the function says. */
  readonly ttl?: number | undefined;
}

/** Answers one encoded request. Never throws: without a response the caller could not report the reason. */
export async function answer(shell: Shell, bytes: Uint8Array, world: World): Promise<Answered> {
  let message: RunFunctionRequest | undefined;
  try {
    message = requestOf(bytes);
    return { bytes: await accepted(shell, message, world), outcome: 'accepted' };
  } catch (thrown) {
    return refusedAnswer(message, SlipwayError.from(thrown), shell.logger);
  }
}

/** What the function answers to a request it accepts. Throws what the function throws. */
export async function decide(run: CompositionFunction, request: Request, world: World): Promise<ReplyData> {
  const reply = await run(request, world);
  reply.condition(CONDITION.claimAccepted, true, 'Accepted');
  return reply.build();
}

async function accepted(shell: Shell, message: RunFunctionRequest, world: World): Promise<Uint8Array> {
  const request = decodeRequest(message);
  const response = encodeReply(request, withTtl(await decide(shell.run, request, world), shell.ttl));
  keepConnectionDetails(message, response);
  const bytes = Message.encode(response).finish();
  if (bytes.length < MAX_ANSWER_BYTES) return bytes;
  throw new SlipwayError(
    'Unsupported',
    `cannot answer: the response has ${bytes.length} bytes, but Crossplane accepts fewer than ${MAX_ANSWER_BYTES}; compose fewer or smaller resources`,
  );
}

/** One under way keeps its own, shorter wish. */
function withTtl(reply: ReplyData, ttl: number | undefined): ReplyData {
  return ttl === undefined || reply.ttl !== TTL.settled ? reply : { ...reply, ttl };
}

/** The XR's connection details belong to other steps: they go on as they came. */
function keepConnectionDetails(message: RunFunctionRequest, response: RunFunctionResponse): void {
  const details = message.desired?.composite?.connectionDetails;
  const composite = response.desired?.composite;
  if (details !== undefined && composite !== undefined) composite.connectionDetails = details;
}

/** A fatal result stops Crossplane before it deletes or applies anything; the desired state goes back as it came. */
function refusedAnswer(message: RunFunctionRequest | undefined, error: SlipwayError, logger: Logger): Answered {
  const { defect, reason, message: text, condition, context, ttl } = refused(error, message?.context);
  if (defect) logger.error({ err: error.cause ?? error }, 'call failed');
  else logger.debug({ code: error.code }, 'call refused');
  const response: RunFunctionResponse = Message.fromPartial({
    meta: { tag: message?.meta?.tag ?? '', ttl: { seconds: ttl, nanos: 0 } },
    results: [{ severity: SEVERITY.Fatal, message: text, reason, target: Target.TARGET_COMPOSITE }],
    conditions: [encodeCondition(condition)],
  });
  const whole = Message.encode({ ...response, desired: message?.desired, context }).finish();
  // Crossplane reads no desired state beside a fatal result, and nothing at all of an answer over its limit.
  const bytes = whole.length < MAX_ANSWER_BYTES ? whole : Message.encode(response).finish();
  return { bytes, outcome: defect ? 'failed' : 'refused' };
}
