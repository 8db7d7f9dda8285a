/**
 * Parts of texts that are as long as a window, by their hashes: 8 bytes for each character, however many parts there
 * are. Two parts with the same hash would mask more, never less.
 */

/** Characters of a long secret that tell nothing alone, and more. */
export const PART = 16;

/** Odd, and with bits everywhere: all of a hash changes with each character. */
const FACTORS = [0x9e3779b1, 0x85ebca6b] as const;
const LAST = FACTORS.map((factor) =>
  Array.from({ length: PART }).reduce<number>((power) => Math.imul(power, factor), 1),
);

/** A number of 53 bits for each window of a text, in order. */
function hashesOf(text: string): Float64Array {
  const hashes = new Float64Array(Math.max(0, text.length - PART + 1));
  const [[one, other], [lastOne = 0, lastOther = 0]] = [FACTORS, LAST];
  let [high, low] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const came = text.charCodeAt(at);
    const left = at < PART ? 0 : text.charCodeAt(at - PART);
    high = (Math.imul(high, one) + came - Math.imul(left, lastOne)) | 0;
    low = (Math.imul(low, other) + came - Math.imul(left, lastOther)) | 0;
    if (at >= PART - 1) hashes[at - PART + 1] = (high >>> 0) * 2 ** 21 + (low >>> 11);
  }
  return hashes;
}

/** Where windows of these texts begin in a text. */
export function windowsOf(texts: readonly string[]): (text: string) => readonly number[] {
  const each = texts.map(hashesOf);
  const known = new Float64Array(each.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const hashes of each) {
    known.set(hashes, end);
    end += hashes.length;
  }
  known.sort();
  if (end === 0) return () => [];
  return (text) => {
    const found: number[] = [];
    for (const [at, hash] of hashesOf(text).entries()) if (has(known, hash)) found.push(at);
    return found;
  };
}

function has(sorted: Float64Array, wanted: number): boolean {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((sorted[middle] ?? 0) < wanted) from = middle + 1;
    else to = middle;
  }
  return sorted[from] === wanted;
}
