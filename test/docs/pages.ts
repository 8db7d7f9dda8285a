/** The pages of the repository, and the names in their tables. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../cli/files/repository.ts';

const NOT_OURS: ReadonlySet<string> = new Set(['node_modules', '.git', '.cache', 'dist', 'coverage']);

/** Their paths. */
export function pages(): readonly string[] {
  return globSync('**/*.md', { cwd: ROOT, exclude: (name) => NOT_OURS.has(name) }).toSorted();
}

/** Text without its fenced blocks. */
export function proseOf(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8').replaceAll(/^```[^]*?^```$/gm, '');
}

/**
 * The cells of the rows of a table. Throws if there is no table with such a header.
 * @param head  its first cells, as written
 */
export function tableIn(path: string, ...head: readonly string[]): readonly (readonly string[])[] {
  const lines = proseOf(path).split('\n');
  const cells = (line: string) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim());
  const begin = lines.findIndex((line) => head.every((cell, column) => cells(line)[column] === cell));
  if (begin === -1) throw new Error(`${path} has no table with the head ${head.join(' | ')}`);
  const rest = lines.slice(begin + 2);
  const end = rest.findIndex((line) => !line.startsWith('|'));
  return rest.slice(0, end === -1 ? undefined : end).map(cells);
}

/** The text in backquotes. */
export function codeIn(text: string): readonly string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}
