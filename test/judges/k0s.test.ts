/** The scripts in plans of k0s: for any claim, a shell can parse them and shellcheck has no finding. */
import { expect, test } from 'vitest';
import { EVERY_K0S, KINDS, planOf } from '../../functions/bootstrap/k0s/k0s.fixture.ts';
import { shellcheck, shellcheckProblem, syntaxProblem } from './shell.ts';

const CASES = KINDS.flatMap((kind) => [
  { name: `${kind}, the minimum`, kind, config: {} },
  { name: `${kind}, everything`, kind, config: EVERY_K0S },
  { name: `${kind}, with k0s in the image`, kind, config: { install: 'Skip' } },
]);

async function scriptsOf({ kind, config }: (typeof CASES)[number]): Promise<readonly string[]> {
  const { files } = await planOf(kind, { config });
  return files
    .map(({ content }) => Buffer.from(content, 'base64').toString())
    .filter((text) => text.startsWith('#!/bin/sh\n'));
}

const found = shellcheck();
if ('missing' in found) process.stdout.write(`skipped: shellcheck of k0s' scripts: ${found.missing}\n`);

test.for(CASES)('sh -n parses the scripts: $name', async (given) => {
  const scripts = await scriptsOf(given);
  expect(scripts).toHaveLength(2);
  expect(scripts.map(syntaxProblem)).toEqual([undefined, undefined]);
});

test.skipIf('missing' in found).for(CASES)('shellcheck has no finding: $name', async (given) => {
  const program = 'path' in found ? found.path : '';
  for (const script of await scriptsOf(given)) expect(shellcheckProblem(program, script)).toBeUndefined();
});
