import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Writer } from 'protobufjs/minimal.js';
import type { JsonObject } from '#lib/api/json.ts';
import { writeStruct } from './json.ts';
import { wholeOf } from './slice.ts';
import { structOf } from './struct.ts';

function carried(object: object, path: string): JsonObject {
  const writer = Writer.create();
  writeStruct(writer, object, path);
  return structOf(wholeOf(writer.finish()), 1);
}

describe('what is JSON', () => {
  test('arrives unchanged', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        fc.pre(!JSON.stringify(value).includes('"__proto__"'));
        expect(carried({ value }, 'x')).toEqual({ value: value });
      }),
    );
  });

  test('loses properties that are undefined, as JSON does', () => {
    expect(carried({ a: undefined, b: [{ c: undefined, d: null }] }, 'x')).toStrictEqual({ b: [{ d: null }] });
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
    const encode = (): unknown => carried({ x: value }, 'it');
    expect(encode).toThrow(`cannot encode it.${line} is not JSON`);
    expect(encode).toThrow(expect.objectContaining({ code: 'Internal' }));
  });

  test('a key that would set a prototype instead of a field', () => {
    const value = JSON.parse('{"a": [{"__proto__": 1}]}') as object;
    expect(() => carried(value, 'x')).toThrow('cannot encode x.a[0]: no message carries the key __proto__');
  });
});
