/** What a function answers when it refuses: the same whether a caller asks over gRPC or in process. */
import type { Condition } from '#lib/api/conditions.ts';
import { refusalOf } from '#lib/api/contracts/refusal.ts';
import type { SlipwayError } from '#lib/api/errors.ts';
import type { JsonObject } from '#lib/api/json.ts';
import { asMessage } from '#lib/api/shortened.ts';
import { CONDITION, CONTEXT } from '#lib/api/words.ts';

export interface Refused {
  /** True for a defect of the function; the request may be right. */
  readonly defect: boolean;
  /** One word, for Crossplane's event: the error's code. */
  readonly reason: string;
  /** The inside of a defect is for the log alone. */
  readonly message: string;
  readonly condition: Condition;
  /** The context as it came and, but for a defect, the refusal for programs. */
  readonly context: JsonObject | undefined;
  /** Seconds until Crossplane should ask again. */
  readonly ttl: number;
}

/** @param context  of the request; undefined where the request itself could not be decoded */
export function refused(error: SlipwayError, context: JsonObject | undefined): Refused {
  const { code: reason } = error;
  const defect = reason === 'Internal';
  const message = defect ? 'cannot answer: an internal error; see the log of the function' : asMessage(error.message);
  return {
    defect,
    reason,
    message,
    condition: { type: CONDITION.claimAccepted, status: 'False', reason, message },
    context: defect ? context : { ...context, [CONTEXT.refusal]: refusalOf(error) },
    ttl: 60,
  };
}
