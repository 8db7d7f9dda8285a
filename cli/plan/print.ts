/** A plan as a table, as Markdown for a pull request, and as data. */
import { yamlText } from '#lib/api/yaml.ts';
import { legible } from '../terminal/legible.ts';
import type { Style, Tone } from '../terminal/style.ts';
import { hanging, table, wrapped } from '../terminal/table.ts';
import { widthOf } from '../terminal/width.ts';
import { type PlanEntry, summaryOf, verdictOf } from './entry.ts';
import type { PlanFormat } from './formats.ts';
import { type Row, sectionsOf, summaryLine } from './groups.ts';

/** @param width columns of the terminal; undefined: there is none */
export function printed(entries: readonly PlanEntry[], format: PlanFormat, style: Style, width?: number): string {
  if (format === 'table') return tableText(entries.map(legibleEntry), style, width);
  if (format === 'markdown') return markdown(entries);
  if (format === 'yaml') return yamlText(data(entries));
  return `${JSON.stringify(data(entries), null, 2)}\n`;
}

/** The documented shape: `plan` is its version; entries are those of cli/plan/entry.ts. */
function data(entries: readonly PlanEntry[]): unknown {
  const summary = summaryOf(entries);
  return { plan: 1, verdict: verdictOf(summary), summary, entries };
}

const TONES: Readonly<Record<string, Tone>> = {
  Patch: 'good',
  Create: 'good',
  Update: 'busy',
  Recreate: 'busy',
  Drop: 'busy',
  Hold: 'bad',
  Refused: 'bad',
  Ignore: 'quiet',
};

const HEADINGS = ['OBJECTS', 'FIELD', 'OLD → NEW', 'DECISION', 'WHY', 'WAITS FOR', 'WRITTEN'] as const;

function tableText(entries: readonly PlanEntry[], style: Style, width?: number): string {
  if (entries.length === 0) return `${NOTHING}\n`;
  const sections = sectionsOf(entries, 2).flatMap(({ title, rows, consequences }) => [
    ...indented(title, '', width).map((line) => style('strong', line)),
    ...rowLines(rows, style, width),
    ...consequences.flatMap((text) => hanging(`→ ${text}`, (width ?? Infinity) - 2).map((line) => `  ${line}`)),
    '',
  ]);
  const summary = indented(summaryLine(summaryOf(entries)), '', width).map((line) => style('strong', line));
  return [...sections, ...summary, ''].join('\n');
}

/** A table where it fits, else one block for each row. */
function rowLines(rows: readonly Row[], style: Style, width?: number): readonly string[] {
  const head = HEADINGS.map((text) => style('quiet', text));
  const lines = table(withoutEmpty([head, ...rows.map((row) => cells(row, style))])).map((line) => `  ${line}`);
  if (width === undefined || lines.every((line) => widthOf(line) <= width)) return lines;
  return rows.flatMap((row) => blockOf(row, style, width));
}

function blockOf(row: Row, style: Style, width: number): readonly string[] {
  const { who, field, change, why, blockedBy, written } = row;
  const decision = wordOf(row);
  const what = [field, change].filter((text) => text !== '').join(': ');
  const [first = '', ...rest] = indented(`${decision}: ${why}`, '    ', width);
  return [
    ...indented(who, '  ', width),
    ...(what === '' ? [] : indented(what, '    ', width)),
    first.replace(decision, style(toneOf(row), decision)),
    ...rest,
    ...(blockedBy === '' ? [] : indented(`waits for: ${blockedBy}`, '    ', width)),
    ...(written === '' ? [] : indented(`written ${written}`, '    ', width)),
  ];
}

function indented(text: string, indent: string, width?: number): readonly string[] {
  return wrapped(text, (width ?? Infinity) - indent.length).map((line) => `${indent}${line}`);
}

function legibleEntry(entry: PlanEntry): PlanEntry {
  return Object.fromEntries(
    Object.entries(entry).map(([key, value]) => [key, typeof value === 'string' ? legible(value) : value]),
  ) as PlanEntry;
}

const NOTHING = 'Nothing to do: no machine is touched.';

function cells({ who, field, change, why, blockedBy, written, ...row }: Row, style: Style): readonly string[] {
  return [who, field, change, style(toneOf(row), wordOf({ ...row, field })), why, blockedBy, written];
}

/** Data has the words of rules; people are told what becomes of an object. */
function wordOf({ decision, field }: Pick<Row, 'decision' | 'field'>): string {
  if (decision === 'Drop') return 'Delete';
  return decision === 'Ignore' && field === '' ? 'Keep' : decision;
}

/** Columns with at least one value. */
function withoutEmpty(rows: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const [, ...body] = rows;
  const used = HEADINGS.map((_, column) => body.some((row) => row[column] !== ''));
  return rows.map((row) => row.filter((_, column) => used[column] === true));
}

function toneOf({ decision, held }: Pick<Row, 'decision' | 'held'>): Tone {
  return held ? 'bad' : (TONES[decision] ?? 'quiet');
}

function markdown(entries: readonly PlanEntry[]): string {
  if (entries.length === 0) return `**${NOTHING}**\n`;
  const sections = sectionsOf(entries, 4).flatMap(({ title, rows, consequences }) => [
    '',
    `### ${title}`,
    '',
    ...MARKDOWN_HEAD,
    ...rows.map((row) => `| ${markdownCells(row).join(' | ')} |`),
    ...(consequences.length === 0 ? [] : ['', ...consequences.map((text) => `- ${text}`)]),
  ]);
  return [`**${summaryLine(summaryOf(entries))}**`, ...sections, ''].join('\n');
}

const MARKDOWN_HEAD = [
  '| Objects | Field | Old → new | Decision | Why | Waits for |',
  '| --- | --- | --- | --- | --- | --- |',
];

function markdownCells({ decision, field, change, who, why, blockedBy, written, held }: Row): readonly string[] {
  const word = wordOf({ decision, field });
  const shown = held ? `**${word}**` : word;
  const reason = written === '' ? why : `${why} (${written})`;
  return [who, code(field), code(change), shown, reason, blockedBy].map((text) => text.replaceAll('|', '\\|'));
}

function code(text: string): string {
  return text === '' ? '' : `\`${text.replaceAll('`', "'")}\``;
}
