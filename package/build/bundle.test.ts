import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { bundleFunction } from './bundle.ts';
import { FUNCTIONS } from '../../cli/files/repository.ts';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

test.for(FUNCTIONS.map((name) => [name]))('the bundle of function-%s runs without node_modules', async ([name]) => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-bundle-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'main.mjs');
  writeFileSync(file, (await bundleFunction(ROOT, name!)).code);
  const help = execFileSync(process.execPath, [file, '--help'], { cwd: folder, encoding: 'utf8' });
  expect(help).toMatch(new RegExp(`^function-${name!}: a composition function of Slipway`));
});
