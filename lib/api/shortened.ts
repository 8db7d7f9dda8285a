/** Lists within one line, cut short: a message names the first few and counts the rest. */

/** `a; b; c; and 2 more`: at most three sentences. */
export function atMostThree(sentences: readonly string[]): string {
  const shown = sentences.slice(0, 3);
  const more = sentences.length - shown.length;
  return [...shown, ...(more > 0 ? [`${CUT}${more} more`] : [])].join(SEPARATOR);
}

const SEPARATOR = '; ';
const CUT = 'and ';

/** Whether what `atMostThree` made says the sentence, or may have cut it off. */
export function maySay(text: string | undefined, sentence: string): boolean {
  return text !== undefined && (text.includes(sentence) || text.includes(`${SEPARATOR}${CUT}`));
}

/** `a, b and 2 more`. @param most how many are named */
export function firstNames(names: readonly string[], most: number): string {
  const shown = names.slice(0, most).join(', ');
  return names.length > most ? `${shown} and ${names.length - most} more` : shown;
}

/** Bytes of a message: conditions, events and terminals show it, and every XR above repeats it. */
const LONGEST = 1024;
const GAP = ' ... ';

/**
 * Any message on one line of at most 1 kB, or of fewer bytes. What is too long is cut in its middle: the first words name the object, and
 * the last ones are the most important.
 */
export function asMessage(text: string, longest = LONGEST): string {
  const line = text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ');
  if (Buffer.byteLength(line) <= longest) return line;
  const half = Math.floor((longest - GAP.length) / 2);
  const first = fitting(charactersOf(line.slice(0, half)), half);
  const last = fitting(charactersOf(line.slice(-half)).toReversed(), half);
  return `${first.join('')}${GAP}${last.toReversed().join('')}`;
}

/** Without half of a pair at the cut. */
function charactersOf(text: string): readonly string[] {
  return Array.from(text).filter((character) => character.isWellFormed());
}

/** As many as fit, in bytes. */
function fitting(characters: readonly string[], bytes: number): readonly string[] {
  let left = bytes;
  const over = characters.findIndex((character) => (left -= Buffer.byteLength(character)) < 0);
  return over === -1 ? characters : characters.slice(0, over);
}
