import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { bundleProgram } from './bundle.ts';
import { changedSince, type Inputs, INPUTS_FILE, inputsOf, inputsText } from './inputs.ts';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const { read } = await bundleProgram(ROOT, 'controllers/node');
const NOW = inputsOf(ROOT, read);

/** The folder of packages that were built from these. */
function builtFrom(inputs: Inputs | undefined): string {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-inputs-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  if (inputs !== undefined) writeFileSync(join(folder, INPUTS_FILE), inputsText(inputs));
  return folder;
}

test('packages are made of the files that a program imports, of their objects, of the builder and the locked libraries', () => {
  expect(Object.keys(NOW)).toEqual(
    expect.arrayContaining([
      'controllers/node/main.ts',
      'lib/api/conditions.ts',
      'package-lock.json',
      'package/build/image.ts',
      'package/provider-node/crds/workloadnodes.yaml',
      'xrds/clusters.yaml',
    ]),
  );
  expect(Object.keys(NOW).filter((path) => /node_modules|\.test\.ts$|^\.\./.test(path))).toEqual([]);
});

test('packages of the present sources have not changed, whenever their files were written', () => {
  expect(changedSince(ROOT, builtFrom(NOW))).toBeUndefined();
});

test.for([
  ['a file with other content', { ...NOW, 'lib/api/conditions.ts': '0' }, 'lib/api/conditions.ts has changed since'],
  ['a file that is gone', { ...NOW, 'lib/gone.ts': '0' }, 'lib/gone.ts has changed since'],
  ['an object that is new', without('xrds/clusters.yaml'), 'xrds/clusters.yaml has changed since'],
  ['several', { ...NOW, 'package-lock.json': '0', 'lib/gone.ts': '0' }, 'lib/gone.ts and 1 more have changed since'],
] as const)('packages are old after a change: %s', ([, then, said]) => {
  expect(changedSince(ROOT, builtFrom(then))).toBe(said);
});

test('packages of a builder that did not write it down count as old', () => {
  expect(changedSince(ROOT, builtFrom(undefined))).toBe('it does not say what they were built from');
});

function without(path: string): Inputs {
  return Object.fromEntries(Object.entries(NOW).filter(([each]) => each !== path));
}
