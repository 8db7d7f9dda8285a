import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { ROOT } from '../cli/files/repository.ts';
import { generatedFiles } from './files.ts';
import { staleFiles } from './stale.ts';

const FUNCTIONS = readdirSync(join(ROOT, 'functions'));
const files = generatedFiles();

test.for([...files])('the committed file is what the schemas say: %s', ([path, text]) => {
  const committed = existsSync(join(ROOT, path)) ? readFileSync(join(ROOT, path), 'utf8') : '';
  expect(committed, `${path} is out of date: run npm run generate`).toBe(text);
});

test('generating twice gives the same bytes', () => {
  expect([...generatedFiles()]).toEqual([...files]);
});

test.for(FUNCTIONS)('function %s ships the schema of its input, because every step may have one', (name) => {
  const own = [...files.keys()].filter((path) => path.startsWith(`package/functions/${name}/input/`));
  expect(own).toHaveLength(1);
});

/** Folders in which every file with this ending is generated, even if the file does not say so. */
const WHOLE: readonly (readonly [folder: string, end: string])[] = [
  ['xrds', '.yaml'],
  ['package/provider-node/crds', '.yaml'],
  ...FUNCTIONS.map((name) => [`package/functions/${name}/input`, '.yaml'] as const),
  ...readdirSync(join(ROOT, 'clouds'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => ['rules.yaml', '.json'].map((end) => [`clouds/${name}`, end] as const)),
];

test.for(WHOLE)('no generated file remains in %s when its kind is gone: %s', ([folder, end]) => {
  const there = existsSync(join(ROOT, folder)) ? readdirSync(join(ROOT, folder)) : [];
  const stray = there.filter((file) => file.endsWith(end) && !files.has(`${folder}/${file}`));
  expect(stray).toEqual([]);
});

describe('a file that says it is generated', () => {
  it('is generated, wherever it is', () => {
    expect(staleFiles(ROOT, files), 'run npm run generate').toEqual([]);
  });

  const root = mkdtempSync(join(tmpdir(), 'slipway-generate-'));
  beforeAll(() => {
    for (const [path, text] of files) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
  });
  afterAll(() => {
    rmSync(root, { recursive: true });
  });

  const whole = [...files].filter(([path]) => !/^compositions\/|README\.md$|mutability\.json$/.test(path));
  it.for(whole.map(([path]) => path))('is stale once no schema generates it: %s', (path) => {
    const others = new Map([...files].filter(([other]) => other !== path));
    expect(staleFiles(root, others)).toEqual([path]);
  });
});
