import { messageOf } from '#lib/api/errors.ts';
/** Waiting for something outside this process, with a time limit and the last reason why it was not ready. */

export class WaitTimeout extends Error {}

/** The result of a check: the awaited value, or a few words on why it is not there yet. */
export type Look<T> = { readonly found: T } | { readonly yet: string };

/** On a busy machine a case waits that many times as long before it fails. */
const SLOWER = 3;

export interface WaitOptions {
  /** On a machine without other work. */
  readonly seconds: number;
  /** Milliseconds between checks. @default 250 */
  readonly every?: number;
}

/**
 * Repeats the check until it succeeds. A check that throws has not succeeded; throws with the last reason after the
 * time limit.
 */
export async function until<T>(
  what: string,
  { seconds, every = 250 }: WaitOptions,
  look: () => Look<T> | Promise<Look<T>>,
): Promise<T> {
  const limit = seconds * SLOWER;
  const end = Date.now() + limit * 1000;
  for (;;) {
    const seen = await lookOnce(look);
    if ('found' in seen) return seen.found;
    if (Date.now() > end) throw new WaitTimeout(`${what}: not within ${limit} s: ${seen.yet}`);
    await pause(every);
  }
}

export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

async function lookOnce<T>(look: () => Look<T> | Promise<Look<T>>): Promise<Look<T>> {
  try {
    return await look();
  } catch (thrown) {
    return { yet: messageOf(thrown) };
  }
}
