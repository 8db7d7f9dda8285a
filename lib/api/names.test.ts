import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { describeObject, joinName, sha256, shortHash } from './names.ts';

const part = fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,40}[a-z0-9])?$/);
const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

test('a joined name is a DNS label within its limit, and always the same', () => {
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), fc.integer({ min: 16, max: 63 }), (parts, limit) => {
      const name = joinName(parts, limit);
      expect(name.length).toBeLessThanOrEqual(limit);
      expect(name).toMatch(LABEL);
      expect(joinName(parts, limit)).toBe(name);
    }),
  );
});

test('names that are cut to the same text still differ', () => {
  const long = 'a'.repeat(80);
  expect(joinName([long, 'x'])).not.toBe(joinName([long, 'y']));
  expect(joinName([long, 'x'])).toHaveLength(63);
});

test('a name that fits is not changed, and absent parts leave no gap', () => {
  expect(joinName(['prod', '', 'general', '0'])).toBe('prod-general-0');
  expect(joinName(['a'.repeat(60), 'bc'])).toBe(`${'a'.repeat(60)}-bc`);
});

test('a cut never ends in a dash before its mark', () => {
  expect(joinName([`${'a'.repeat(24)}-----${'b'.repeat(20)}`], 32)).toMatch(/^a{24}-[a-z0-9]{6}$/);
});

test('a short hash depends on values, not on the order of keys, and is valid in a name', () => {
  expect(shortHash({ a: 1, b: [2, { c: 3, d: 4 }] })).toBe(shortHash({ b: [2, { d: 4, c: 3 }], a: 1 }));
  expect(shortHash({ a: 1, b: undefined })).toBe(shortHash({ a: 1 }));
  expect(shortHash([1, 2])).not.toBe(shortHash([2, 1]));
  fc.assert(
    fc.property(fc.jsonValue(), fc.integer({ min: 1, max: 16 }), (value, length) => {
      expect(shortHash(value, length)).toMatch(new RegExp(`^[a-z0-9]{${length}}$`));
    }),
  );
});

test('hashes never change, because names of running machines contain them', () => {
  expect([shortHash('slipway'), shortHash({ class: 'standard-4' }, 5), sha256('')]).toMatchInlineSnapshot(`
    [
      "kd46gb5b",
      "slk5l",
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    ]
  `);
});

test.for([
  { given: { kind: 'Cluster', metadata: { name: 'prod', namespace: 'team-a' } }, want: 'Cluster "team-a/prod"' },
  { given: { kind: 'Namespace', metadata: { name: 'team-a' } }, want: 'Namespace "team-a"' },
  { given: { metadata: undefined }, want: 'object "?"' },
])('messages call it $want', ({ given, want }) => {
  expect(describeObject(given)).toBe(want);
});
