import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { bundleProgram } from './bundle.ts';
import { CATALOG } from './catalog.ts';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

const PROGRAMS = CATALOG.flatMap(({ name, runs }) => (runs === undefined ? [] : [{ name, runs }]));

test.for(PROGRAMS)('the bundle of $name runs without node_modules', async ({ name, runs }) => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-bundle-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'main.mjs');
  writeFileSync(file, (await bundleProgram(ROOT, runs)).code);
  const help = execFileSync(process.execPath, [file, '--help'], { cwd: folder, encoding: 'utf8' });
  expect(help.startsWith(`${name}: `), help).toBe(true);
});
