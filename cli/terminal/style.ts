/** Colour, only where there is a terminal that shows it. */
import { styleText } from 'node:util';

export type Tone = 'good' | 'bad' | 'busy' | 'quiet' | 'strong';

const FORMAT = { good: 'green', bad: 'red', busy: 'yellow', quiet: 'dim', strong: 'bold' } as const;

export type Style = (tone: Tone, text: string) => string;

/** A style for a stream: colours for a terminal, plain text for a pipe or with NO_COLOR. */
export function styleFor(stream: NodeJS.WriteStream): Style {
  const colour = stream.isTTY && (process.env['NO_COLOR'] ?? '') === '' && process.env['TERM'] !== 'dumb';
  return colour ? (tone, text) => styleText(FORMAT[tone], text, { validateStream: false }) : (_tone, text) => text;
}

// oxlint-disable-next-line no-control-regex -- escape sequences begin with the control character
const ESCAPES = /\u001B\[[0-9;]*m/g;

/** Width as the terminal shows it. */
export function widthOf(text: string): number {
  return text.replace(ESCAPES, '').length;
}

export function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}
