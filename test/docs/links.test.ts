/** Every link within the repository has a target, and every link to a heading has that heading. */
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../cli/files/repository.ts';
import { pages, proseOf } from './pages.ts';

interface Link {
  readonly page: string;
  readonly link: string;
}

const links: readonly Link[] = pages().flatMap((page) =>
  [...proseOf(page).matchAll(/\]\((?<inline>[^)\s]+)\)|^\[[^\]]+\]: (?<below>\S+)$/gm)]
    .map(({ groups }) => groups?.['inline'] ?? groups?.['below'] ?? '')
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => ({ page, link })),
);

/** Anchors of headings, as repository hosts create them. */
function anchors(page: string): readonly string[] {
  return [...proseOf(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  );
}

function leadsSomewhere({ page, link }: Link): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : join(dirname(page), path);
  if (!existsSync(join(ROOT, target))) return false;
  if (anchor === undefined) return true;
  const read = statSync(join(ROOT, target)).isDirectory() ? join(target, 'README.md') : target;
  return !read.endsWith('.md') || anchors(read).includes(anchor);
}

test('every link has a target', () => {
  expect(links.length).toBeGreaterThan(200);
  expect(links.filter((link) => !leadsSomewhere(link)).map(({ page, link }) => `${page}: ${link}`)).toEqual([]);
});

test.for(['nowhere.md', 'architecture.md#nowhere', '../functions/machine#nowhere'])('%s is not a link', (link) => {
  expect(leadsSomewhere({ page: 'docs/install.md', link })).toBe(false);
});
