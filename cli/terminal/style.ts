/** Colour, only where there is a terminal that shows it. */
import { styleText } from 'node:util';

export type Tone = 'good' | 'bad' | 'busy' | 'quiet' | 'strong';

const FORMAT = { good: 'green', bad: 'red', busy: 'yellow', quiet: 'dim', strong: 'bold' } as const;

export type Style = (tone: Tone, text: string) => string;

type Environment = Readonly<Record<string, string | undefined>>;

/** A style for a stream: colours for a terminal, plain text for a pipe, a dumb terminal or with NO_COLOR. */
export function styleFor(stream: NodeJS.WriteStream, environment: Environment = process.env): Style {
  const colour = drawsFrames(stream, environment) && (environment['NO_COLOR'] ?? '') === '';
  return colour ? (tone, text) => styleText(FORMAT[tone], text, { validateStream: false }) : plain;
}

/** No colours. */
export const plain: Style = (_tone, text) => text;

/** Whether a stream is a terminal that knows escape codes, and may be redrawn. */
export function drawsFrames(stream: NodeJS.WriteStream, environment: Environment = process.env): boolean {
  return stream.isTTY && environment['TERM'] !== 'dumb';
}

/** The columns that a stream has for text; undefined for a pipe, which has no end of line. */
export function columnsOf(stream: NodeJS.WriteStream): number | undefined {
  if (!stream.isTTY) return undefined;
  return stream.columns > 0 ? stream.columns : 80;
}
