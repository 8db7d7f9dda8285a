/** Time and randomness, which a function gets as arguments and never from the machine it runs on. */
import { webcrypto } from 'node:crypto';

export interface World {
  /** The time of this call. Read once per call: a function never sees it move. */
  readonly now: Date;
  /** Fresh random bytes, for new secrets only. */
  readonly randomBytes: (length: number) => Uint8Array;
}

/** The real clock and the operating system's randomness. */
export function realWorld(): World {
  return { now: new Date(), randomBytes: (length) => webcrypto.getRandomValues(new Uint8Array(length)) };
}
