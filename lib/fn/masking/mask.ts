/**
 * Masks secrets that are known, wherever and however they are written: in every encoding, and in encodings within
 * encodings. A part of a long secret is masked, too.
 */
import { ENCODINGS, type Encodings, type Range } from './encodings.ts';
import { knownIn } from './known.ts';

export type Mask = (text: string) => string;

/** What stands where a secret was. */
export const MASKED = 'masked';

/** A private key is secret whoever made it; its end may be cut off. */
const PRIVATE_KEY =
  /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY-----\s*(?<value>\S[^]*?)\s*(?:-----END (?:[A-Z0-9]+ )*PRIVATE KEY-----|$)/dg;

export interface Looks {
  /** Secret by their form: each has the group `value` and the flags d and g. */
  readonly patterns?: readonly RegExp[];
  readonly encodings?: Encodings;
}

/** @param secrets  in latin1: one character for each byte */
export function maskOf(secrets: Iterable<string>, { patterns = [], encodings = ENCODINGS }: Looks = {}): Mask {
  const look = finderOf(secrets, [PRIVATE_KEY, ...patterns], Object.values(encodings));
  return (text) => {
    const bytes = Buffer.from(text).toString('latin1');
    const ranges = look(bytes);
    if (ranges.length === 0) return text;
    const kept = [...ranges, [bytes.length, bytes.length] as const].map(([begin], index) =>
      bytes.slice(ranges[index - 1]?.[1] ?? 0, begin),
    );
    return Buffer.from(kept.join(MASKED), 'latin1').toString();
  };
}

type Finder = (text: string) => readonly Range[];

/** A text that was looked into: escapes in another order often give the same. */
type Seen = Map<string, { readonly depth: number; readonly ranges: readonly Range[] }>;

/** Encodings within encodings that are looked into. */
const DEPTH = 6;

function finderOf(
  secrets: Iterable<string>,
  patterns: readonly RegExp[],
  encodings: readonly Encodings[string][],
): Finder {
  const finders = [knownIn([...new Set(secrets)]), ...patterns.map(matchesOf)];
  const look = (text: string, depth: number, seen: Seen): readonly Range[] => {
    const before = seen.get(text);
    if (before !== undefined && before.depth >= depth) return before.ranges;
    const here = finders.flatMap((find) => find(text));
    const layers = depth === 0 || !isReadable(text) ? [] : encodings.flatMap((encoding) => encoding(text));
    const inside = layers.flatMap((layer) => look(layer.text, depth - 1, seen).map(layer.place));
    const ranges = joined([...here, ...inside]);
    seen.set(text, { depth, ranges });
    return ranges;
  };
  return (text) => look(text, DEPTH, new Map());
}

/** Whether something may be encoded in it: it is text, or zipped. Keys and random bytes are neither. */
function isReadable(text: string): boolean {
  // oxlint-disable-next-line no-control-regex
  return text.startsWith('\u001F\u008B') || !/[\0-\u0008\u000E-\u001F]/.test(text);
}

function matchesOf(pattern: RegExp): Finder {
  return (text) =>
    [...text.matchAll(pattern)].flatMap(({ indices }) => {
      const range = indices?.groups?.['value'];
      return range === undefined ? [] : [range];
    });
}

function joined(ranges: readonly Range[]): readonly Range[] {
  const all: Range[] = [];
  for (const [begin, end] of ranges.toSorted((one, other) => one[0] - other[0])) {
    const last = all.at(-1);
    if (last === undefined || begin > last[1]) all.push([begin, end]);
    else all[all.length - 1] = [last[0], Math.max(last[1], end)];
  }
  return all;
}
