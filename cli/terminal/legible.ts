/** Text of claims and clusters on a terminal: no control character of it gets there, so that no name can move the cursor. */

/** Control characters, separators of lines, and marks that change the direction of writing. */
const UNSEEN = /[\p{Cc}\u2028\u2029\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u;

/** On one line; each such character as its code, such as `\u{1b}`. */
export function legible(text: string): string {
  return UNSEEN.test(text) ? text.replaceAll(new RegExp(UNSEEN, 'gu'), codeOf) : text;
}

/** The same for text of several lines, with its line breaks and tabs. */
export function legibleLines(text: string): string {
  return UNSEEN.test(text)
    ? text.replaceAll(new RegExp(UNSEEN, 'gu'), (found) => (found === '\n' || found === '\t' ? found : codeOf(found)))
    : text;
}

function codeOf(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
