/** Every link from one page of the repository to another leads somewhere: to a file, a folder, or a heading. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../cli/files/repository.ts';

const PAGES = globSync('**/*.md', { cwd: ROOT, exclude: ['node_modules/**', '.cache/**', 'dist/**'] });
const LINK = /\]\((?!https?:)([^)\s#]*)(?:#([^)\s]+))?\)/g;

/** As GitHub makes them: lower case, no punctuation, hyphens for spaces. */
function anchorsOf(text: string): ReadonlySet<string> {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(/\s/g, '-'),
    ),
  );
}

function brokenIn(page: string): readonly string[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return [...text.matchAll(LINK)].flatMap(([, path = '', anchor]) => {
    const target = path === '' ? page : join(dirname(page), path);
    const full = join(ROOT, target);
    if (!existsSync(full)) return [`${page}: ${path}`];
    if (anchor === undefined || !target.endsWith('.md')) return [];
    return anchorsOf(readFileSync(full, 'utf8')).has(anchor) ? [] : [`${page}: ${path}#${anchor}`];
  });
}

test('every relative link leads somewhere', () => {
  expect(PAGES.length).toBeGreaterThan(20);
  expect(PAGES.flatMap(brokenIn)).toEqual([]);
});
