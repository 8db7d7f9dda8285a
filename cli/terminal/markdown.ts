import { padded, widthOf } from './width.ts';

/** A markdown table as prettier writes it: columns padded to their widest cell. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) => Math.max(3, ...[head, ...rows].map((row) => widthOf(row[column] ?? ''))));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => padded(cell, widths[column] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
