/** A fault of first boots that users would have met, and the program that shows it. */
import type { Checkout } from './checkout.ts';

export interface Case {
  readonly name: string;
  /** The program, and its version. */
  readonly judge: string;
  /** Why the judge is not available here; undefined if it is. */
  readonly missing: () => string | undefined;
  /** What the judge finds in payloads of this code. */
  readonly find: (code: Checkout) => Promise<string>;
  readonly now: string;
  /** What it found while the fault was there, or how that begins. */
  readonly before: string;
}

/** What the judge finds; the cause if the claim is refused. */
export async function findingOf({ find }: Case, code: Checkout): Promise<string> {
  try {
    return await find(code);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // Each checkout has its own class.
    if (error.name !== 'SlipwayError') return `an internal error: ${error.message.split('\n')[0]}`;
    return `refused: ${error.message.replace(/^cannot \w+ [^"]*"[^"]*": /, '')}`;
  }
}
