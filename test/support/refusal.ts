/** The refusal of an edit, with which a call goes on as before, as an error. */
import { Refusal } from '#lib/api/contracts/refusal.ts';
import { type ErrorCode, SlipwayError } from '#lib/api/errors.ts';
import { CONDITION, CONTEXT } from '#lib/api/words.ts';
import type { ReplyData } from '#lib/fn/reply.ts';

/** Throws the refusal that the reply tells. */
export function orRefusal(reply: ReplyData): ReplyData {
  const refusal = Refusal.safeParse(reply.context[CONTEXT.refusal]).data;
  const said = reply.conditions.find(({ type }) => type === CONDITION.claimAccepted);
  if (refusal === undefined || said === undefined) return reply;
  const { field, reason } = refusal;
  throw new SlipwayError(said.reason as ErrorCode, said.message ?? '', { field, reason });
}
