/** Columns as wide as their widest cell. */
import { padded, widthOf } from './style.ts';

/** Lines of aligned columns, two spaces apart, without trailing blanks. */
export function table(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = rows.reduce<number[]>(
    (widest, row) => row.map((cell, i) => Math.max(widest[i] ?? 0, widthOf(cell))).concat(widest.slice(row.length)),
    [],
  );
  return rows.map((row) =>
    row
      .map((cell, i) => (i === row.length - 1 ? cell : padded(cell, widths[i] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}

const two = (value: number): string => String(value).padStart(2, '0');

/** Seconds as people say them: 45s, 6m05s, 1h02m. */
export function duration(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole}s`;
  if (whole < 3600) return `${Math.floor(whole / 60)}m${two(whole % 60)}s`;
  return `${Math.floor(whole / 3600)}h${two(Math.floor((whole % 3600) / 60))}m`;
}
