/** What is wrong with bytes, in one line. */
import { messageOf, SlipwayError } from '#lib/api/errors.ts';

/** Throws BrokenContract for whatever reading throws. @param what  request or answer */
export function readable<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof SlipwayError) throw cause;
    throw new SlipwayError('BrokenContract', `cannot read the ${what}: ${messageOf(cause)}`, { cause });
  }
}
