/**
 * JSON as a Struct of protobuf, in one pass. What a Struct would silently turn into something else is refused: only
 * JSON is written.
 */
import type { Writer } from 'protobufjs/minimal.js';
import { SlipwayError } from '#lib/api/errors.ts';

/**
 * Writes the fields of an object, without those that are undefined. Throws Internal at anything that is not JSON,
 * naming its path.
 */
export function writeStruct(writer: Writer, object: object, path: string): void {
  try {
    writeFields(writer, object);
  } catch (thrown) {
    if (thrown === NOT_JSON) checkJson(object, path);
    throw thrown;
  }
}

const NOT_JSON = new Error('not JSON');

// Tags of one byte, as `fieldTag` of slice.ts makes them.
const ENTRY = 0x0a;
const KEY = 0x0a;
const VALUE = 0x12;
const ITEM = 0x0a;
const NULL = 0x08;
const NUMBER = 0x11;
const TEXT = 0x1a;
const BOOLEAN = 0x20;
const OBJECT = 0x2a;
const LIST = 0x32;

function writeFields(writer: Writer, object: object): void {
  if (!isPlain(object)) throw NOT_JSON;
  for (const [key, value] of Object.entries(object)) {
    if (value === undefined) continue;
    if (key === '__proto__') throw NOT_JSON;
    writer.uint32(ENTRY).fork();
    if (key !== '') writer.uint32(KEY).string(key);
    writer.uint32(VALUE).fork();
    writeValue(writer, value);
    writer.ldelim().ldelim();
  }
}

function writeValue(writer: Writer, value: unknown): void {
  if (typeof value === 'string') writer.uint32(TEXT).string(value);
  else if (typeof value === 'boolean') writer.uint32(BOOLEAN).bool(value);
  else if (value === null) writer.uint32(NULL).uint32(0);
  else if (Array.isArray(value)) writeList(writer, value);
  else if (typeof value === 'object') {
    writer.uint32(OBJECT).fork();
    writeFields(writer, value);
    writer.ldelim();
  } else if (typeof value === 'number' && Number.isFinite(value)) writer.uint32(NUMBER).double(value);
  else throw NOT_JSON;
}

function writeList(writer: Writer, items: readonly unknown[]): void {
  writer.uint32(LIST).fork();
  for (const item of items) {
    writer.uint32(ITEM).fork();
    writeValue(writer, item);
    writer.ldelim();
  }
  writer.ldelim();
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Throws for the first value that is not JSON. */
function checkJson(value: unknown, path: string): void {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return;
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw refusal(path, String(value));
  } else if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i += 1) checkJson(value[i], `${path}[${i}]`);
  } else if (typeof value === 'object' && isPlain(value)) {
    if (Object.hasOwn(value, '__proto__'))
      throw new SlipwayError('Internal', `cannot encode ${path}: no message carries the key __proto__`);
    for (const [key, item] of Object.entries(value)) if (item !== undefined) checkJson(item, `${path}.${key}`);
  } else throw refusal(path, typeof value === 'object' ? className(value) : typeof value);
}

function className(value: object): string {
  const { constructor } = value;
  return typeof constructor === 'function' && constructor.name !== '' ? constructor.name : 'an object of a class';
}

function refusal(path: string, what: string): SlipwayError {
  return new SlipwayError('Internal', `cannot encode ${path}: ${what} is not JSON`);
}
