/** Messages in the encoding of Protocol Buffers, as far as the Talos API needs it: numbers, texts and messages. */

/** Values by number of the field: of a number, or the bytes of a text or a message. Others are left out. */
export type Fields = ReadonlyMap<number, readonly (bigint | Buffer)[]>;

const WIRE = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

/** Throws a RangeError for bytes that are no message. */
export function fieldsOf(bytes: Buffer): Fields {
  const fields = new Map<number, (bigint | Buffer)[]>();
  let place = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = bytes.readUInt8(place);
      place += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw new RangeError('a number has more than 64 bits');
  };
  const skip = (size: number): Buffer => {
    if (place + size > bytes.length) throw new RangeError('a field is cut off');
    place += size;
    return bytes.subarray(place - size, place);
  };
  while (place < bytes.length) {
    const tag = Number(varint());
    const kind = tag & 7;
    const found = kind === WIRE.varint ? varint() : skip(sizeOf(kind, varint));
    if (kind !== WIRE.varint && kind !== WIRE.bytes) continue;
    fields.set(tag >>> 3, [...(fields.get(tag >>> 3) ?? []), found]);
  }
  return fields;
}

function sizeOf(kind: number, varint: () => bigint): number {
  if (kind === WIRE.bytes) return Number(varint());
  if (kind === WIRE.fixed64) return 8;
  if (kind === WIRE.fixed32) return 4;
  throw new RangeError(`kind ${kind} of a field is not known`);
}

/** The last one wins; a field that is left out is 0. */
export function numberAt(fields: Fields, field: number): bigint {
  const value = fields.get(field)?.at(-1);
  return typeof value === 'bigint' ? value : 0n;
}

export function textAt(fields: Fields, field: number): string {
  const value = fields.get(field)?.at(-1);
  return Buffer.isBuffer(value) ? value.toString('utf8') : '';
}

export function messagesAt(fields: Fields, field: number): readonly Fields[] {
  return (fields.get(field) ?? []).flatMap((value) => (Buffer.isBuffer(value) ? [fieldsOf(value)] : []));
}

/** A message with one number. */
export function numberMessage(field: number, value: bigint): Buffer {
  const bytes = [field << 3];
  for (let left = value; ; left >>= 7n) {
    const low = Number(left & 0x7fn);
    if (left < 0x80n) return Buffer.from([...bytes, low]);
    bytes.push(low | 0x80);
  }
}
