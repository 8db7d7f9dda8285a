/**
 * Messages are for users: programs use codes and data. The test looks for product code that searches for words in a
 * message, reason or why, or that compares one with a text of several words.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../cli/files/repository.ts';

const SENTENCE = String.raw`\b(?:message|reason|why)`;
const READS: readonly RegExp[] = [
  new RegExp(String.raw`${SENTENCE}[?!]?\.(?:includes|startsWith|endsWith|match|matchAll|search|indexOf)\(`),
  new RegExp(String.raw`\.(?:test|exec)\([^()]*${SENTENCE}\b`),
  new RegExp(String.raw`${SENTENCE}\s*[!=]==\s*(['"\`])[^'"\`]*\s[^'"\`]*\1`),
];

/** Where the message comes from elsewhere without a code, or where no decision depends on it. */
const EXPLAINED: Readonly<Record<string, string>> = {
  'cli/files/read-objects.ts': 'the parser of YAML has no code for aliases that refer to each other',
  'cli/files/yaml-errors.ts':
    'the parser of YAML has one code for several mistakes, and none for a text that is nested too deeply',
  'cli/usage-error.ts': 'how a line is worded: the parser of command lines has the names in its text alone',
  'cli/payload/parts.ts': 'the message is a MIME message',
  'cli/plan/refused.ts': 'how a line is worded; a value that is secret is left out of all but those without one',
  'cli/plan/places.ts': 'which line of a file is shown below a refusal; no decision depends on it',
  'cli/validate/findings.ts': 'how a line is worded, where a function of others names the claim itself',
  'cli/simulate/decisive.ts': 'which line is shown first; no decision depends on it',
  'cli/simulate/missing.ts': 'functions have one reason for all that waits; a simulation that goes on is only slower',
  'lib/cloud/capacity.ts': 'codes of clouds are only in the text that providers report',
  'lib/cloud/not-found.ts': 'a provider that could not look has the same reason as one that found nothing',
  'clouds/azure/machine/left-off.ts': 'which step of an update failed is only in the text that the provider reports',
  'lib/api/conditions.ts':
    'providers have one reason for every failed reconcile, also for a reference that is not resolved yet',
  'functions/cluster/waiting.ts': 'providers have one reason for every failed reconcile',
  'functions/machine/infrastructure-ready.ts':
    'whether the same note was reported before, so that no event is repeated',
  'lib/api/issues.ts': 'the message is built there, with the value first if it has a verb',
};

const FILES = ['cli', 'clouds', 'controllers', 'functions', 'lib', 'package', 'simulator'].flatMap((folder) =>
  globSync(`${folder}/**/*.ts`, { cwd: ROOT }).filter((path) => !/\.(test|fixture)\.ts$/.test(path)),
);

const readsOf = (source: string): readonly string[] =>
  source.split('\n').filter((line) => READS.some((read) => read.test(line)));

test('no program parses messages, except for the list with reasons', () => {
  expect(FILES.length, 'it did look').toBeGreaterThan(400);
  const found = FILES.filter((path) => readsOf(readFileSync(join(ROOT, path), 'utf8')).length > 0);
  expect(found.toSorted(), 'act on the code, or hand on what the reader needs as data').toEqual(
    Object.keys(EXPLAINED).toSorted(),
  );
});

test.for([
  { source: "if (error.message.startsWith('cannot read')) return;", reads: true },
  { source: "if (before?.message?.includes('; and ')) return;", reads: true },
  { source: 'const [, step] = /step "(.*)"/.exec(thrown.message) ?? [];', reads: true },
  { source: "if (first.reason === 'update.fallback is Hold') return;", reads: true },
  { source: "if (condition.reason === 'Held') return;", reads: false },
  { source: "if (message === '') return;", reads: false },
  { source: "if (error.code === 'UnreadableSecret') return;", reads: false },
])('the test finds programs that do, and only those: $source', ({ source, reads }) => {
  expect(readsOf(source).length > 0).toBe(reads);
});
