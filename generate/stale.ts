/** Files that were generated once and are generated no more, since what they were made from is gone. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const NOT_OURS: ReadonlySet<string> = new Set(['node_modules', '.git', '.cache', 'dist', 'coverage']);

/** What every file says that is generated as a whole, in one of its first lines. */
const HEADER = /generated from .+ by `npm run generate`/i;
const LINES = 4;

/**
 * Their paths, sorted.
 * @param root  of the repository  @param files  what is generated now, by path
 */
export function staleFiles(root: string, files: ReadonlyMap<string, string>): readonly string[] {
  return globSync(['**/*.{yaml,json,md}', 'clouds/*/*.ts'], { cwd: root, exclude: (name) => NOT_OURS.has(name) })
    .filter((path) => !files.has(path) && isGenerated(readFileSync(join(root, path), 'utf8')))
    .toSorted();
}

function isGenerated(text: string): boolean {
  return HEADER.test(text.split('\n', LINES).join('\n'));
}
