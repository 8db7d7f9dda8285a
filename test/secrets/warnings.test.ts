/** A parser of YAML warns on standard error, and quotes what it reads: none does so where a Secret may be read. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../cli/files/repository.ts';

const FILES = ['lib', 'functions', 'controllers', 'cli'].flatMap((folder) =>
  globSync(`${folder}/**/*.ts`, { cwd: ROOT, exclude: ['**/*.test.ts', '**/*.fixture.ts'] }),
);

test('every reader of YAML is silent', () => {
  const readers = FILES.flatMap((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8');
    const names = /import \{(?<names>[^}]*)\} from 'yaml';/.exec(text)?.groups?.['names'] ?? '';
    const parsers = names.match(/\bparse\w*/g) ?? [];
    return parsers.flatMap((name) =>
      [...text.matchAll(new RegExp(`(?<![\\w.])${name}\\((?<given>[^;]*);`, 'g'))].map(({ groups }) => ({
        file,
        isSilent: /logLevel: '(?:error|silent)'/.test(groups?.['given'] ?? ''),
      })),
    );
  });
  expect(readers.length).toBeGreaterThan(8);
  expect(readers.filter(({ isSilent }) => !isSilent).map(({ file }) => file)).toEqual([]);
});
