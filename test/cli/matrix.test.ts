/** The matrix as people read it. */
import { expect, test } from 'vitest';
import { slipway } from './slipway.ts';

test('each table of the matrix says what its columns are', async () => {
  const { stdout } = await slipway('matrix');
  const [pairs = '', limits = ''] = stdout.split('\n\n');
  expect(pairs.split('\n')[0]?.trim()).toMatch(/^bottlerocket +cloud-init /);
  expect(limits.split('\n')[0]).toMatch(/^FORMAT +FIELD IT CANNOT EXPRESS +INSTEAD$/);
});
