/** The index lists all decisions, and all of them begin the same way. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const FOLDER = join(import.meta.dirname, '../../docs/decisions');
const read = (file: string): string => readFileSync(join(FOLDER, file), 'utf8');
const pages = readdirSync(FOLDER).filter((file) => /^\d{4}-/.test(file));

test.for(pages)('%s begins with its number, its title and its status', (file) => {
  expect(read(file)).toMatch(new RegExp(`^# ${file.slice(0, 4)} – [A-Z].+\n\nStatus: accepted`));
});

test('the index has every decision with its own title, in order', () => {
  const rows = [...read('README.md').matchAll(/^\| \[(\d{4})\]\(([^)]+)\)\s*\| (.+?)\s*\|$/gm)];
  const titles = pages.toSorted().map((file) => [file.slice(0, 4), file, /^# \d{4} – (.*)$/m.exec(read(file))?.[1]]);
  expect(rows.map(([, number, file, title]) => [number, file, title])).toEqual(titles);
});
