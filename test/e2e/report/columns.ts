/**
 * Rows below a header, with each column as wide as its widest cell. Text is left-aligned, numbers are right-aligned.
 */

/** @param words  titles of text columns */
export function columns(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  words: ReadonlySet<string>,
): string {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => (row[column] ?? '').length)));
  const aligned = (cell: string, column: number): string => {
    const width = widths[column] ?? 0;
    return words.has(head[column] ?? '') ? cell.padEnd(width) : cell.padStart(width);
  };
  return [head, ...rows].map((row) => `${row.map(aligned).join('  ').trimEnd()}\n`).join('');
}
