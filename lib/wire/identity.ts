/**
 * Which version of which object some bytes are, before they are read: the API server gives every change of an object
 * another resourceVersion. What is composed and required as well comes twice, its fields in any order.
 */
import type { KubeObject } from '#lib/api/json.ts';
import { eachField, fieldTag, messageAt, type Slice } from './slice.ts';
import { wordAt } from './word.ts';

const ENTRY = fieldTag(1, 2);
const KEY = fieldTag(1, 2);
const VALUE = fieldTag(2, 2);
const TEXT = fieldTag(3, 2);
const OBJECT = fieldTag(5, 2);

/** Objects that are read already: what is required as well as observed is read once. */
export class ReadObjects {
  readonly #versions = new Map<string, KubeObject>();
  /** Of their bytes. Most of what is observed has none of these, and need not be looked into. */
  readonly #lengths = new Set<number>();

  add(object: KubeObject, bytes: Slice): void {
    const identity = identityOf(object, bytes);
    if (identity === undefined) return;
    this.#versions.set(identity, object);
    this.#lengths.add(bytes.end - bytes.start);
  }

  /** The same version of the same object, if it was read. Throws at bytes that are no Struct. */
  twinOf(bytes: Slice): KubeObject | undefined {
    const identity = this.#lengths.has(bytes.end - bytes.start) ? identityIn(bytes) : undefined;
    return identity === undefined ? undefined : this.#versions.get(identity);
  }
}

/** The same text for the same version, whatever the order of its fields. Undefined: the object does not say. */
function identityOf({ apiVersion, kind, metadata }: KubeObject, bytes: Slice): string | undefined {
  return identity(apiVersion, kind, metadata?.uid, metadata?.resourceVersion, bytes);
}

/** The same of an object that is not read yet. Throws at bytes that are no Struct. */
function identityIn(bytes: Slice): string | undefined {
  const fields = valuesIn(bytes);
  const metadata = inValue(fields.get('metadata'), OBJECT);
  if (metadata === undefined) return undefined;
  const marks = valuesIn(metadata);
  const text = (value: Slice | undefined): string | undefined => {
    const found = inValue(value, TEXT);
    return found?.bytes.toString('utf8', found.start, found.end);
  };
  return identity(
    text(fields.get('apiVersion')),
    text(fields.get('kind')),
    text(marks.get('uid')),
    text(marks.get('resourceVersion')),
    bytes,
  );
}

function identity(
  apiVersion: string | undefined,
  kind: string | undefined,
  uid: string | undefined,
  version: string | undefined,
  { start, end }: Slice,
): string | undefined {
  if (apiVersion === undefined || kind === undefined || uid === undefined || version === undefined) return undefined;
  return [uid, version, kind, apiVersion, end - start].join(' ');
}

function valuesIn(struct: Slice): ReadonlyMap<string, Slice> {
  const values = new Map<string, Slice>();
  eachField(struct, (tag, reader) => {
    if (tag !== ENTRY) return false;
    let key = '';
    eachField(messageAt(reader), (tag, reader) => {
      if (tag === KEY) key = wordAt(reader);
      else if (tag === VALUE) values.set(key, messageAt(reader));
      else return false;
      return true;
    });
    return true;
  });
  return values;
}

function inValue(value: Slice | undefined, kind: number): Slice | undefined {
  let found: Slice | undefined;
  if (value !== undefined)
    eachField(value, (tag, reader) => {
      found = tag === kind ? messageAt(reader) : undefined;
      return found !== undefined;
    });
  return found;
}
