/** The matrix as a table for people, as markdown for docs, or as JSON for programs. */
import { EXIT } from '../exit.ts';
import { markdownTable } from '../terminal/markdown.ts';
import { type Output, outputTo } from '../terminal/output.ts';
import type { Style } from '../terminal/style.ts';
import { table } from '../terminal/table.ts';
import { widthOf } from '../terminal/width.ts';
import type { MatrixFormat } from './formats.ts';
import { type Fit, type Matrix, matrix } from './matrix.ts';

const MARK: Readonly<Record<Fit, string>> = { whole: '✔', limits: '✔ limits', workers: '✔ Windows workers', none: '✘' };
const TONE = { whole: 'good', limits: 'good', workers: 'good', none: 'quiet' } as const;

/** @param file for the result; standard output by default @returns the exit code */
export function printMatrix(format: MatrixFormat, file?: string): number {
  const output = outputTo(file);
  const found = matrix();
  if (format === 'json') output.write(`${JSON.stringify(found, undefined, 2)}\n`);
  else output.write(format === 'markdown' ? markdown(found) : text(found, output));
  return EXIT.done;
}

function text({ formats, rows, limits }: Matrix, { style, width }: Output): string {
  const head = ['', ...formats].map((cell) => style('strong', cell));
  const body = rows.map(({ provider, fits }) => [provider, ...formats.map((format) => cell(fits[format], style))]);
  const pairs = table([head, ...body]);
  const fits = width === undefined || pairs.every((line) => widthOf(line) <= width);
  const shown = fits
    ? pairs
    : table(
        rows.map(({ provider, fits: row }) => [provider, formatsOf(row)]),
        { width },
      );
  const headings = ['FORMAT', 'FIELD IT CANNOT EXPRESS', 'INSTEAD'].map((cell) => style('quiet', cell));
  const notes = limits.map(({ format, field, instead }) => [format, field, instead]);
  return [...shown, '', ...table([headings, ...notes], { width }), ''].join('\n');
}

/** Where there is no room for a column of each format: those that work, `cloud-init (limits), ignition (limits)`. */
function formatsOf(fits: Readonly<Record<string, Fit>>): string {
  const works = Object.entries(fits).filter(([, fit]) => fit !== 'none');
  return works.map(([format, fit]) => `${format}${MARK[fit].replace(/^✔ (.*)$/, ' ($1)').replace('✔', '')}`).join(', ');
}

function cell(fit: Fit = 'none', style: Style): string {
  return style(TONE[fit], MARK[fit]);
}

export function markdown(found: Matrix): string {
  const notes = found.limits.map(({ format, field, instead }) => [format, `\`${field}\``, instead]);
  return `${pairsTable(found)}\n\n${markdownTable(['format', 'cannot express', 'instead'], notes)}\n`;
}

/** The pairs alone, in markdown. */
export function pairsTable({ formats, rows }: Matrix): string {
  const pairs = rows.map(({ provider, fits }) => [provider, ...formats.map((format) => MARK[fits[format] ?? 'none'])]);
  return markdownTable(['', ...formats], pairs);
}
