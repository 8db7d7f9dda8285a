import { expect, test } from 'vitest';
import { remembered } from './remembered.ts';

test('a value that was used recently is computed once, and the least recently used is forgotten', () => {
  const made: string[] = [];
  const of = remembered((text) => made.push(text) && text.toUpperCase(), 2);
  expect(['a', 'b', 'a', 'c'].map(of)).toEqual(['A', 'B', 'A', 'C']);
  expect(made).toEqual(['a', 'b', 'c']);
  of('a');
  expect(made, 'it was used later than b').toEqual(['a', 'b', 'c']);
  of('b');
  expect(made).toEqual(['a', 'b', 'c', 'b']);
});

test('a failed computation is tried again', () => {
  const of = remembered(() => {
    throw new Error('no');
  }, 2);
  expect(() => of('a')).toThrow('no');
  expect(() => of('a')).toThrow('no');
});
