/** Who wrote how often while a case ran, and how the circuit breakers of Crossplane reacted. */
import type { WriteReport } from '../writes/tally.ts';
import { columns } from './columns.ts';
import type { Outcome } from './table.ts';

const WORDS = new Set(['CASE', 'WRITTEN', 'BY', 'XR']);

export function writeTable(outcomes: readonly Outcome[]): string {
  const reports = outcomes.flatMap(({ name, writes }) => (writes === undefined ? [] : [{ name, writes }]));
  if (reports.length === 0) return '';
  const byKind = reports.flatMap(({ name, writes }) => kindLines(name, writes));
  const byXr = reports.flatMap(({ name, writes }) => xrLines(name, writes));
  return [
    columns(['CASE', 'WRITTEN', 'OBJECTS', 'WRITES', 'BY'], byKind, WORDS),
    columns(['CASE', 'XR', 'XRS', 'WRITES OF ONE', 'TOKENS', 'EVENTS OF ALL', 'OPENED'], byXr, WORDS),
  ].join('');
}

function kindLines(name: string, { kinds }: WriteReport): readonly (readonly string[])[] {
  return kinds.map(({ kind, objects, writes, writers }, index) => [
    index === 0 ? name : '',
    kind,
    String(objects),
    String(writes),
    writers.map(([writer, count]) => `${writer} ${count}`).join(', '),
  ]);
}

function xrLines(name: string, { xrs }: WriteReport): readonly (readonly string[])[] {
  return xrs.map((row, index) => [
    index === 0 ? name : '',
    row.kind,
    ...[row.xrs, row.writes, row.tokens, row.events, row.opened].map(String),
  ]);
}
