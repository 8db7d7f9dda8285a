/** Typing errors in YAML are told in plain words. */
import { parseAllDocuments } from 'yaml';
import { expect, test } from 'vitest';
import { plainly } from './yaml-errors.ts';

test.for([
  ['a tab', 'a:\n\tb: 1\n', 'it is indented with a tab; accepted: spaces'],
  ['no space after a colon', 'kind:Cluster\nmetadata: {}\n', /with a space after the colon$/],
  ['a colon in a value', 'a: b: c\n', /accepted: quotes around the value$/],
  ['a key twice', 'a: 1\na: 2\n', 'this key is there twice; accepted: each key once'],
  ['an open quote', 'a: "b\nc: 1\n', 'a text that begins with " does not end'],
  ['anything else, in the words of the library', 'a: @x\n', /^Plain value cannot start with/],
] as const)('%s', ([, text, said]) => {
  const [error] = parseAllDocuments(text).flatMap(({ errors }) => errors);
  expect(error === undefined ? '' : plainly(error.code, error.message)).toMatch(said);
});
