/** Messages of Protocol Buffers, read and written beside a library that does the same. */
import { BinaryReader, BinaryWriter } from '@bufbuild/protobuf/wire';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { fieldsOf, messagesAt, numberAt, numberMessage, textAt } from './message.ts';

const number = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });

test('a number is written as the library reads it, and read as the library writes it', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 15 }), number, (field, value) => {
      const reader = new BinaryReader(numberMessage(field, value));
      expect(reader.tag()).toEqual([field, 0]);
      expect(BigInt(reader.uint64())).toBe(value);
      const bytes = new BinaryWriter().tag(field, 0).uint64(value).finish();
      expect(numberAt(fieldsOf(Buffer.from(bytes)), field)).toBe(value);
    }),
  );
});

test('texts and messages are found beside fields of every other kind', () => {
  const writer = new BinaryWriter().tag(7, 1).fixed64(5).tag(8, 5).fixed32(6).tag(2, 2).string('größe');
  const fields = fieldsOf(Buffer.from(writer.tag(3, 2).fork().tag(1, 0).uint64(9).join().finish()));
  expect(textAt(fields, 2)).toBe('größe');
  expect(messagesAt(fields, 3).map((one) => numberAt(one, 1))).toEqual([9n]);
  expect(numberAt(fields, 4)).toBe(0n);
});

describe('bytes that are no message', () => {
  it.each([
    ['a field that is cut off', '1a05aa'],
    ['a number that does not end', '08ffffffffffffffffffffff'],
    ['a kind that nobody knows', '0f'],
    ['a tag without a value', '08'],
  ])('are refused: %s', (_title, hex) => {
    expect(() => fieldsOf(Buffer.from(hex, 'hex'))).toThrow(RangeError);
  });

  it('never loop or fail in another way', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        const read = (): unknown => fieldsOf(Buffer.from(bytes));
        expect(isMessage(read) || isRefused(read)).toBe(true);
      }),
    );
  });
});

function isMessage(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}

function isRefused(read: () => unknown): boolean {
  try {
    read();
    return false;
  } catch (thrown) {
    return thrown instanceof RangeError;
  }
}
