/** Names the field that the author of a claim wrote, where an id is that of a managed resource which the claim names. */
import { SlipwayError } from '#lib/api/errors.ts';
import { refusalFor } from '#lib/api/refusal.ts';

/** Fields that the author wrote, by those that a resolved claim has instead: `….network.ref` by `….network.id`. */
export type ReferenceFields = ReadonlyMap<string, string>;

/** The same refusal of the field that the author wrote. @param owner name of the claim in messages */
export function asWritten(error: SlipwayError, written: ReferenceFields, owner: string): SlipwayError {
  const field = error.field === undefined ? undefined : written.get(error.field);
  if (field === undefined) return error;
  return refusalFor(owner, field, error.reason ?? error.message, error.code);
}

/** What a function gives; what it refuses is refused as written. */
export function inItsWords<T>(written: ReferenceFields, owner: string, judge: () => T): T {
  try {
    return judge();
  } catch (thrown) {
    throw thrown instanceof SlipwayError ? asWritten(thrown, written, owner) : thrown;
  }
}
