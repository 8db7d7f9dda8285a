/** Answers of functions as their callers see them. */
import type { Condition } from '#lib/api/conditions.ts';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import type { Desired, Readiness, Selector } from '#lib/fn/request.ts';
import { readable } from './readable.ts';
import { addEntry, entriesOf, type Found, foundIn } from './resource.ts';
import { eachField, fieldTag, merged, messageAt, type Slice, wholeOf } from './slice.ts';
import { structOf } from './struct.ts';

/** One result of a call as Crossplane turns it into an event or an error. */
export interface FunctionResult {
  readonly severity: 'Fatal' | 'Warning' | 'Normal';
  readonly reason?: string;
  readonly message: string;
}

/** A function's answer as its caller sees it. */
export interface FunctionAnswer {
  readonly desired: {
    readonly composite: KubeObject | undefined;
    readonly compositeReady: Readiness;
    readonly resources: ReadonlyMap<string, Desired>;
  };
  readonly conditions: readonly Condition[];
  readonly results: readonly FunctionResult[];
  readonly requirements: ReadonlyMap<string, Selector>;
  readonly context: JsonObject;
  /** Seconds; undefined: no wish. */
  readonly ttl: number | undefined;
}

const META = fieldTag(1, 2);
const DESIRED = fieldTag(2, 2);
const RESULT = fieldTag(3, 2);
const CONTEXT = fieldTag(4, 2);
const REQUIREMENTS = fieldTag(5, 2);
const CONDITION = fieldTag(6, 2);

/** Throws BrokenContract at bytes that are not an answer. */
export function decodeAnswer(bytes: Uint8Array): FunctionAnswer {
  return readable('answer', () => {
    const parts = new Map<number, Slice>();
    const results: FunctionResult[] = [];
    const conditions: Condition[] = [];
    eachField(wholeOf(bytes), (tag, reader) => {
      if (tag === RESULT) results.push(resultIn(messageAt(reader)));
      else if (tag === CONDITION) conditions.push(conditionIn(messageAt(reader)));
      else if (tag === META || tag === DESIRED || tag === CONTEXT || tag === REQUIREMENTS)
        parts.set(tag, merged(parts.get(tag), messageAt(reader)));
      else return false;
      return true;
    });
    const context = parts.get(CONTEXT);
    return {
      desired: desiredIn(parts.get(DESIRED)),
      conditions,
      results,
      requirements: entriesOf(mapIn(parts.get(REQUIREMENTS), 2), selectorIn),
      context: context === undefined ? {} : structOf(context, 2),
      ttl: ttlIn(parts.get(META)),
    };
  });
}

/** A refusal returns what earlier steps desire as it came, whatever it is. */
function desiredIn(state: Slice | undefined): FunctionAnswer['desired'] {
  const composite = messageIn(state, 1);
  const found = composite === undefined ? undefined : foundIn(composite, 3);
  return {
    composite: found === undefined ? undefined : objectIn(found),
    compositeReady: found?.ready ?? 'Unspecified',
    resources: entriesOf(mapIn(state, 2), (whole) => {
      const one = foundIn(whole, 4);
      return { resource: objectIn(one) ?? ({} as KubeObject), ready: one.ready };
    }),
  };
}

function objectIn({ object, depth }: Found): KubeObject | undefined {
  return object === undefined ? undefined : (structOf(object, depth) as KubeObject);
}

function mapIn(message: Slice | undefined, field: number): ReadonlyMap<string, Slice> {
  const entries = new Map<string, Slice>();
  if (message !== undefined)
    eachField(message, (tag, reader) => {
      if (tag !== fieldTag(field, 2)) return false;
      addEntry(entries, reader);
      return true;
    });
  return entries;
}

function messageIn(message: Slice | undefined, field: number): Slice | undefined {
  let found: Slice | undefined;
  if (message !== undefined)
    eachField(message, (tag, reader) => {
      if (tag !== fieldTag(field, 2)) return false;
      found = merged(found, messageAt(reader));
      return true;
    });
  return found;
}

interface Scalars {
  readonly text: (field: number) => string | undefined;
  readonly number: (field: number) => number;
}

/** Fields of a message by their numbers: texts and whole numbers, the last one of each. */
function scalarsIn(message: Slice): Scalars {
  const texts = new Map<number, string>();
  const numbers = new Map<number, number>();
  eachField(message, (tag, reader) => {
    if ((tag & 7) === 2) texts.set(tag >>> 3, reader.string());
    else if ((tag & 7) === 0) numbers.set(tag >>> 3, reader.int32());
    else return false;
    return true;
  });
  return { text: (field) => texts.get(field), number: (field) => numbers.get(field) ?? 0 };
}

function resultIn(message: Slice): FunctionResult {
  const { text, number } = scalarsIn(message);
  const severity = number(1);
  const reason = text(3);
  return {
    severity: severity === 1 ? 'Fatal' : severity === 2 ? 'Warning' : 'Normal',
    message: text(2) ?? '',
    ...(reason === undefined ? {} : { reason }),
  };
}

function conditionIn(condition: Slice): Condition {
  const { text, number } = scalarsIn(condition);
  const status = number(2);
  const message = text(4);
  return {
    type: text(1) ?? '',
    status: status === 2 ? 'True' : status === 3 ? 'False' : 'Unknown',
    reason: text(3) ?? '',
    ...(message === undefined ? {} : { message }),
  };
}

function selectorIn(selector: Slice): Selector {
  const { text } = scalarsIn(selector);
  const labels = messageIn(selector, 4);
  const namespace = text(5);
  const matchName = text(3);
  return {
    apiVersion: text(1) ?? '',
    kind: text(2) ?? '',
    ...(namespace === undefined ? {} : { namespace }),
    ...(matchName === undefined ? {} : { matchName }),
    ...(labels === undefined ? {} : { matchLabels: labelsIn(labels) }),
  };
}

function labelsIn(labels: Slice): Readonly<Record<string, string>> {
  const read: Record<string, string> = {};
  eachField(labels, (tag, reader) => {
    if (tag !== fieldTag(1, 2)) return false;
    const { text } = scalarsIn(messageAt(reader));
    read[text(1) ?? ''] = text(2) ?? '';
    return true;
  });
  return read;
}

function ttlIn(meta: Slice | undefined): number | undefined {
  const duration = messageIn(meta, 2);
  if (duration === undefined) return undefined;
  let seconds = 0;
  eachField(duration, (tag, reader) => {
    if (tag !== fieldTag(1, 0)) return false;
    seconds = Number(reader.int64());
    return true;
  });
  return seconds + scalarsIn(duration).number(2) / 1e9;
}
