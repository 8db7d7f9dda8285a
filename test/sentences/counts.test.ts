/** Nobody counts "1 machines": numbers in messages are said by `counted`, which knows the singular. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { counted } from '#lib/api/counted.ts';
import { ROOT } from '../../cli/files/repository.ts';

const THINGS = [
  'bytes',
  'calls',
  'characters',
  'claims',
  'fields',
  'hosts',
  'items',
  'kinds',
  'lines',
  'machines',
  'members',
  'minutes',
  'nodes',
  'objects',
  'secrets',
  'zones',
].join('|');

/** A number in a template, neither a constant nor of a larger number, whose thing is always said in the plural. */
const UNCOUNTED =
  /(?<!of )\$\{[^}A-Z][^}]*\} (?:[a-z]+ )?(?:fields|items|kinds|lines|machines|members|nodes|objects|secrets|zones)\b/;

/** `1 machines`, and not `1 of 3 machines`, `v1.35.1 nodes`, or `10.0.0.1 hosts`. */
const WRONG = new RegExp(String.raw`(?<![\w./:-])1 (?:(?!of )[a-z]+ )?(?:${THINGS})\b`);

/** Where what is before the thing is no number, or never one. */
const EXPLAINED: Readonly<Record<string, string>> = {
  'cli/plan/live.ts': 'the kind of the objects',
  'clouds/aws/infrastructure/identity.ts': 'the role of the machines',
  'clouds/azure/infrastructure/security-rules.ts': 'what machines get through',
  'clouds/gcp/infrastructure/firewalls.ts': 'what machines get through',
  'clouds/gcp/infrastructure/identity.ts': 'the role of the machines',
  'functions/in-place-update/law.ts': 'the store of the members',
  'functions/in-place-update/plan/quorum.ts': 'the store of the members',
  'functions/in-place-update/plan/reasons.ts': 'it is said of two and more',
  'functions/nodepool/newcomers.ts': 'it is said of two and more',
};

const linesOf = (path: string): readonly string[] => readFileSync(join(ROOT, path), 'utf8').split('\n');

test('a message counts one thing in the singular', () => {
  const files = ['cli', 'clouds', 'controllers', 'functions', 'lib', 'simulator'].flatMap((folder) =>
    globSync(`${folder}/**/*.ts`, { cwd: ROOT }).filter((path) => !/\.(test|fixture)\.ts$/.test(path)),
  );
  expect(files.length, 'it did look').toBeGreaterThan(400);
  const found = files.filter((path) => linesOf(path).some((line) => UNCOUNTED.test(line)));
  expect(found.toSorted()).toEqual(Object.keys(EXPLAINED));
});

test('no golden file counts one thing in the plural', () => {
  const files = globSync('{cli,clouds,functions,test,examples,lib}/**/golden/**/*.{txt,md,json,yaml}', { cwd: ROOT });
  expect(files.length, 'it did look').toBeGreaterThan(30);
  expect(files.flatMap((path) => linesOf(path).filter((line) => WRONG.test(line)))).toEqual([]);
});

test.for([
  { count: 0, says: '0 machines' },
  { count: 1, says: '1 machine' },
  { count: 2, says: '2 machines' },
  { count: 1n, says: '1 machine' },
])('$says', ({ count, says }) => {
  expect(counted(count, 'machine')).toBe(says);
});

test.for([
  { text: 'and 1 more kinds', wrong: true },
  { text: '1 machines: created', wrong: true },
  { text: '1 of 3 machines are ready', wrong: false },
  { text: '1 machine', wrong: false },
  { text: '11 machines', wrong: false },
])('the test finds a wrong plural, and only that: $text', ({ text, wrong }) => {
  expect(WRONG.test(text)).toBe(wrong);
});
