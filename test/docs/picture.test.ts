/** The picture in the README is the output of the command: the same text that test/cli compares with a real run. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

test('the README shows what npm start prints, except for times', () => {
  const picture = /^```\n(?<text>Cluster prod[\s\S]*?)^```/m.exec(read('README.md'))?.groups?.['text'] ?? '';
  expect(picture.replace(/^(Calls|Time) .*$/gm, '$1 …')).toBe(read('test/cli/golden/simulate.txt'));
});
