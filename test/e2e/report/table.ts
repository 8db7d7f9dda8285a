/** The final output of the suite: a table of cases, and one of calls for those that count them. */
import type { WriteReport } from '../writes/tally.ts';
import { type AllCalls, p95 } from './call-metrics.ts';
import { columns } from './columns.ts';

const WORDS = new Set(['CASE', 'FUNCTION']);

export interface Outcome {
  readonly name: string;
  readonly result: 'passed' | 'failed' | 'skipped';
  readonly seconds: number;
  /** The details of the case, or why it failed, in one line. */
  readonly note: string;
  readonly counts?: Counts;
  readonly writes?: WriteReport;
}

export interface Counts {
  readonly calls: AllCalls;
  /** Cloud objects. */
  readonly created: number;
  readonly deleted: number;
}

export function caseTable(outcomes: readonly Outcome[], paint: (result: Outcome['result']) => string): string {
  const width = Math.max(4, ...outcomes.map(({ name }) => name.length));
  const head = `${'CASE'.padEnd(width)}  RESULT   SECONDS  NOTE`;
  const rows = outcomes.map(({ name, result, seconds, note }) =>
    `${name.padEnd(width)}  ${paint(result)}${' '.repeat(9 - result.length)}${String(Math.round(seconds)).padStart(7)}  ${note}`.trimEnd(),
  );
  return `${[head, ...rows].join('\n')}\n`;
}

export function callTable(outcomes: readonly Outcome[]): string {
  const rows = outcomes.flatMap(({ name, counts }) => (counts === undefined ? [] : rowsOf(name, counts)));
  if (rows.length === 0) return '';
  return columns(['CASE', 'FUNCTION', 'RECONCILES', 'P95', 'CREATED', 'DELETED'], rows, WORDS);
}

function rowsOf(name: string, { calls, created, deleted }: Counts): readonly (readonly string[])[] {
  return [...calls]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([fn, metrics], index) => [
      index === 0 ? name : '',
      fn,
      String(metrics.calls),
      within(p95(metrics)),
      ...(index === 0 ? [String(created), String(deleted)] : ['', '']),
    ]);
}

function within(seconds: number | undefined): string {
  if (seconds === undefined) return '-';
  return seconds === Infinity ? '> 5 s' : `≤ ${Math.round(seconds * 1000)} ms`;
}
