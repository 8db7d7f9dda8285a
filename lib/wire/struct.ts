/**
 * A Struct of protobuf from bytes: straight to JSON, without the messages between. Of two values for one field the
 * last one counts, and two objects or two lists are merged, as protobuf says.
 */
import type { Reader } from 'protobufjs/minimal.js';
import type { Json, JsonObject } from '#lib/api/json.ts';
import { UNREAD_MANAGED_FIELDS } from '#lib/api/managed-fields.ts';
import { UnsetFields } from './fields.ts';
import { readable } from './readable.ts';
import { eachField, fieldTag, merged, messageAt, readerOf, type Slice } from './slice.ts';
import { wordAt } from './word.ts';

/** Levels of JSON in one message. Deep enough for every Kubernetes object, and far from the end of the stack. */
export const MAX_LEVELS = 200;
/** A level of objects is a Struct, an entry and a Value. */
const MAX_DEPTH = MAX_LEVELS * 3;

/** Undefined: a Value without a kind, which only broken programs write. */
type Value = Json | undefined;
type Fields = Record<string, Value> & { [UNREAD_MANAGED_FIELDS]?: () => Json };

/** Whose fields are read. Half the bytes of an object are its `metadata.managedFields`: they wait until somebody asks. */
type Place = 'json' | 'object' | 'head' | 'metadata';

const ENTRY = fieldTag(1, 2);
const KEY = fieldTag(1, 2);
const VALUE = fieldTag(2, 2);
const ITEM = fieldTag(1, 2);
const NULL = fieldTag(1, 0);
const NUMBER = fieldTag(2, 1);
const TEXT = fieldTag(3, 2);
const BOOLEAN = fieldTag(4, 0);
const OBJECT = fieldTag(5, 2);
const LIST = fieldTag(6, 2);

/** @param depth how many messages the Struct is in, itself included */
export function structOf(message: Slice, depth: number): JsonObject {
  return fieldsOf(message, depth, 'json');
}

/** The same for an object of Kubernetes; its managedFields are for `managedFields` of lib/api. */
export function objectOf(message: Slice, depth: number): JsonObject {
  return fieldsOf(message, depth, 'object');
}

/** The same with its identity and metadata alone. */
export function headOf(message: Slice, depth: number): JsonObject {
  return fieldsOf(message, depth, 'head');
}

/** Of the object that is read now. */
const unset = new UnsetFields<Json>();

function fieldsOf(message: Slice, depth: number, place: Place): Fields {
  unset.clear();
  return fieldsAt(readerOf(message), message.end, depth, {}, place);
}

const HEAD: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

function fieldsAt(reader: Reader, end: number, depth: number, fields: Fields, place: Place): Fields {
  checkDepth(depth);
  const begin = unset.begin();
  while (reader.pos < end) {
    const tag = reader.tag();
    if (tag === ENTRY) entryAt(reader, depth + 1, fields, place);
    else reader.skipType(tag & 7, 0, tag >>> 3);
  }
  checkEnd(reader, end);
  unset.setOn(fields, begin);
  return fields;
}

function entryAt(reader: Reader, depth: number, fields: Fields, place: Place): void {
  checkDepth(depth);
  const start = reader.pos;
  const end = endAt(reader);
  // Every program writes the key, then the value, and nothing else.
  if (reader.pos < end && reader.tag() === KEY) {
    const key = wordAt(reader);
    if (reader.pos < end && reader.tag() === VALUE) {
      const valueStart = reader.pos;
      if (endAt(reader) === end) {
        if (place === 'metadata' && key === 'managedFields') {
          reader.pos = valueStart;
          leave(fields, messageAt(reader), depth + 1);
        } else if (place === 'head' && !HEAD.has(key)) reader.skip(end - reader.pos);
        else unset.add(key, valueAt(reader, end, depth + 1, isMetadata(place, key)));
        return;
      }
    }
  }
  reader.pos = start;
  otherEntry(messageAt(reader), depth, fields, place);
}

/** An entry in any other form that protobuf allows. */
function otherEntry(entry: Slice, depth: number, fields: Fields, place: Place): void {
  let key = '';
  let value: Slice | undefined;
  eachField(entry, (tag, reader) => {
    if (tag === KEY) key = reader.string();
    else if (tag === VALUE) value = merged(value, messageAt(reader));
    else return false;
    return true;
  });
  if (value === undefined) return;
  if (place === 'metadata' && key === 'managedFields') leave(fields, value, depth + 1);
  else unset.add(key, valueOf(value, depth + 1, isMetadata(place, key)));
}

function isMetadata(place: Place, key: string): boolean {
  return key === 'metadata' && (place === 'object' || place === 'head');
}

function leave(fields: Fields, value: Slice, depth: number): void {
  fields[UNREAD_MANAGED_FIELDS] = () => {
    unset.clear();
    return readable('request', () => valueOf(value, depth) ?? null);
  };
}

function valueOf(message: Slice, depth: number, inMetadata = false): Value {
  return valueAt(readerOf(message), message.end, depth, inMetadata);
}

function valueAt(reader: Reader, end: number, depth: number, inMetadata = false): Value {
  checkDepth(depth);
  let value: Value;
  let kind = 0;
  while (reader.pos < end) {
    const tag = reader.tag();
    if (tag === TEXT) value = reader.string();
    else if (tag === OBJECT) {
      const fields = kind === OBJECT ? (value as Fields) : {};
      value = fieldsAt(reader, endAt(reader), depth + 1, fields, inMetadata ? 'metadata' : 'json');
    } else if (tag === LIST) {
      const items = kind === LIST ? (value as Value[]) : [];
      value = itemsAt(reader, endAt(reader), depth + 1, items) as Json;
    } else if (tag === BOOLEAN) value = reader.bool();
    else if (tag === NUMBER) value = reader.double();
    else if (tag === NULL) {
      reader.int32();
      value = null;
    } else {
      reader.skipType(tag & 7, 0, tag >>> 3);
      continue;
    }
    kind = tag;
  }
  checkEnd(reader, end);
  return value;
}

function itemsAt(reader: Reader, end: number, depth: number, items: Value[]): Value[] {
  checkDepth(depth);
  while (reader.pos < end) {
    const tag = reader.tag();
    if (tag === ITEM) items.push(valueAt(reader, endAt(reader), depth + 1));
    else reader.skipType(tag & 7, 0, tag >>> 3);
  }
  checkEnd(reader, end);
  return items;
}

/** Reads a length: where the message that begins after it ends. */
function endAt(reader: Reader): number {
  const size = reader.size();
  return reader.pos + size;
}

function checkEnd(reader: Reader, end: number): void {
  if (reader.pos !== end)
    throw new RangeError(`a field ends after its message, at byte ${reader.pos} of ${reader.len}`);
}

function checkDepth(depth: number): void {
  if (depth > MAX_DEPTH) throw new RangeError(`its JSON is nested deeper than ${MAX_LEVELS} levels`);
}
