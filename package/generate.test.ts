import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { generatedFiles } from './generate.ts';

const ROOT = join(import.meta.dirname, '..');
const FUNCTIONS = readdirSync(join(ROOT, 'functions'));
const files = generatedFiles();

test.for([...files])('what is committed is what the schemas say: %s', ([path, text]) => {
  const committed = existsSync(join(ROOT, path)) ? readFileSync(join(ROOT, path), 'utf8') : '';
  expect(committed, `${path} is out of date: run npm run generate`).toBe(text);
});

test('generating twice gives the same bytes', () => {
  expect([...generatedFiles()]).toEqual([...files]);
});

test.for(FUNCTIONS)('function %s ships the schema of its input, since every step may have one', (name) => {
  const own = [...files.keys()].filter((path) => path.startsWith(`package/functions/${name}/input/`));
  expect(own).toHaveLength(1);
});

test.for(['xrds', 'package/provider-node/crds', ...FUNCTIONS.map((name) => `package/functions/${name}/input`)])(
  'no generated file is left behind in %s when its kind is gone',
  (folder) => {
    const there = existsSync(join(ROOT, folder)) ? readdirSync(join(ROOT, folder)) : [];
    const stray = there.filter((file) => file.endsWith('.yaml') && !files.has(`${folder}/${file}`));
    expect(stray).toEqual([]);
  },
);
