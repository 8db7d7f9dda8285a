/** Hostile requests: a valid one with one to four changes that somebody who writes claims or objects could want. */
import { isJsonObject, type Json, type JsonObject, type KubeObject } from '#lib/api/json.ts';
import type { Request } from '#lib/fn/request.ts';
import type { Chance } from '../sim/chance.ts';
import { HUSHED } from './requests.ts';

/** What is wrong in one request, for people. */
export interface Hostile {
  readonly request: Request;
  readonly changes: readonly string[];
}

/** @param only how many of the changes are made, to find the one that matters */
export function hostile(valid: Request, chance: Chance, only = Infinity): Hostile {
  const changes: string[] = [];
  let request = valid;
  for (let left = Math.min(chance.between(1, 4), only); left > 0; left -= 1) {
    const { part, value } = pick(partsOf(request), chance);
    const { json, what } = changed(value, chance, part);
    changes.push(what);
    request = withPart(request, part, json);
  }
  return { request, changes };
}

type Part = 'composite' | 'observed' | 'required' | 'desired' | 'context' | 'input' | 'desiredComposite';

function partsOf(request: Request): readonly { readonly part: Part; readonly value: Json }[] {
  const composite = { part: 'composite' as const, value: request.observed.composite };
  const all: { part: Part; value: Json | undefined }[] = [
    composite,
    composite,
    composite,
    { part: 'observed', value: asJson(request.observed.resources, ({ resource }) => resource) },
    { part: 'required', value: asJson(request.required, (items) => items) },
    { part: 'desired', value: asJson(request.desired.resources, ({ resource }) => resource) },
    { part: 'context', value: request.context },
    { part: 'input', value: request.input ?? {} },
    { part: 'desiredComposite', value: request.desired.composite ?? {} },
  ];
  return all.flatMap(({ part, value }) => (value === undefined ? [] : [{ part, value }]));
}

function asJson<T>(map: ReadonlyMap<string, T>, of: (one: T) => unknown): Json {
  return Object.fromEntries([...map].map(([key, one]) => [key, of(one) as Json]));
}

function withPart(request: Request, part: Part, json: Json): Request {
  const { observed, desired } = request;
  const object = isJsonObject(json) ? json : {};
  switch (part) {
    case 'composite':
      return { ...request, observed: { ...observed, composite: object as KubeObject } };
    case 'observed':
      return {
        ...request,
        observed: {
          ...observed,
          resources: new Map(objectsIn(object).map(([key, resource]) => [key, { resource, connectionDetails: {} }])),
        },
      };
    case 'required':
      return { ...request, required: new Map(Object.entries(object).map(([key, list]) => [key, listOf(list)])) };
    case 'desired':
      return {
        ...request,
        desired: {
          ...desired,
          resources: new Map(objectsIn(object).map(([key, resource]) => [key, { resource, ready: 'Unspecified' }])),
        },
      };
    case 'context':
      return { ...request, context: object };
    case 'input':
      return { ...request, input: object };
    default:
      return { ...request, desired: { ...desired, composite: object as KubeObject } };
  }
}

/** gRPC carries objects alone in these places; what is inside of them is free. */
const objectsIn = (object: JsonObject): [string, KubeObject][] =>
  Object.entries(object).flatMap(([key, value]) => (isJsonObject(value) ? [[key, value as KubeObject]] : []));

const listOf = (value: Json | undefined): readonly KubeObject[] =>
  (Array.isArray(value) ? (value as readonly Json[]) : [value]).filter(
    isJsonObject,
  ) as unknown as readonly KubeObject[];

interface Changed {
  readonly json: Json;
  readonly what: string;
}

function changed(value: Json, chance: Chance, path: string): Changed {
  const goesDeeper = path.split(/[.[]/).length < 3 ? 0.98 : 0.85;
  if (Array.isArray(value)) {
    const items = value as readonly Json[];
    if (items.length > 0 && chance.happens(goesDeeper)) {
      const index = chance.between(0, items.length - 1);
      const below = changed(items[index]!, chance, `${path}[${index}]`);
      return { json: items.with(index, below.json), what: below.what };
    }
    if (items.length > 0 && chance.happens(0.3))
      return { json: [...items, ...items], what: `${path}: every item twice` };
  } else if (isJsonObject(value)) {
    const keys = Object.keys(value);
    if (keys.length > 0 && chance.happens(goesDeeper)) {
      const key = pick(keys, chance);
      const below = changed(value[key] ?? null, chance, `${path}.${key}`);
      return { json: { ...value, [key]: below.json }, what: below.what };
    }
    if (chance.happens(0.6)) return changedObject(value, chance, path);
  } else if (typeof value === 'string' && chance.happens(0.4)) {
    const text = pick(INSIDE, chance);
    const at = chance.between(0, value.length);
    return { json: value.slice(0, at) + text + value.slice(at), what: `${path}: ${said(text)} at ${at}` };
  }
  const other = valueFor(chance);
  return { json: other, what: `${path}: ${said(other)}` };
}

function changedObject(value: JsonObject, chance: Chance, path: string): Changed {
  const keys = Object.keys(value);
  const key = keys.length === 0 ? 'x' : pick(keys, chance);
  if (chance.happens(0.3)) {
    const { [key]: _gone, ...others } = value;
    return { json: others, what: `${path}.${key}: left out` };
  }
  const name = chance.happens(0.5) ? pick(NAMES, chance) : pick(TEXTS, chance);
  const member = chance.happens(0.5) ? unhushed(value[key] ?? null) : valueFor(chance);
  return { json: { ...value, [name]: member }, what: `${path}[${said(name)}]: ${said(member)}` };
}

function valueFor(chance: Chance): Json {
  const kind = chance.between(0, 5);
  if (kind === 0) return pick(NUMBERS, chance);
  if (kind === 1) return pick(NAMES, chance);
  if (kind === 2) return nested(chance.between(1, 150), chance);
  if (kind === 3) return Array.from({ length: chance.between(0, 40) }, () => pick(TEXTS, chance));
  if (kind === 4) return { [pick(NAMES, chance)]: pick(TEXTS, chance), [pick(TEXTS, chance)]: pick(NUMBERS, chance) };
  return pick(OTHERS, chance);
}

function nested(levels: number, chance: Chance): Json {
  const isList = chance.happens(0.5);
  let value: Json = 'x';
  for (let level = 0; level < levels; level += 1) value = isList ? [value] : { x: value };
  return value;
}

/** A copy elsewhere is not secret by its place: it gets another text. */
function unhushed(value: Json): Json {
  return JSON.parse(HUSHED.reduce((text, secret) => text.replaceAll(secret, 'copied'), JSON.stringify(value))) as Json;
}

const pick = <T>(list: readonly T[], chance: Chance): T => list[chance.between(0, list.length - 1)]!;
const said = (value: Json): string => (JSON.stringify(value) ?? '').slice(0, 80);

const NAMES = [
  'constructor',
  'toString',
  'hasOwnProperty',
  'valueOf',
  '__defineGetter__',
  'prototype',
  'length',
  'then',
  'toJSON',
  'name',
] as const;
const NUMBERS = [0, -1, 1, 0.5, 7, 2001, 2 ** 31, 2 ** 53, -(2 ** 53), 1e21, 1e308, 5e-324] as const;
const TEXTS = [
  '',
  ' ',
  '0',
  'true',
  'null',
  '*',
  '../../etc/shadow',
  '/etc/../run/x',
  'a\nb: c',
  '\r\n',
  '\u0000',
  '\u001b[31m',
  '\u2028',
  '\u202e',
  '\ud800',
  '😀'.repeat(300),
  'x'.repeat(5000),
  'ä'.repeat(70_000),
  '$(reboot)',
  '`reboot`',
  "'; reboot; '",
  '${instanceId}',
  '{"a":1}',
  '2026-01-01T00:00:00Z',
  '9999999h',
  '10.0.0.0/0',
  '::/0',
  'v1.999999999999999999999.0',
  '100%',
] as const;
const INSIDE = [
  '\n',
  '\u0000',
  '..',
  '/',
  '%',
  '"',
  "'",
  '\\',
  '$',
  ' ',
  '-',
  '\u2028',
  'x'.repeat(3000),
  'é',
] as const;
const OTHERS: readonly Json[] = [null, true, false, [], {}, ...TEXTS];
