/** Messages of type Resource, and the maps they are in. */
import type { Reader, Writer } from 'protobufjs/minimal.js';
import type { Readiness } from '#lib/fn/request.ts';
import { writeStruct } from './json.ts';
import { eachField, fieldTag, merged, messageAt, type Slice } from './slice.ts';

/** A Resource whose object is not read yet. */
export interface Found {
  readonly whole: Slice;
  readonly object: Slice | undefined;
  readonly details: readonly Slice[];
  readonly ready: Readiness;
  /** How many messages the object is in, itself included. */
  readonly depth: number;
}

const OBJECT = fieldTag(1, 2);
const DETAIL = fieldTag(2, 2);
const READY = fieldTag(3, 0);
const KEY = fieldTag(1, 2);
const VALUE = fieldTag(2, 2);
const READINESS: readonly Readiness[] = ['Unspecified', 'True', 'False'];

/** @param depth how many messages it is in, itself included */
export function foundIn(whole: Slice, depth: number): Found {
  let object: Slice | undefined;
  let ready = 0;
  const details: Slice[] = [];
  eachField(whole, (tag, reader) => {
    if (tag === OBJECT) object = merged(object, messageAt(reader));
    else if (tag === DETAIL) details.push(messageAt(reader));
    else if (tag === READY) ready = reader.int32();
    else return false;
    return true;
  });
  return { whole, object, details, ready: READINESS[ready] ?? 'Unspecified', depth: depth + 1 };
}

/** Adds an entry to a map of messages. Of two entries with one key the last one counts. */
export function addEntry(to: Map<string, Slice>, reader: Reader): void {
  let key = '';
  let value: Slice | undefined;
  eachField(messageAt(reader), (tag, reader) => {
    if (tag === KEY) key = reader.string();
    else if (tag === VALUE) value = merged(value, messageAt(reader));
    else return false;
    return true;
  });
  if (value !== undefined) to.set(key, value);
}

/** A map of messages in the order of its keys, so that what iterates over it is deterministic. */
export function entriesOf<T>(from: ReadonlyMap<string, Slice>, read: (message: Slice) => T): ReadonlyMap<string, T> {
  const sorted = [...from].sort(([a], [b]) => (a < b ? -1 : 1));
  return new Map(sorted.map(([key, message]) => [key, read(message)]));
}

export function connectionDetails({ details }: Found): Readonly<Record<string, Uint8Array>> {
  const read = details.map((detail) => {
    let key = '';
    let value: Uint8Array = new Uint8Array();
    eachField(detail, (tag, reader) => {
      if (tag === KEY) key = reader.string();
      else if (tag === VALUE) value = reader.bytes();
      else return false;
      return true;
    });
    return [key, value] as const;
  });
  return Object.fromEntries(read);
}

/** Writes an entry of a map. @param value text, bytes, or what writes the fields of a message */
export function writeEntry(
  writer: Writer,
  field: number,
  key: string,
  value: string | Uint8Array | (() => void),
): void {
  writer.uint32(fieldTag(field, 2)).fork();
  if (key !== '') writer.uint32(KEY).string(key);
  if (typeof value === 'function') {
    writer.uint32(VALUE).fork();
    value();
    writer.ldelim();
  } else if (typeof value === 'string') writer.uint32(VALUE).string(value);
  else writer.uint32(VALUE).bytes(value);
  writer.ldelim();
}

/** Writes the object of a Resource, the first of its fields. @param path names it in errors */
export function writeObject(writer: Writer, object: object, path: string): void {
  writer.uint32(OBJECT).fork();
  writeStruct(writer, object, path);
  writer.ldelim();
}

/** The last of its fields. */
export function writeReadiness(writer: Writer, ready: Readiness): void {
  if (ready !== 'Unspecified') writer.uint32(READY).int32(READINESS.indexOf(ready));
}
