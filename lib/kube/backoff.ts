/** How long to wait before the next attempt, in seconds. */

/** A number from 0 up to 1. */
export type Random = () => number;

/** Between nothing and twice as much after each failure, so that many who failed together do not return together. */
export interface Jitter {
  readonly least: number;
  readonly most: number;
}

/** @param failures  in a row, from 1 */
export function jittered({ least, most }: Jitter, failures: number, random: Random): number {
  const bound = Math.min(most, least * 2 ** Math.min(failures, 30));
  return Math.max(least, bound * random());
}

/** Doubles from `least` to `most`. */
export function doubled({ least, most }: Jitter, failures: number): number {
  return Math.min(most, least * 2 ** Math.min(failures - 1, 30));
}
