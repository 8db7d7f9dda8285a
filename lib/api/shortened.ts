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
