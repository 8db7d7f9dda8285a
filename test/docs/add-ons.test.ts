/** The page about add-ons leaves out defaults that there are. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../cli/files/repository.ts';

test('the defaults that the page leaves out are of the Composition of AWS', () => {
  const page = readFileSync(join(ROOT, 'docs/add-ons.md'), 'utf8');
  const composition = readFileSync(join(ROOT, 'compositions/aws/cluster.yaml'), 'utf8');
  const left = [...page.matchAll(/\{ name: (\S+), default: Skip \}/g)].map(([, name]) => name);
  expect(left).toHaveLength(2);
  for (const name of left) expect(composition).toMatch(new RegExp(`^          - name: ${name}$`, 'm'));
});
