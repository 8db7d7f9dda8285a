/** The table of fields that every generated page has. */
import type { z } from 'zod';
import { markdownTable } from '../../cli/terminal/markdown.ts';
import { described } from './described.ts';
import { type FieldRow, fieldRows } from './rows.ts';

/** A column of the page's own, behind the name of the field. */
export interface Column {
  readonly head: string;
  readonly cell: (row: FieldRow) => string;
}

export function fieldTable(schema: z.ZodType, own: readonly Column[] = [], without: readonly string[] = []): string {
  const rows = fieldRows(described(schema)).filter(({ path }) => !without.includes(path));
  return markdownTable(
    ['field', ...own.map(({ head }) => head), 'accepted', 'default', 'meaning'],
    rows.map((row) => [`\`${row.path}\``, ...own.map(({ cell }) => cell(row)), row.accepted, row.given, row.meaning]),
  );
}
