/** Every text that a claim may have, by its schema, and a claim that has it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { isJsonObject, type Json, type JsonObject } from '#lib/api/json.ts';

/** Part of a JSON schema. */
type Schema = JsonObject;

export interface TextField {
  readonly path: string;
  /** Most characters that it may have; unbounded ones get what a request may have of it. */
  readonly longest: number;
  /** A text that the schema accepts. */
  readonly sample: string;
  /** The spec with this text there, and what the schema requires beside it. */
  readonly with: (spec: JsonObject, text: string) => JsonObject;
}

const UNBOUNDED = 256 * 1024;
/** The first that a pattern accepts is taken. */
const SAMPLES = [
  'sampled',
  '/sampled',
  'sampled1',
  'v1.35.4',
  '10.0.0.0/16',
  '10.0.0.1',
  '10m',
  '1Gi',
  '10%',
  'https://a.example',
  'LABEL=a',
  '/dev/sdb',
  'a.service',
  'a.conf',
  '0644',
  '[1-3]',
  '24h',
  'oci://a.example/b',
  '1.0.0',
  '2100-01-01',
  '2026-01-01T00:00:00Z',
  'root:root',
  'Europe/Zurich',
  '$6$fake$fake',
  '01234567890123456789012345678901',
] as const;

/** @param kind of the XRDs of this repository */
export function textFields(kind: string): readonly TextField[] {
  const file = join(import.meta.dirname, `../../xrds/${kind.toLowerCase()}s.yaml`);
  const { spec } = parse(readFileSync(file, 'utf8')) as {
    spec: { versions: { schema: { openAPIV3Schema: Schema } }[] };
  };
  const { spec: schema } = propertiesOf(spec.versions[0]?.schema.openAPIV3Schema ?? {});
  return schema === undefined ? [] : below(schema, 'spec');
}

const propertiesOf = ({ properties }: Schema): Readonly<Record<string, Schema>> =>
  (properties ?? {}) as Readonly<Record<string, Schema>>;

function below(schema: Schema, path: string): readonly TextField[] {
  const { items, additionalProperties: values } = schema;
  if (isJsonObject(items))
    return below(items, `${path}[0]`).map((one) => within(one, (_list, text) => [one.with(itemOf(items), text)]));
  const inside = Object.entries(propertiesOf(schema)).flatMap(([key, of]) =>
    below(of, `${path}.${key}`).map((one) =>
      within(one, (old, text) => ({ ...objectOf(old, schema), [key]: one.with(old?.[key] as JsonObject, text) })),
    ),
  );
  const free = schema['x-kubernetes-preserve-unknown-fields'] === true ? { type: 'string' } : values;
  const inMap = isJsonObject(free)
    ? [
        ...below(free, `${path}.a`).map((one) => within(one, (_old, text) => ({ a: one.with({}, text) }))),
        leaf(`${path}.<key>`, { maxLength: 316 }, (text) => ({ [text]: sampleOf(free) })),
      ]
    : [];
  return [...inside, ...inMap, ...(isText(schema) ? [leaf(path, schema, (text) => text)] : [])];
}

const isText = (schema: Schema): boolean =>
  (schema['type'] === 'string' || schema['x-kubernetes-int-or-string'] === true) && schema['enum'] === undefined;

const within = (field: TextField, place: (old: JsonObject | undefined, text: string) => Json): TextField => ({
  ...field,
  with: (old, text) => place(old, text) as JsonObject,
});

function leaf(path: string, schema: Schema, place: (text: string) => Json): TextField {
  const longest = typeof schema['maxLength'] === 'number' ? schema['maxLength'] : UNBOUNDED;
  return { path, longest, sample: textOf(schema), with: (_old, text) => place(text) as JsonObject };
}

const itemOf = (schema: Schema): JsonObject => objectOf(undefined, schema);

function objectOf(old: JsonObject | undefined, schema: Schema): JsonObject {
  const properties = propertiesOf(schema);
  const required = (schema['required'] ?? []) as readonly string[];
  return {
    ...Object.fromEntries(required.map((key) => [key, key === 'path' ? '/sampled' : sampleOf(properties[key] ?? {})])),
    ...old,
  };
}

function sampleOf(schema: Schema): Json {
  if (Array.isArray(schema['enum'])) return schema['enum'][0] as Json;
  if (schema['default'] !== undefined) return schema['default'];
  if (isText(schema)) return textOf(schema);
  if (schema['type'] === 'array') return isJsonObject(schema['items']) ? [sampleOf(schema['items'])] : [];
  if (schema['type'] === 'integer') return (schema['minimum'] as number | undefined) ?? 1;
  if (schema['type'] === 'boolean') return false;
  return objectOf(undefined, schema);
}

/** A short one that the schema accepts. */
export function textOf({ pattern, minLength = 0 }: Schema): string {
  const made = new RegExp(typeof pattern === 'string' ? pattern : '', 'u');
  return SAMPLES.find((text) => made.test(text) && text.length >= (minLength as number)) ?? 'sampled';
}
