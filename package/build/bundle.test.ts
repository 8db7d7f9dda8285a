import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import { bundleProgram, MAIN, programFiles } from './bundle.ts';
import { CATALOG } from './catalog.ts';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

const PROGRAMS = CATALOG.flatMap(({ name, runs }) => (runs === undefined ? [] : [{ name, runs }]));

test.for(PROGRAMS)('the bundle of $name runs without node_modules', async ({ name, runs }) => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-bundle-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const bundle = await bundleProgram(ROOT, runs);
  for (const { path, content } of programFiles(ROOT, bundle, true)) writeFileSync(join(folder, path), content);
  const help = execFileSync(process.execPath, [join(folder, MAIN), '--help'], { cwd: folder, encoding: 'utf8' });
  expect(help.startsWith(`${name}: `), help).toBe(true);
  rmSync(join(folder, 'program.cache'));
  expect(execFileSync(process.execPath, [join(folder, MAIN), '--help'], { encoding: 'utf8' })).toBe(help);
});

test('what V8 compiled is taken by the same V8, and has the same bytes each time', async () => {
  const bundle = await bundleProgram(ROOT, 'functions/machine');
  const [first, second] = [programFiles(ROOT, bundle, true), programFiles(ROOT, bundle, true)];
  expect(first.map(({ path }) => path)).toEqual([MAIN, 'program.cjs', 'program.cache']);
  expect(first).toEqual(second);
  const cachedData = Buffer.from(first[2]?.content ?? []);
  const script = new Script(Buffer.from(bundle.code).toString(), { cachedData });
  expect(script.cachedDataRejected).toBe(false);
});
