import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { plain } from './plain.ts';

describe('what is JSON', () => {
  test('is copied unchanged, and shares nothing with the original', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        fc.pre(!JSON.stringify(value).includes('"__proto__"'));
        const copy = plain({ value }, 'x');
        expect(copy).toEqual({ value });
        expect(copy.value === value, 'the same object').toBe(Object(value) !== value);
      }),
    );
  });

  test('loses properties that are undefined, as JSON does', () => {
    expect(plain({ a: undefined, b: [{ c: undefined, d: null }] }, 'x')).toStrictEqual({ b: [{ d: null }] });
  });
});

describe('what is not JSON is refused with its path', () => {
  test.for([
    { name: 'undefined in a list, which would become null', value: [1, undefined], line: 'x[1]: undefined' },
    { name: 'a hole in a list', value: [0, ...Array<number>(1)], line: 'x[1]: undefined' },
    { name: 'a Date, which would become {}', value: { when: new Date(0) }, line: 'x.when: Date' },
    { name: 'a Map, which would become {}', value: { a: [new Map([[1, 2]])] }, line: 'x.a[0]: Map' },
    { name: 'bytes, which would become numbered fields', value: { a: new Uint8Array(2) }, line: 'x.a: Uint8Array' },
    { name: 'a BigInt', value: { a: { b: 1n } }, line: 'x.a.b: bigint' },
    { name: 'NaN', value: [Number.NaN], line: 'x[0]: NaN' },
    { name: 'Infinity', value: { a: -Infinity }, line: 'x.a: -Infinity' },
    { name: 'a function', value: { a: () => 1 }, line: 'x.a: function' },
    { name: 'a symbol', value: { a: Symbol('s') }, line: 'x.a: symbol' },
    { name: 'an object of a class', value: new URL('http://a'), line: 'x: URL' },
  ])('$name', ({ value, line }) => {
    const encode = (): unknown => plain<unknown>(value, 'x');
    expect(encode).toThrow(`cannot encode ${line} is not JSON`);
    expect(encode).toThrow(expect.objectContaining({ code: 'Internal' }));
  });

  test('a key that would set a prototype instead of a field', () => {
    const value = JSON.parse('{"a": [{"__proto__": 1}]}') as unknown;
    expect(() => plain(value, 'x')).toThrow('cannot encode x.a[0]: no message carries the key __proto__');
  });
});
