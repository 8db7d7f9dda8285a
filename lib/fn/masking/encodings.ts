/**
 * The ways in which first-boot data, manifests and scripts write text, a row each. Texts are bytes here: one character
 * for each, as in latin1.
 */
import { gunzipSync } from 'node:zlib';

/** Begin and end of a part of a text. */
export type Range = readonly [begin: number, end: number];

export interface Layer {
  readonly text: string;
  /** Where a part of it is in the text around it. */
  readonly place: (range: Range) => Range;
}

/** What a text contains in this encoding. */
export type Encoding = (text: string) => readonly Layer[];

export type Encodings = Readonly<Record<string, Encoding>>;

/** Bytes of unzipped data that are looked at; more would be an attack. */
const MOST = 32 * 1024 * 1024;

export const ENCODINGS: Encodings = {
  // Also URL-safe; a word may begin before the encoded text, such as a path, hence at four places.
  base64: words(/[A-Za-z0-9+/_-]{8,}={0,2}/g, (word) =>
    [0, 1, 2, 3].map((begin) => bytes(word.slice(begin), 'base64')),
  ),
  wrapped: words(/(?<![A-Za-z0-9+/])(?:[A-Za-z0-9+/]{4,}\s*\n\s*)+(?:[A-Za-z0-9+/]+={0,2}(?![\w+/:=.-]))?/g, (word) => [
    bytes(word.replaceAll(/\s/g, ''), 'base64'),
  ]),
  hex: words(/[0-9a-fA-F]{12,}/g, (word) => [0, 1].map((begin) => bytes(word.slice(begin), 'hex'))),
  gzip: (text) => [unzipped(text)].flatMap((inside) => (inside === undefined ? [] : [whole(inside, [0, text.length])])),
  percent: escapes(/%(?<code>[0-9a-fA-F]{2})/g),
  // JSON, YAML, TOML, systemd, and shells between double quotes.
  backslash: escapes(/\\(?:u(?<wide>[0-9a-fA-F]{4})|x(?<code>[0-9a-fA-F]{2})|(?<letter>[^]))/g),
  // PowerShell.
  backtick: escapes(/`(?<letter>[^])/g),
  // Quotes between quotes: of shells; of YAML and PowerShell.
  quotes: escapes(/(?<letter>')(?:\\''|"'"')|(?<same>['"])\k<same>/g),
  // Units of systemd.
  doubled: escapes(/(?<letter>[%$])\k<letter>/g),
};

function bytes(word: string, encoding: 'base64' | 'hex'): string {
  return Buffer.from(word, encoding).toString('latin1');
}

function unzipped(text: string): string | undefined {
  if (!text.startsWith('\u001F\u008B')) return undefined;
  try {
    return gunzipSync(Buffer.from(text, 'latin1'), { maxOutputLength: MOST }).toString('latin1');
  } catch {
    return undefined;
  }
}

function whole(text: string, range: Range): Layer {
  return { text, place: () => range };
}

/** Words that are encoded as a whole. */
function words(pattern: RegExp, decoded: (word: string) => readonly string[]): Encoding {
  return (text) =>
    [...text.matchAll(pattern)].flatMap(({ 0: word, index }) =>
      decoded(word).map((inside) => whole(inside, [index, index + word.trimEnd().length])),
    );
}

/** Text with single characters that are written in another way. */
function escapes(pattern: RegExp): Encoding {
  return (text) => {
    const ends: number[] = [];
    let [plain, end] = ['', 0];
    const add = (part: string, endOf: (index: number) => number): void => {
      plain += part;
      for (const index of Array(part.length).keys()) ends.push(endOf(index));
    };
    for (const { 0: escape, index, groups = {} } of text.matchAll(pattern)) {
      const begin = end;
      add(text.slice(begin, index), (at) => begin + at + 1);
      end = index + escape.length;
      const stop = end;
      add(plainOf(groups), () => stop);
    }
    if (end === 0) return [];
    const rest = end;
    add(text.slice(rest), (at) => rest + at + 1);
    return [{ text: plain, place: ([from, to]) => [ends[from - 1] ?? 0, ends[to - 1] ?? 0] }];
  };
}

const LETTERS: Readonly<Record<string, string>> = { '\n': '', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

function plainOf({ code, wide, letter, same }: Readonly<Record<string, string | undefined>>): string {
  if (code !== undefined) return String.fromCharCode(parseInt(code, 16));
  if (wide !== undefined) return Buffer.from(String.fromCharCode(parseInt(wide, 16))).toString('latin1');
  return same ?? LETTERS[letter ?? ''] ?? letter ?? '';
}
