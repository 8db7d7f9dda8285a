/** The error for a field whose value is not accepted although its schema is valid. */
import { type ErrorCode, SlipwayError } from './errors.ts';
import { show } from './issues.ts';
import { oneOf } from './nearest.ts';

/**
 * @param what  the document: `Cluster "team-a/prod"`
 * @param field  its dotted path
 * @param value  what stands there; undefined when nothing does
 * @param accepted  what would do, without the word "accepted"; a list of names also says which was probably meant
 */
export function refusal(
  what: string,
  field: string,
  value: unknown,
  accepted: string | readonly string[],
  code: ErrorCode = 'InvalidClaim',
): SlipwayError {
  const fault = value === undefined ? 'is required' : `${show(value)} is not accepted`;
  return refusalFor(
    what,
    field,
    `${fault}; accepted: ${typeof accepted === 'string' ? accepted : oneOf(value, accepted)}`,
    code,
  );
}

/**
 * The same where something else is wrong than the value alone.
 * @param reason what is wrong, and what would be accepted
 */
export function refusalFor(
  what: string,
  field: string,
  reason: string,
  code: ErrorCode = 'InvalidClaim',
): SlipwayError {
  return new SlipwayError(code, `cannot accept ${what}: ${field}: ${reason}`, { field, reason });
}
