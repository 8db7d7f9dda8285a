/**
 * Look-ups with a computed key: if the key comes from a claim or a request, `constructor` finds something in every
 * object. The golden file lists those whose keys are our own words, indexes, or checked before. A new one fails here:
 * take `own()` or `at()`, or a Map; if its keys cannot come from outside, `npx vitest run test/hostile -u` adds it.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const SOURCES = '{lib,functions,clouds}/**/*.ts';
const LOOK_UP = /[\w)\]]\[(?:[a-z]\w*(?:\.\w+)*)\](?!\s*[=:](?!=)|\w)/g;
const IN = /\b[a-z]\w*(?:\.\w+)* in [a-z]\w*(?:\.\w+)*(?=[);])/g;

function lookUpsOf(file: string): readonly string[] {
  const code = readFileSync(join(ROOT, file), 'utf8')
    .replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*|'[^'\n]*'/g, '')
    .replaceAll(/^\s*(export )?(type|interface) .*$/gm, '');
  return [LOOK_UP, IN].flatMap((pattern) =>
    [...code.matchAll(pattern)].map(({ index, 0: found }) => {
      const before = /[\w.$)(\]!?]*$/.exec(code.slice(0, index + 1))?.[0] ?? '';
      return `${file}: ${pattern === LOOK_UP ? before + found.slice(1) : found}`;
    }),
  );
}

test('every look-up with a computed key is a known one', async () => {
  const files = globSync(SOURCES, { cwd: ROOT }).filter((file) => !/\.(test|fixture)\.ts$|\/simulated\//.test(file));
  const found = [...new Set(files.flatMap(lookUpsOf))].toSorted();
  expect(found.length).toBeGreaterThan(30);
  await expect(`${found.join('\n')}\n`).toMatchFileSnapshot(join(import.meta.dirname, 'golden/look-ups.txt'));
});
