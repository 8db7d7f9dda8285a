import { expect, test } from 'vitest';
import { sortedYaml, yamlDocument, yamlText } from './yaml.ts';

test.for(['on', 'yes', '1_000', '190:20', '0o17', '~', '123456'])(
  '%s stays a string for parsers of YAML 1.1 and 1.2',
  (text) => {
    expect(yamlText({ text })).toBe(`text: "${text}"\n`);
  },
);

test('a long text stays on its line, and repeated values are written out', () => {
  const long = 'word '.repeat(60).trim();
  const twice = { a: 1 };
  expect(yamlText({ long, one: twice, two: twice })).toBe(`long: ${long}\none:\n  a: 1\ntwo:\n  a: 1\n`);
});

test('two orders of keys give the same sorted text', () => {
  expect(sortedYaml({ b: { d: 1, c: 2 }, a: 3 })).toBe(sortedYaml({ a: 3, b: { c: 2, d: 1 } }));
});

test('documents follow one another', () => {
  expect([{ a: 1 }, { b: 2 }].map(yamlDocument).join('')).toBe('---\na: 1\n---\nb: 2\n');
});
