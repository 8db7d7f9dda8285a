/** Where secrets that are known are in a text. What it costs grows with their bytes, not with how many there are. */
import type { Range } from './encodings.ts';
import { PART, windowsOf } from './windows.ts';

/** A shorter secret is masked where it is a word. */
const SHORT = 6;

/** @param secrets  in latin1, of two characters and more; of a long one, its parts are found, too */
export function knownIn(secrets: readonly string[]): (text: string) => readonly Range[] {
  const begins = windowsOf(secrets.filter(({ length }) => length >= PART));
  const short = shortOf(secrets.filter(({ length }) => length < PART));
  return (text) => [...short(text), ...begins(text).map((at) => [at, at + PART] as const)];
}

type ByLength = Map<number, Set<string>>;

/** They are looked up by their first two characters, then by the lengths that there are with these. */
function shortOf(secrets: readonly string[]): (text: string) => readonly Range[] {
  const heads = new Map<number, ByLength>();
  for (const secret of secrets.filter(({ length }) => length > 1)) {
    const byLength: ByLength = heads.get(headAt(secret, 0)) ?? new Map<number, Set<string>>();
    byLength.set(secret.length, (byLength.get(secret.length) ?? new Set()).add(secret));
    heads.set(headAt(secret, 0), byLength);
  }
  if (heads.size === 0) return () => [];
  return (text) => {
    const places: Range[] = [];
    for (let at = 0; at < text.length - 1; at += 1)
      for (const [length, some] of heads.get(headAt(text, at)) ?? [])
        if (some.has(text.slice(at, at + length)) && (length >= SHORT || isWord(text, at, at + length)))
          places.push([at, at + length]);
    return places;
  };
}

const headAt = (text: string, at: number): number => text.charCodeAt(at) * 256 + text.charCodeAt(at + 1);

function isWord(text: string, begin: number, end: number): boolean {
  return [text[begin - 1], text[end]].every((beside) => !/\w/.test(beside ?? ''));
}
