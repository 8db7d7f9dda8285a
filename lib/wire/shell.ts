/** Around one call: decodes the request, runs the function, and turns whatever it throws into a fatal result. */
import type { Logger } from 'pino';
import { SlipwayError } from '#lib/api/errors.ts';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { CONDITION, TTL } from '#lib/api/words.ts';
import type { CompositionFunction } from '#lib/fn/function.ts';
import { errorWithoutSecrets, withoutSecrets } from '#lib/fn/masking/told.ts';
import { refused } from '#lib/fn/refused.ts';
import type { ReplyData } from '#lib/fn/reply.ts';
import type { Request } from '#lib/fn/request.ts';
import type { World } from '#lib/fn/world.ts';
import { contextIn, type Incoming, incoming, readDesired, requestIn } from './incoming.ts';
import { encodeRefused, encodeReply, NOTHING_CAME } from './reply.ts';

/** What a client of gRPC accepts by default, Crossplane's included: it sets no size of its own. */
export const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/** accepted · refused: the claim or what was observed cannot be accepted · failed: a defect of the function · ended: took too much */
export type CallOutcome = 'accepted' | 'refused' | 'failed' | 'ended';

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
  let message: Incoming | undefined;
  try {
    message = incoming(bytes);
    return { bytes: await accepted(shell, message, world), outcome: 'accepted' };
  } catch (thrown) {
    return refusedAnswer(message, SlipwayError.from(thrown), shell.logger);
  }
}

/** Answers a request whose call was ended at a limit of time or memory. The log names its object, for the owner of it. */
export function endedAnswer(bytes: Uint8Array, error: SlipwayError, logger: Logger): Answered {
  try {
    const message = incoming(bytes);
    const { kind, metadata } = requestIn(message).observed.composite;
    logger.error({ kind, namespace: metadata?.namespace, name: metadata?.name }, error.message);
    return { ...refusedAnswer(message, error, logger), outcome: 'ended' };
  } catch {
    return { ...refusedAnswer(undefined, error, logger), outcome: 'ended' };
  }
}

/** What the function answers to a request it accepts. Throws what the function throws. Neither tells a secret. */
export async function decide(run: CompositionFunction, request: Request, world: World): Promise<ReplyData> {
  try {
    const reply = await run(request, world);
    if (!reply.refuses) reply.condition(CONDITION.claimAccepted, true, 'Accepted');
    return withoutSecrets(reply.build(), request);
  } catch (thrown) {
    throw errorWithoutSecrets(thrown, request);
  }
}

async function accepted(shell: Shell, message: Incoming, world: World): Promise<Uint8Array> {
  const request = requestIn(message);
  const { composite } = request.observed;
  const bytes = encodeReply(message, composite, withTtl(await decide(shell.run, request, world), shell.ttl));
  refuseLarge(bytes);
  return bytes;
}

/** Replies with fewer resources are not measured in process: these would have 14 kB each. */
const MANY_RESOURCES = 300;

/** The same of a reply that stays in this process, where nobody needs its bytes. Throws SlipwayError Unsupported. */
export function refuseLargeReply(composite: KubeObject, reply: ReplyData): void {
  if (reply.resources.size >= MANY_RESOURCES) refuseLarge(encodeReply(NOTHING_CAME, composite, reply));
}

function refuseLarge(bytes: Uint8Array): void {
  if (bytes.length < MAX_ANSWER_BYTES) return;
  throw new SlipwayError(
    'Unsupported',
    `cannot answer: the response has ${bytes.length} bytes, but Crossplane accepts fewer than ${MAX_ANSWER_BYTES}; compose fewer or smaller resources`,
  );
}

/** One under way keeps its own, shorter wish. */
function withTtl(reply: ReplyData, ttl: number | undefined): ReplyData {
  return ttl === undefined || reply.ttl !== TTL.settled ? reply : { ...reply, ttl };
}

/** A fatal result stops Crossplane before it deletes or applies anything; the desired state goes back as it came. */
function refusedAnswer(message: Incoming | undefined, error: SlipwayError, logger: Logger): Answered {
  const whole = refused(error, contextOf(message));
  const { defect } = whole;
  if (defect) logger.error({ err: error.cause ?? error }, 'call failed');
  else logger.debug({ code: error.code }, 'call refused');
  const bytes = encodeRefused(message, whole, error.code !== 'BrokenContract' || isDesiredSound(message));
  // Crossplane reads no desired state beside a fatal result, and nothing at all of an answer over its limit.
  const kept = bytes.length < MAX_ANSWER_BYTES ? bytes : encodeRefused(message, whole, false);
  return { bytes: kept, outcome: defect ? 'failed' : 'refused' };
}

/** What cannot be read is not repeated: the caller could not read the refusal. */
function isDesiredSound(message: Incoming | undefined): boolean {
  try {
    if (message !== undefined) readDesired(message);
    return true;
  } catch {
    return false;
  }
}

function contextOf(message: Incoming | undefined): JsonObject | undefined {
  try {
    return message === undefined ? undefined : contextIn(message);
  } catch {
    // The refusal says so.
    return undefined;
  }
}
