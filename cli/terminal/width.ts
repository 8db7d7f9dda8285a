/** Width of text as a terminal shows it: wide characters and emoji take two columns, colours and marks none. */
import stringWidth from 'string-width';

// oxlint-disable-next-line no-control-regex -- escape sequences begin with the control character
const ESCAPES = /\u001B\[[0-9;]*m/g;

const ASCII = /^[ -~]*$/;

export function widthOf(text: string): number {
  return ASCII.test(text) ? text.length : stringWidth(withoutColours(text));
}

export function withoutColours(text: string): string {
  return text.replace(ESCAPES, '');
}

export function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}

const SEGMENTER = new Intl.Segmenter();

/** Plain text in two: what fits, without half of a character, and the rest. */
export function cutAt(text: string, width: number): readonly [string, string] {
  if (ASCII.test(text)) return [text.slice(0, width), text.slice(width)];
  let taken = 0;
  for (const { segment, index } of SEGMENTER.segment(text)) {
    taken += widthOf(segment);
    if (taken > width) return [text.slice(0, index), text.slice(index)];
  }
  return [text, ''];
}
