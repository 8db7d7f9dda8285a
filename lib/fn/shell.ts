/** Around one call: builds the world, runs the function, and turns whatever it throws into a fatal result. */
import {
  RunFunctionResponse as Message,
  type RunFunctionRequest,
  type RunFunctionResponse,
  Target,
} from '@crossplane-org/function-sdk-typescript';
import type { Logger } from 'pino';
import { SlipwayError } from '#lib/api/errors.ts';
import { CONDITION } from '#lib/api/words.ts';
import type { CompositionFunction } from './function.ts';
import type { Reply } from './reply.ts';
import { encodeCondition, encodeReply, SEVERITY } from './wire-reply.ts';
import { decodeRequest } from './wire-request.ts';
import type { World } from './world.ts';

/** What a client of gRPC accepts by default, Crossplane's included: it sets no size of its own. */
export const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

export type Outcome = 'accepted' | 'refused' | 'failed';

export interface Answered {
  readonly response: RunFunctionResponse;
  readonly outcome: Outcome;
  readonly bytes: number;
}

/** Answers one call. Never throws: a caller that got no answer could not tell its user why. */
export async function answer(
  run: CompositionFunction,
  message: RunFunctionRequest,
  world: World,
  logger: Logger,
): Promise<Answered> {
  try {
    const request = decodeRequest(message);
    const reply = await run(request, world);
    accept(reply);
    const response = encodeReply(request, reply.build());
    const bytes = Message.encode(response).finish().length;
    if (bytes < MAX_ANSWER_BYTES) return { response, outcome: 'accepted', bytes };
    throw new SlipwayError(
      'Unsupported',
      `cannot answer: the answer has ${bytes} bytes, Crossplane accepts fewer than ${MAX_ANSWER_BYTES}; compose fewer or smaller resources`,
    );
  } catch (thrown) {
    return refuse(message, SlipwayError.from(thrown), logger);
  }
}

function accept(reply: Reply): void {
  reply.condition(CONDITION.claimAccepted, true, 'Accepted');
}

/** A fatal result stops Crossplane before it deletes or applies anything; the desired state goes back as it came. */
function refuse(message: RunFunctionRequest, error: SlipwayError, logger: Logger): Answered {
  const defect = error.code === 'Internal';
  const text = defect ? 'cannot answer: an internal error; the function’s log has it' : error.message;
  if (defect) logger.error({ err: error.cause ?? error }, 'call failed');
  else logger.debug({ code: error.code }, 'call refused');
  const response = Message.fromPartial({
    meta: { tag: message.meta?.tag ?? '', ttl: { seconds: 60, nanos: 0 } },
    desired: message.desired,
    context: message.context,
    results: [{ severity: SEVERITY.Fatal, message: text, reason: error.code, target: Target.TARGET_COMPOSITE }],
    conditions: [
      encodeCondition({ type: CONDITION.claimAccepted, status: 'False', reason: error.code, message: text }),
    ],
  });
  return { response, outcome: defect ? 'failed' : 'refused', bytes: Message.encode(response).finish().length };
}
