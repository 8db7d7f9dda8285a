import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { matrix } from '../../cli/matrix/matrix.ts';
import { pairsTable } from '../../cli/matrix/print.ts';

test('README shows which pairs work, as the code has it', () => {
  const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
  expect(readme, 'npm run slipway -- matrix -o markdown prints it').toContain(pairsTable(matrix()));
});
