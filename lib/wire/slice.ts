/** Parts of a message that are not read yet: where they are, and how their fields are walked. */
import { BufferReader, type Reader } from 'protobufjs/minimal.js';

/** The bytes of one message inside a larger one. */
export interface Slice {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
}

export function wholeOf(bytes: Uint8Array): Slice {
  const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { bytes: buffer, start: 0, end: buffer.length };
}

export function bytesOf({ bytes, start, end }: Slice): Uint8Array {
  return bytes.subarray(start, end);
}

/** The message that starts where the reader is; the reader is behind it then. */
export function messageAt(reader: Reader): Slice {
  const length = reader.size();
  const start = reader.pos;
  reader.skip(length);
  return { bytes: reader.buf as Buffer, start, end: start + length };
}

/** A message that a field holds twice is merged, and the bytes of merged messages are those of both. */
export function merged(first: Slice | undefined, second: Slice): Slice {
  return first === undefined ? second : wholeOf(Buffer.concat([bytesOf(first), bytesOf(second)]));
}

/** Field number and wire type as they stand before a field. */
export const fieldTag = (field: number, wireType: 0 | 1 | 2): number => (field << 3) | wireType;

/** A reader that sees this message and nothing after it. */
export function readerOf({ bytes, start, end }: Slice): Reader {
  const reader = new BufferReader(bytes);
  reader.pos = start;
  reader.len = end;
  return reader;
}

/**
 * Walks the fields of a message in their order.
 * @param take reads the field if it knows its tag; what it does not know is skipped
 */
export function eachField(message: Slice, take: (tag: number, reader: Reader) => boolean): void {
  const reader = readerOf(message);
  while (reader.pos < reader.len) {
    const tag = reader.tag();
    if (!take(tag, reader)) reader.skipType(tag & 7, 0, tag >>> 3);
  }
}
