/** Messages by seed: what Crossplane sends, then changed field by field into what any program might send. */
import { RunFunctionRequest, RunFunctionResponse } from '@crossplane-org/function-sdk-typescript';
import type { Json } from '#lib/api/json.ts';
import type { Chance } from '../sim/chance.ts';
import { ANSWER, fieldsOf, REQUEST, type Schema } from './schema.ts';
import { delimited, fieldOf, type Node, parse, varint, write } from './tree.ts';

const WORDS = ['name', 'spec', 'metadata', 'managedFields', 'constructor', 'ä', '', '7', 'a.b/c', 'x'.repeat(60)];
const TEXTS = [
  '',
  'True',
  'Ünïcode ✓',
  '\u{1F600}',
  '\uFEFFmarked',
  'x'.repeat(200),
  'y'.repeat(2_000),
  '2026-01-01T00:00:00Z',
];
const NUMBERS = [0, -0, 1, -1, 0.1, 1e300, 2 ** 53, -(2 ** 31)];

const pick = <T>(chance: Chance, from: readonly T[]): T => from[chance.between(0, from.length - 1)]!;
const times = <T>(chance: Chance, most: number, make: (i: number) => T): T[] =>
  Array.from({ length: chance.between(0, most) }, (_, i) => make(i));

function json(chance: Chance, depth: number): Json {
  const kind = chance.between(0, depth > 3 ? 3 : 5);
  if (kind === 0) return null;
  if (kind === 1) return chance.happens(0.5);
  if (kind === 2) return pick(chance, NUMBERS);
  if (kind === 3) return pick(chance, TEXTS);
  return kind === 4 ? times(chance, 4, () => json(chance, depth + 1)) : struct(chance, depth + 1);
}

function struct(chance: Chance, depth = 0): Record<string, Json> {
  return Object.fromEntries(
    times(chance, 4, (i) => [`${pick(chance, WORDS)}${i % 2 === 0 ? '' : i}`, json(chance, depth)]),
  );
}

/** At the edge of what is read. */
function deep(chance: Chance): Json {
  let value: Json = 'bottom';
  for (let level = chance.between(190, 202); level > 0; level -= 1)
    value = chance.happens(0.9) ? { a: value } : [value];
  return value;
}

function object(chance: Chance): Record<string, Json> {
  const marks = (): Json => Object.fromEntries(times(chance, 3, () => [pick(chance, WORDS), pick(chance, TEXTS)]));
  const metadata: Record<string, Json> = {
    name: pick(chance, TEXTS),
    ...(chance.happens(0.5) ? { labels: marks(), annotations: marks(), creationTimestamp: null } : {}),
    ...(chance.happens(0.5) ? { managedFields: [struct(chance), { manager: 'm', fieldsV1: struct(chance) }] } : {}),
    ...(chance.happens(0.1) ? { managedFields: json(chance, 0) } : {}),
  };
  return {
    apiVersion: 'v1',
    kind: 'Thing',
    ...(chance.happens(0.9) ? { metadata } : {}),
    spec: chance.happens(0.01) ? { deep: deep(chance) } : struct(chance),
    ...(chance.happens(0.5) ? { status: struct(chance) } : {}),
    ...(chance.happens(0.05) ? { [pick(chance, WORDS)]: json(chance, 0) } : {}),
  };
}

const resource = (chance: Chance) => ({
  resource: object(chance),
  ready: chance.between(0, 3),
  connectionDetails: Object.fromEntries(times(chance, 2, (i) => [`k${i}`, Buffer.from(pick(chance, TEXTS))])),
});

const named = <T>(chance: Chance, make: () => T): Record<string, T> =>
  Object.fromEntries(times(chance, 3, (i) => [`${pick(chance, WORDS)}${i}`, make()]));

const state = (chance: Chance) => ({
  ...(chance.happens(0.95) ? { composite: resource(chance) } : {}),
  resources: named(chance, () => resource(chance)),
});

function aRequest(chance: Chance): Uint8Array {
  const items = () => ({ items: times(chance, 3, () => ({ resource: object(chance) })) });
  const message = RunFunctionRequest.fromPartial({
    meta: { tag: pick(chance, TEXTS), capabilities: [1, 2] },
    observed: state(chance),
    ...(chance.happens(0.8) ? { desired: state(chance) } : {}),
    ...(chance.happens(0.8) ? { input: struct(chance) } : {}),
    ...(chance.happens(0.8) ? { context: struct(chance) } : {}),
    requiredResources: named(chance, items),
    extraResources: named(chance, items),
    credentials: named(chance, () => ({ credentialData: { data: { a: Buffer.from('b') } } })),
    requiredSchemas: named(chance, () => ({ openapiV3: struct(chance) })),
  });
  return RunFunctionRequest.encode(message).finish();
}

function anAnswer(chance: Chance): Uint8Array {
  const text = (): string => pick(chance, TEXTS);
  const message = RunFunctionResponse.fromPartial({
    meta: {
      tag: text(),
      ...(chance.happens(0.8) ? { ttl: { seconds: chance.between(0, 600), nanos: chance.between(0, 1e9) } } : {}),
    },
    desired: state(chance),
    results: times(chance, 3, () => ({
      severity: chance.between(0, 4),
      message: text(),
      target: chance.between(0, 2),
      ...(chance.happens(0.5) ? { reason: text() } : {}),
    })),
    conditions: times(chance, 3, () => ({
      type: text(),
      status: chance.between(0, 4),
      reason: text(),
      ...(chance.happens(0.5) ? { message: text() } : {}),
    })),
    ...(chance.happens(0.8) ? { context: struct(chance) } : {}),
    ...(chance.happens(0.5)
      ? {
          requirements: {
            resources: named(chance, () => ({
              apiVersion: text(),
              kind: text(),
              ...(chance.happens(0.5) ? { matchName: text() } : {}),
              ...(chance.happens(0.5) ? { namespace: text() } : {}),
              ...(chance.happens(0.5) ? { matchLabels: { labels: named(chance, text) } } : {}),
            })),
          },
        }
      : {}),
    ...(chance.happens(0.2) ? { output: struct(chance) } : {}),
  });
  return RunFunctionResponse.encode(message).finish();
}

/** Bytes that no program meant, or that it may mean although it never writes them. */
export function made(what: 'request' | 'answer', chance: Chance): Uint8Array {
  const [bytes, schema] = what === 'request' ? [aRequest(chance), REQUEST] : [anAnswer(chance), ANSWER];
  if (chance.happens(0.1)) return bytes;
  const share = pick(chance, [0.001, 0.003, 0.01, 0.03]);
  const changed = write(changedNodes(parse(bytes, schema), schema, chance, share));
  return chance.happens(0.1) ? broken(changed, chance) : changed;
}

function changedNodes(nodes: readonly Node[], schema: Schema, chance: Chance, share: number): readonly Node[] {
  const changed = nodes.flatMap((node): readonly Node[] => {
    const inner = fieldOf(schema, node.number, node.wireType)?.message;
    const same =
      inner === undefined || node.fields === undefined
        ? node
        : { ...node, fields: changedNodes(node.fields, inner(), chance, share) };
    return chance.happens(share) ? otherNodes(same, schema, chance) : [same];
  });
  if (chance.happens(share)) changed.reverse();
  return changed;
}

function otherNodes(node: Node, schema: Schema, chance: Chance): readonly Node[] {
  const { fields } = node;
  const number = chance.between(10, 3000);
  const unknown = { number, ...anyRaw(number, chance), fields: undefined };
  const kinds: (() => readonly Node[])[] = [
    () => [],
    () => [node, node],
    () => [unknown, node],
    () => [node, unknown],
    () => [{ ...node, ...anyRaw(node.number, chance), fields: undefined }],
    () => [node, { ...anyField(schema, chance), fields: undefined }],
  ];
  if (fields !== undefined) {
    const cut = chance.between(0, fields.length);
    kinds.push(() => [
      { ...node, fields: fields.slice(0, cut) },
      { ...node, fields: fields.slice(cut) },
    ]);
    kinds.push(() => [{ ...node, fields: [] }]);
  } else if (node.wireType === 2) {
    const bad = [
      [0xff],
      [0xc3],
      [0xed, 0xa0, 0x80],
      [0xf0, 0x9f, 0x98],
      [0x61, 0xe2, 0x82, 0x62],
      [0xef, 0xbb, 0xbf, 0x61],
    ];
    kinds.push(() => [{ ...node, raw: delimited(Uint8Array.from(pick(chance, bad))) }]);
  } else if (node.wireType === 1) {
    kinds.push(() => [
      { ...node, raw: new Uint8Array(new Float64Array([pick(chance, [NaN, Infinity, -Infinity])]).buffer) },
    ]);
  }
  return pick(chance, kinds)();
}

/** A field that the message has, with bytes that mean nothing. */
function anyField(schema: Schema, chance: Chance): Omit<Node, 'fields'> {
  const { number, wireType } = pick(chance, fieldsOf(schema));
  if (wireType === 2) return { number, wireType, raw: delimited(new Uint8Array()) };
  return { number, wireType, raw: wireType === 1 ? new Uint8Array(8) : varint(chance.between(0, 3)) };
}

function anyRaw(number: number, chance: Chance): { readonly wireType: number; readonly raw: Uint8Array } {
  const choices = [
    { wireType: 0, raw: varint(chance.between(0, 2 ** 31)) },
    { wireType: 0, raw: Uint8Array.from([255, 255, 255, 255, 255, 255, 255, 255, 255, 1]) },
    { wireType: 1, raw: new Uint8Array(8) },
    { wireType: 2, raw: delimited(Buffer.from('some text')) },
    { wireType: 3, raw: Buffer.concat([varint(8), varint(1), varint(number * 8 + 4)]) },
    { wireType: 5, raw: new Uint8Array(4) },
  ];
  return pick(chance, choices);
}

function broken(bytes: Uint8Array, chance: Chance): Uint8Array {
  if (chance.happens(0.3)) return bytes.slice(0, chance.between(0, bytes.length));
  const copy = Uint8Array.from(bytes);
  for (let i = chance.between(1, 3); i > 0 && copy.length > 0; i -= 1)
    copy[chance.between(0, copy.length - 1)] = chance.between(0, 255);
  return copy;
}
