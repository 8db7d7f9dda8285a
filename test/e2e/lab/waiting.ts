/** Waiting for something outside this process, with a limit and the last reason why it was not so. */

export class Impatience extends Error {}

/** What a check found: the thing waited for, or a few words on why it is not there yet. */
export type Look<T> = { readonly found: T } | { readonly yet: string };

export interface Patience {
  readonly seconds: number;
  /** Milliseconds between looks. @default 250 */
  readonly every?: number;
}

/** Looks until it is found. A check that throws has not found it; throws Impatience with the last reason. */
export async function until<T>(
  what: string,
  { seconds, every = 250 }: Patience,
  look: () => Look<T> | Promise<Look<T>>,
): Promise<T> {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const seen = await lookOnce(look);
    if ('found' in seen) return seen.found;
    if (Date.now() > end) throw new Impatience(`${what}: not within ${seconds} s: ${seen.yet}`);
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
