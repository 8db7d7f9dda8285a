import { expect, test } from 'vitest';
import { type NameRule, refusedName } from './names.ts';

const RULE: NameRule = {
  form: /^[A-Za-z0-9-]{1,8}$/,
  beginnings: ['sg-'],
  parts: ['login'],
  refusal: (name) => `no ${name}`,
};

test.for(['sg-1', 'SG-1', 'a-login', 'a-LogIn', 'a_b', 'far-too-long', ''])('a cloud refuses the name "%s"', (name) => {
  expect(refusedName(RULE, name)).toBe(`no ${name}`);
});

test.for(['sg', 'a-sg-1', 'log-in', 'a--b'])('a cloud accepts the name "%s"', (name) => {
  expect(refusedName(RULE, name)).toBeUndefined();
});

test('a kind without a rule has any name', () => {
  expect(refusedName(undefined, '?')).toBeUndefined();
});
