/** The name that was probably meant by one that nobody knows, for every message that refuses a name. */
import { otherWord } from './other-words.ts';

/** `; did you mean "replicas"?`, to end a message with; empty if none was meant, or several may have been. */
export function didYouMean(wrote: unknown, names: Iterable<string>): string {
  const all = [...names];
  const meant =
    nearest(wrote, all) ??
    (typeof wrote === 'string' ? (otherNumber(wrote, all) ?? otherWord(wrote, all) ?? byEnd(wrote, all)) : undefined);
  return meant === undefined ? '' : `; did you mean "${meant}"?`;
}

/** What is accepted, in the order given, and of several what was probably meant: `kubeadm, k3s; did you mean "kubeadm"?` */
export function oneOf(wrote: unknown, names: readonly string[]): string {
  return `${names.join(', ')}${names.length > 1 ? didYouMean(wrote, names) : ''}`;
}

/** The names that begin most like it, or all of a few, and the one that was probably meant. @param others what the rest is */
export function alike(wrote: string, names: readonly string[], others: string): string {
  if (names.length <= FEW) return oneOf(wrote, names);
  const likeness = (name: string): number => {
    let length = wrote.length;
    while (!name.toLowerCase().startsWith(wrote.slice(0, length).toLowerCase())) length -= 1;
    return length;
  };
  const best = names.toSorted((a, b) => likeness(b) - likeness(a) || (a < b ? -1 : 1)).slice(0, 3);
  return `${best.join(', ')} and ${names.length - best.length} ${others}${didYouMean(wrote, names)}`;
}

/** Of more names than these, most are counted. */
const FEW = 12;

/** Undefined if no name is near, or several are equally near. */
export function nearest(wrote: unknown, names: Iterable<string>): string | undefined {
  if (typeof wrote !== 'string' || wrote.length > LONGEST) return undefined;
  const word = wrote.toLowerCase();
  const near = [...new Set(names)]
    .filter((name) => name !== wrote && Math.abs(name.length - wrote.length) <= tolerance(wrote, name))
    .map((name) => ({ name, distance: distance(word, name.toLowerCase()) }))
    .filter(({ name, distance: edits }) => edits <= tolerance(wrote, name))
    .toSorted((a, b) => a.distance - b.distance);
  const [best, second] = near;
  return best === undefined || best.distance === second?.distance ? undefined : best.name;
}

/** The plural of a word, or its singular: `classes` for `class`. */
function otherNumber(wrote: string, names: readonly string[]): string | undefined {
  const word = wrote.toLowerCase();
  return names.find((name) => plural(name.toLowerCase()) === word || plural(word) === name.toLowerCase());
}

/** Of a word whose plural has more than one letter more: one letter is a typing error. */
function plural(word: string): string {
  return `${word.replace(/(?<=[^aeiou])y$/, 'i')}es`;
}

/** The one name that ends with a word, as zones do: `a` for `eu-west-1a`. */
function byEnd(wrote: string, names: readonly string[]): string | undefined {
  const word = wrote.toLowerCase();
  const [first, ...others] = new Set(
    names.filter((name) => word !== '' && name.endsWith(word) && /[0-9-]$/.test(name.slice(0, -word.length))),
  );
  return others.length > 0 ? undefined : first;
}

/** Characters; a name that is longer is no name. */
const LONGEST = 100;

/** Typing errors in a word of this length: none in a word of three letters, one in seven, and at most three. */
function tolerance(a: string, b: string): number {
  return Math.min(3, Math.ceil((Math.max(a.length, b.length) - 3) / 4));
}

/** Characters to insert, drop or change, or neighbours to swap, that make one word of the other. */
export function distance(a: string, b: string): number {
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = at(row, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = isSwap ? at(before, j - 2) + 1 : Infinity;
      next.push(Math.min(at(row, j) + 1, at(next, j - 1) + 1, change, swap));
    }
    before = row;
    row = next;
  }
  return at(row, b.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}
