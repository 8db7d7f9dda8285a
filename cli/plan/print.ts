/** A plan as a table, as Markdown for a pull request, and as data. */
import { yamlText } from '#lib/api/yaml.ts';
import type { Style, Tone } from '../terminal/style.ts';
import { table } from '../terminal/table.ts';
import { type PlanEntry, summaryOf, verdictOf } from './entry.ts';
import type { PlanFormat } from './formats.ts';
import { type Row, sectionsOf, summaryLine } from './groups.ts';

export function printed(entries: readonly PlanEntry[], format: PlanFormat, style: Style): string {
  if (format === 'table') return tableText(entries, style);
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

const HEADINGS = ['OBJECTS', 'FIELD', 'OLD → NEW', 'DECISION', 'WHY', 'BLOCKED BY'] as const;

function tableText(entries: readonly PlanEntry[], style: Style): string {
  if (entries.length === 0) return `${NOTHING}\n`;
  const sections = sectionsOf(entries, 2).flatMap(({ title, rows }) => [
    style('strong', title),
    ...table(withoutEmpty([HEADINGS.map((text) => style('quiet', text)), ...rows.map((row) => cells(row, style))])).map(
      (line) => `  ${line}`,
    ),
    '',
  ]);
  return [...sections, style('strong', summaryLine(summaryOf(entries))), ''].join('\n');
}

const NOTHING = 'Nothing to do: no machine is touched.';

function cells({ who, field, change, why, blockedBy, ...row }: Row, style: Style): readonly string[] {
  return [who, field, change, style(toneOf(row), row.decision), why, blockedBy];
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
  const sections = sectionsOf(entries, 4).flatMap(({ title, rows }) => [
    '',
    `### ${title}`,
    '',
    '| Objects | Field | Old → new | Decision | Why | Blocked by |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows.map((row) => `| ${markdownCells(row).join(' | ')} |`),
  ]);
  return [`**${summaryLine(summaryOf(entries))}**`, ...sections, ''].join('\n');
}

function markdownCells({ decision, field, change, who, why, blockedBy, held }: Row): readonly string[] {
  const shown = held ? `**${decision}**` : decision;
  return [who, code(field), code(change), shown, why, blockedBy].map((text) => text.replaceAll('|', '\\|'));
}

function code(text: string): string {
  return text === '' ? '' : `\`${text.replaceAll('`', "'")}\``;
}
