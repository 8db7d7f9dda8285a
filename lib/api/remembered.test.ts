import { expect, test } from 'vitest';
import { remembered, rememberedByHash } from './remembered.ts';

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

test('texts that are remembered by their hash differ where they are divided, too', () => {
  let calls = 0;
  const of = rememberedByHash((...texts: readonly string[]) => [texts.length, (calls += 1)], 4);
  expect([of('ab', 'c'), of('a', 'bc'), of('abc'), of('ab', 'c')]).toEqual([
    [2, 1],
    [2, 2],
    [1, 3],
    [2, 1],
  ]);
});
