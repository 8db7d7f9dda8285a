/** The line that refuses a field whose schema is right and whose value is not. */
import { type ErrorCode, SlipwayError } from './errors.ts';

/**
 * @param what  the document: `Cluster "team-a/prod"`
 * @param field  its dotted path
 * @param accepted  what would do, without the word "accepted"
 */
export function refusal(
  what: string,
  field: string,
  value: unknown,
  accepted: string,
  code: ErrorCode = 'InvalidClaim',
): SlipwayError {
  return new SlipwayError(
    code,
    `cannot accept ${what}: ${field}: ${JSON.stringify(value)} is not accepted; accepted: ${accepted}`,
  );
}
