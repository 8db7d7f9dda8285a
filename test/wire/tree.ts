/**
 * A message as the fields it consists of, in their order: to change one, and to say what protobuf makes of it. Strict:
 * what protobuf refuses is refused.
 */
import type { Field, Schema } from './schema.ts';

export interface Node {
  readonly number: number;
  readonly wireType: number;
  /** What follows the tag; of a message that the schema knows, its fields instead. */
  readonly raw: Uint8Array;
  readonly fields: readonly Node[] | undefined;
}

/** Throws for bytes that are no message. */
export function parse(bytes: Uint8Array, schema: Schema): readonly Node[] {
  return fieldsIn(bytes).map((node) => {
    const inner = fieldOf(schema, node.number, node.wireType)?.message;
    return inner === undefined ? node : { ...node, fields: parse(contents(node.raw), inner()) };
  });
}

/** Without what is inside of them. */
function fieldsIn(bytes: Uint8Array): readonly Node[] {
  const cursor = new Cursor(bytes);
  const nodes: Node[] = [];
  while (cursor.at < bytes.length) {
    const tag = cursor.varint(5);
    const [number, wireType] = [Math.floor(tag / 8), tag % 8];
    if (number === 0 || tag >= 2 ** 32) throw new Error('no field has this number');
    nodes.push({ number, wireType, raw: cursor.field(wireType, number, 0), fields: undefined });
  }
  return nodes;
}

export function write(nodes: readonly Node[]): Uint8Array {
  const parts = nodes.flatMap(({ number, wireType, raw, fields }) => {
    const tag = varint(number * 8 + wireType);
    if (fields === undefined) return [tag, raw];
    const inner = write(fields);
    return [tag, varint(inner.length), inner];
  });
  return Buffer.concat(parts);
}

/**
 * The same message in its simplest form: merged, since the bytes of merged messages are those of both, and without
 * fields that the schema does not know. Throws for bytes that are no message.
 * @param without  entries with this key are left out of every map, whatever is in them
 */
export function standard(bytes: Uint8Array, schema: Schema, without?: string): Uint8Array {
  const kept: Node[] = [];
  for (const node of fieldsIn(bytes)) {
    const field = fieldOf(schema, node.number, node.wireType);
    if (field === undefined) continue;
    if (without !== undefined && field.repeated === true && keyOf(fieldsIn(contents(node.raw))) === without) continue;
    const twin = kept.find((one) => one.number === node.number && isTwin(field, one, node));
    const joins = twin !== undefined && field.repeated !== true;
    const raw = joins ? delimited(Buffer.concat([contents(twin.raw), contents(node.raw)])) : node.raw;
    if (schema.isOneOf === true) {
      // It is replaced, but was read before.
      for (const one of kept) inStandard(one, schema, without);
      kept.length = 0;
    }
    if (twin !== undefined && kept.includes(twin)) kept.splice(kept.indexOf(twin), 1);
    kept.push({ ...node, raw });
  }
  return write(kept.map((node) => inStandard(node, schema, without)));
}

function inStandard(node: Node, schema: Schema, without: string | undefined): Node {
  const inner = fieldOf(schema, node.number, node.wireType)?.message;
  return inner === undefined ? node : { ...node, raw: delimited(standard(contents(node.raw), inner(), without)) };
}

/** Whether the second one is merged with the first, or replaces it. */
function isTwin(field: Field, first: Node, second: Node): boolean {
  if (field.message === undefined) return false;
  if (field.repeated !== true) return true;
  const [before, after] = [first, second].map(({ raw }) => fieldsIn(contents(raw)));
  return field.isRead === 'late' && hasValue(after) && keyOf(before) === keyOf(after);
}

const hasValue = (entry: readonly Node[] = []): boolean =>
  entry.some(({ number, wireType }) => number === 2 && wireType === 2);

function keyOf(entry: readonly Node[] = []): string {
  const key = entry.findLast(({ number, wireType }) => number === 1 && wireType === 2);
  return key === undefined ? '' : Buffer.from(contents(key.raw)).toString();
}

/** Undefined where another wire type makes it an unknown field. */
export function fieldOf(schema: Schema, number: number, wireType: number): Field | undefined {
  const field = schema.fields[number];
  return field?.wireType === wireType ? field : undefined;
}

/** A field of length-delimited bytes, as it stands after its tag. */
export function delimited(bytes: Uint8Array): Uint8Array {
  return Buffer.concat([varint(bytes.length), bytes]);
}

export function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Uint8Array.from([...bytes, rest]);
    bytes.push((rest % 128) + 128);
  }
}

function contents(raw: Uint8Array): Uint8Array {
  const cursor = new Cursor(raw);
  cursor.varint(5);
  return raw.subarray(cursor.at);
}

class Cursor {
  readonly #bytes: Uint8Array;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  varint(longest: number): number {
    let value = 0;
    for (let i = 0; i < longest; i += 1) {
      const byte = this.#bytes[this.#ahead(1)] ?? 0;
      value += (byte % 128) * 2 ** (7 * i);
      if (byte < 128) return value;
    }
    throw new Error('a number is too long');
  }

  field(wireType: number, number: number, depth: number): Uint8Array {
    const start = this.at;
    if (depth > 50) throw new Error('groups are nested too deep');
    if (wireType === 0) this.varint(10);
    else if (wireType === 1) this.#ahead(8);
    else if (wireType === 2) this.#ahead(this.varint(5));
    else if (wireType === 3) this.#group(number, depth);
    else if (wireType === 5) this.#ahead(4);
    else throw new Error('no field has this wire type');
    return this.#bytes.subarray(start, this.at);
  }

  #group(number: number, depth: number): void {
    for (;;) {
      const tag = this.varint(5);
      if (tag < 8 || tag >= 2 ** 32) throw new Error('no field has this number');
      if (tag % 8 !== 4) this.field(tag % 8, Math.floor(tag / 8), depth + 1);
      else if (Math.floor(tag / 8) === number) return;
      else throw new Error('another group ends');
    }
  }

  #ahead(count: number): number {
    const start = this.at;
    this.at += count;
    if (this.at > this.#bytes.length) throw new Error('it ends too early');
    return start;
  }
}
