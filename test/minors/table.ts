/** What each place has for each minor version. */
import { places } from './places.ts';

/** @param releases  by minor version such as 1.37 */
export function table(releases: ReadonlyMap<string, string>): string {
  const rows = places().map(({ name, has }) => [
    name,
    ...[...releases].map(([key, one]) => (has(key, one) ? 'yes' : 'no')),
  ]);
  const head = ['', ...releases.keys()];
  const width = Math.max(...rows.map(([name = '']) => name.length));
  const line = ([name = '', ...cells]: readonly string[]): string =>
    `${name.padEnd(width)}  ${cells.map((cell) => cell.padEnd(4)).join('  ')}`.trimEnd();
  return [head, ...rows].map((row) => `${line(row)}\n`).join('');
}
