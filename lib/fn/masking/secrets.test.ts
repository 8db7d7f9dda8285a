/** What is secret in a value of a Secret, and what it takes to say so. */
import { describe, expect, test } from 'vitest';
import { maskOf } from './mask.ts';
import { costOf, secretsIn } from './secrets.ts';

const masked = (value: string, text: string): string => maskOf(secretsIn(value))(text);

test.for([
  ['PASSWORD=fake-pass', 'fake-pass'],
  ['PASSWORD = "fake-pass"', 'fake-pass'],
  [`a=b:c=${'d'.repeat(30)}:fake-pass`, 'fake-pass'],
  ['proxy: https://me:fake-pass@host.example.com/a-path-that-is-long', 'fake-pass'],
  ['key=a-long-value-of-one-line:fake-pass', 'long-value-of-one'],
  ['APP={"a":"fake-part-of-a-minified-line","b":"c"}', 'fake-part-of-a-minified'],
  [`a=${' '.repeat(40)}fake-pass`, 'fake-pass'],
  ['password: *fake-pass', '*fake-pass'],
  ['password: fake-one\npassword: fake-two', 'fake-one'],
  ['a: &a fake-pass\nb: *a', 'fake-pass'],
  ['kind: Config\nname: &a fake-pass\nb: *a', 'fake-pass'],
] as const)('%j hides %s', ([value, part]) => {
  expect(masked(value, `cannot use ${part} here`)).toBe('cannot use masked here');
});

describe('what is kept of a value', () => {
  const line = (separators: number): string => 'k=v:'.repeat(separators / 2);

  test.for([
    ['a line of many separators', line],
    ['a minified line of .env', (count: number) => `A={${'"a":"b",'.repeat(count)}}`],
    ['a line of users', (count: number) => 'a:b@'.repeat(count)],
    ['many lines', (count: number) => 'key=value-of-it\n'.repeat(count)],
    [
      'one object, used often',
      (count: number) => `a: &a [${'value-of-it, '.repeat(count)}]\n${'b: *a\n'.repeat(count)}`,
    ],
    [
      'blocks in blocks',
      (count: number) => Array.from({ length: count / 40 }, (_, at) => `${' '.repeat(at)}a: |\n`).join(''),
    ],
  ] as const)('of %s grows with its bytes', ([, value]) => {
    const kept = secretsIn(value(4000)).reduce((sum, { length }) => sum + length, 0);
    expect(kept).toBeLessThan(8 * value(4000).length);
  });
});

test('YAML and JSON count more than other texts', () => {
  const secret = (text: string) => ({ apiVersion: 'v1', kind: 'Secret', stringData: { key: text } });
  expect(costOf([secret('plain')])).toBe(5);
  expect(costOf([secret('a: b')])).toBe(64);
});
