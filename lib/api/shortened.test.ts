import { describe, expect, test } from 'vitest';
import { atMostThree, firstNames, maySay } from './shortened.ts';

test.for([
  { given: [], want: '' },
  { given: ['a'], want: 'a' },
  { given: ['a', 'b', 'c'], want: 'a; b; c' },
  { given: ['a', 'b', 'c', 'd', 'e'], want: 'a; b; c; and 2 more' },
])('three sentences are shown and the rest is counted: $want', ({ given, want }) => {
  expect(atMostThree(given)).toBe(want);
});

test.for([
  { names: ['a', 'b'], most: 2, want: 'a, b' },
  { names: ['a', 'b', 'c'], most: 2, want: 'a, b and 1 more' },
  { names: ['a', 'b', 'c'], most: 1, want: 'a and 2 more' },
])('$most names are shown: $want', ({ names, most, want }) => {
  expect(firstNames(names, most)).toBe(want);
});

describe('whether a sentence was reported', () => {
  test('is known while none was cut off', () => {
    expect(maySay(atMostThree(['a', 'b']), 'b')).toBe(true);
    expect(maySay(atMostThree(['a', 'b']), 'c')).toBe(false);
    expect(maySay(undefined, 'a')).toBe(false);
  });

  test('is assumed where some were cut off, so that nothing is reported twice', () => {
    expect(maySay(atMostThree(['a', 'b', 'c', 'd']), 'e')).toBe(true);
  });
});
