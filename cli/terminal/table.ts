/** Columns as wide as their widest cell. */
import { cutAt, padded, widthOf, withoutColours } from './width.ts';

export interface TableOptions {
  /** The columns of the terminal: the last cell of a row is broken to fit. By default nothing is broken. */
  readonly width?: number | undefined;
  /** Widths of earlier tables, which columns keep. */
  readonly columns?: SteadyColumns;
}

/** The widths of columns that are drawn again and again: they only grow, so that nothing jumps to and fro. */
export class SteadyColumns {
  #widths: readonly number[] = [];

  widened(widths: readonly number[]): readonly number[] {
    this.#widths = widths
      .map((width, i) => Math.max(width, this.#widths[i] ?? 0))
      .concat(this.#widths.slice(widths.length));
    return this.#widths;
  }
}

/** A last column narrower than this goes below its row. */
export const NARROWEST = 24;

/** Lines of aligned columns, two spaces apart, without trailing blanks. */
export function table(rows: readonly (readonly string[])[], { width, columns }: TableOptions = {}): readonly string[] {
  const widest = rows.reduce<number[]>(
    (found, row) => row.map((cell, i) => Math.max(found[i] ?? 0, widthOf(cell))).concat(found.slice(row.length)),
    [],
  );
  const widths = fitted(columns?.widened(widest) ?? widest, width);
  return rows.flatMap((row) => {
    const line = row
      .map((cell, i) => (i === row.length - 1 ? cell : padded(cell, widths[i] ?? 0)))
      .join('  ')
      .trimEnd();
    return width === undefined || widthOf(line) <= width ? [line] : broken(row, widths, width);
  });
}

/** One long name must not push the second column of all other rows over the edge. */
function fitted([first = 0, second = 0, ...rest]: readonly number[], width = Infinity): readonly number[] {
  return second > NARROWEST
    ? [first, second, ...rest]
    : [Math.max(0, Math.min(first, width - second - 2)), second, ...rest];
}

/** A row that does not fit: its last cell is broken at words, beside the others if there is room, else below them. */
function broken(row: readonly string[], widths: readonly number[], width: number): readonly string[] {
  const cells = row.slice(0, -1);
  const last = row.at(-1) ?? '';
  const begin = cells.reduce((sum, _, i) => sum + (widths[i] ?? 0) + 2, 0);
  const beside = width - begin >= NARROWEST;
  const head = cells.map((cell, i) => padded(cell, widths[i] ?? 0)).join('  ');
  if (beside) {
    const [first = '', ...rest] = wrapped(last, width - begin);
    return [`${head}  ${first}`.trimEnd(), ...rest.map((line) => `${' '.repeat(begin)}${line}`)];
  }
  const lead = leadOf(cells[0] ?? '');
  // A tree goes on beside the lines below.
  const stem = `${lead.replace('├─', '│ ').replace('└─', '  ')}  `;
  const full = head.trimEnd();
  // What follows the name is not broken.
  const [name = '', ...others] = cells;
  const text = widthOf(full) <= width ? full : [name, ...others.map((cell) => cell.replaceAll(' ', KEPT))].join('  ');
  const body = text.slice(lead.length);
  const [first = '', ...rest] = widthOf(text) <= width ? [body] : wrapped(body, width - stem.length);
  return [
    ...(cells.length > 0
      ? [`${lead}${first}`, ...rest.map((line) => `${stem}${line}`)].map((line) => line.replaceAll(KEPT, ' ').trimEnd())
      : []),
    ...(last === '' ? [] : wrapped(last, width - stem.length).map((line) => `${stem}${line}`)),
  ];
}

/** A blank at which no line ends. */
export const KEPT = '\u00A0';

/** The branches of a tree before its text, or the indentation. */
function leadOf(text: string): string {
  return /^[│├└─ ]*/.exec(text)?.[0] ?? '';
}

/** Text broken at words; a word that is longer than a line is broken after a sign in it, or anywhere. */
export function wrapped(text: string, width: number): readonly string[] {
  const room = Math.max(8, width);
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && widthOf(line) + 1 + widthOf(word) > room) {
      lines.push(line);
      line = '';
    }
    line = line === '' ? word : `${line} ${word}`;
    // Only plain words: a code inside a styled one must not be cut.
    while (widthOf(line) > room && withoutColours(line) === line) {
      const [most, rest] = cutAt(line, room);
      const sign = AFTER_SIGN.exec(most)?.[0] ?? '';
      const fits = sign.length > most.length / 2 ? sign : most;
      lines.push(fits);
      line = `${most.slice(fits.length)}${rest}`;
    }
  }
  return line === '' ? lines : [...lines, line];
}

/** The same, with every line but the first further in, so that one text is not taken for several. */
export function hanging(text: string, width: number): readonly string[] {
  if (widthOf(text) <= width) return [text];
  const lead = /^ */.exec(text)?.[0] ?? '';
  const body = text.slice(lead.length);
  const [first = ''] = wrapped(body, width - lead.length);
  const rest = wrapped(body.slice(first.length).trimStart(), width - lead.length - 2);
  return [`${lead}${first}`, ...rest.map((line) => `${lead}  ${line}`)];
}

/** Up to the last sign in the second half of a line, such as a comma of JSON or a slash of a path. */
const AFTER_SIGN = /^.*[,;:/.@=&?-]/su;

const two = (value: number): string => String(value).padStart(2, '0');

/** Seconds as people say them: 45s, 6m05s, 1h02m. */
export function duration(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole}s`;
  if (whole < 3600) return `${Math.floor(whole / 60)}m${two(whole % 60)}s`;
  return `${Math.floor(whole / 3600)}h${two(Math.floor((whole % 3600) / 60))}m`;
}
