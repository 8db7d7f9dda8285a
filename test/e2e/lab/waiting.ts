/** Waiting for something outside this process, with a limit and the last reason why it was not so. */

export class Impatience extends Error {}

/** What a check found: the thing waited for, or a few words on why it is not there yet. */
export type Look<T> = { readonly found: T } | { readonly yet: string };

/** A machine that is busy with something else is given that many times as long before a case gives up. */
const SLOWER = 3;

export interface Patience {
  /** On a machine that does nothing else. */
  readonly seconds: number;
  /** Users are promised these seconds: no machine is given more. @default false */
  readonly promised?: boolean;
  /** Milliseconds between looks. @default 250 */
  readonly every?: number;
}

/** Looks until it is found. A check that throws has not found it; throws Impatience with the last reason. */
export async function until<T>(
  what: string,
  { seconds, promised = false, every = 250 }: Patience,
  look: () => Look<T> | Promise<Look<T>>,
): Promise<T> {
  const limit = promised ? seconds : seconds * SLOWER;
  const end = Date.now() + limit * 1000;
  for (;;) {
    const seen = await lookOnce(look);
    if ('found' in seen) return seen.found;
    if (Date.now() > end) throw new Impatience(`${what}: not within ${limit} s: ${seen.yet}`);
    await pause(every);
  }
}

export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

async function lookOnce<T>(look: () => Look<T> | Promise<Look<T>>): Promise<Look<T>> {
  try {
    return await look();
  } catch (thrown) {
    return { yet: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}
