/**
 * CEL rules of a structural schema, evaluated like the API server does: with the Kubernetes functions for address
 * blocks, escaped field names, and transition rules only if there is an old object.
 */
import { Environment } from '@marcbachmann/cel-js';
import { isJsonObject, own, sameJson } from '../json.ts';
import { oneLine } from '../errors.ts';
import { type Issue, withValue } from '../issues.ts';
import { remembered } from '../remembered.ts';
import { registerAddresses } from './cel-addresses.ts';
import type { OpenApiSchema } from './structural.ts';

interface Validation {
  readonly rule: string;
  readonly message?: string;
}

// Homogeneous list literals, as the API server demands: [0, '0%'] does not compile there either.
const environment = registerAddresses(
  new Environment({ unlistedVariablesAreDyn: true, homogeneousAggregateLiterals: true }),
);
type Program = ReturnType<Environment['parse']>;

/**
 * Every rule of the schema that a value breaks, in the order of the schema's fields; empty when none.
 * @param value  as stored: with its defaults
 * @param before  the value it replaces; without one, rules over `oldSelf` are left out, as on creation
 */
export function validateRules(schema: OpenApiSchema, value: unknown, before?: unknown, path = ''): readonly Issue[] {
  if (value === undefined || value === null || !hasRules(schema)) return [];
  // The API server does not judge again what a write leaves as it was: a rule that is new locks nobody out.
  if (before !== undefined && sameJson(value, before)) return [];
  const below = [...membersOf(schema, value, before, path)].flatMap((member) =>
    validateRules(member.schema, member.value, member.before, member.path),
  );
  const own = validationsOf(schema)
    .filter(({ rule }) => !isTransition(rule) || (before !== undefined && before !== null))
    .flatMap((validation) => judge(validation, schema, value, before, path, below.length > 0));
  return [...own, ...below];
}

const ruled = new WeakMap<OpenApiSchema, boolean>();

/** Whether it, or anything inside it, has rules. */
function hasRules(schema: OpenApiSchema): boolean {
  const known = ruled.get(schema);
  if (known !== undefined) return known;
  const { properties = {}, additionalProperties, items } = schema;
  const inside = [...Object.values(properties), ...[items, additionalProperties].filter(isJsonObject)];
  const has = validationsOf(schema).length > 0 || inside.some(hasRules);
  ruled.set(schema, has);
  return has;
}

/** Why the API server would refuse a rule; undefined if it compiles. */
export function compileIssue(rule: string): string | undefined {
  try {
    const { valid, error } = program(rule).check();
    return valid ? undefined : firstLine(error);
  } catch (error) {
    return firstLine(error);
  }
}

export function validationsOf(schema: OpenApiSchema): readonly Validation[] {
  const list = schema['x-kubernetes-validations'];
  return Array.isArray(list) ? (list as readonly Validation[]) : [];
}

/** Whether a rule compares with the old object; the API server then runs it on updates only. */
export function isTransition(rule: string): boolean {
  return /\boldSelf\b/.test(rule);
}

function judge(
  { rule, message }: Validation,
  schema: OpenApiSchema,
  value: unknown,
  before: unknown,
  path: string,
  brokenBelow: boolean,
): readonly Issue[] {
  const wanted = message ?? `must satisfy ${rule}`;
  try {
    const holds: unknown = program(rule)({ self: typed(schema, value), oldSelf: typed(schema, before) });
    return holds === true ? [] : [{ path, message: said(path, value, wanted) }];
  } catch (error) {
    // An error inside is reported there, so a rule that cannot be evaluated because of it is not reported as well.
    if (brokenBelow) return [];
    return [{ path, message: said(path, value, `${wanted}; the rule cannot be evaluated: ${firstLine(error)}`) }];
  }
}

/** Fields whose values are secrets, or may hold one by mistake: a message does not quote them. */
const PRIVATE = /(password|secret|token|certificate)[A-Za-z]*(\[\d+\])?$/i;

function said(path: string, value: unknown, message: string): string {
  return PRIVATE.test(path) ? message : withValue(value, message);
}

function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : 'unknown error';
  return oneLine(text.split('\n')[0] ?? '');
}

const program = remembered<Program>((rule) => environment.parse(rule), 2000);

interface Member {
  readonly schema: OpenApiSchema;
  readonly value: unknown;
  readonly before: unknown;
  readonly path: string;
}

/** What the schema describes inside a value. Items of a list have no before: the API server cannot pair them. */
function* membersOf(schema: OpenApiSchema, value: unknown, before: unknown, path: string): Generator<Member> {
  if (Array.isArray(value) && schema.items !== undefined) {
    for (const [index, item] of value.entries())
      yield { schema: schema.items, value: item, before: undefined, path: `${path}[${index}]` };
    return;
  }
  if (!isJsonObject(value)) return;
  for (const [key, member] of Object.entries(value)) {
    const child = memberSchema(schema, key);
    if (child === undefined) continue;
    const name = /^[A-Za-z0-9_-]+$/.test(key) ? (path === '' ? key : `${path}.${key}`) : `${path}["${key}"]`;
    yield { schema: child, value: member, before: isJsonObject(before) ? own(before, key) : undefined, path: name };
  }
}

function memberSchema(schema: OpenApiSchema, key: string): OpenApiSchema | undefined {
  const { properties, additionalProperties } = schema;
  if (properties !== undefined) return Object.hasOwn(properties, key) ? properties[key] : undefined;
  return isJsonObject(additionalProperties) ? additionalProperties : undefined;
}

/**
 * CEL distinguishes integers from doubles; JSON does not, but the schema does. CEL does not see fields that the schema
 * does not have.
 */
function typed(schema: OpenApiSchema, value: unknown): unknown {
  if (typeof value === 'number') {
    const whole = schema.type === 'integer' || schema['x-kubernetes-int-or-string'] === true;
    return whole && Number.isInteger(value) ? BigInt(value) : value;
  }
  if (Array.isArray(value)) return value.map((item: unknown) => typed(schema.items ?? {}, item));
  if (!isJsonObject(value)) return value;
  const isMap = schema.properties === undefined;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => {
      const child = memberSchema(schema, key);
      if (child === undefined || member === undefined) return [];
      return [[isMap ? key : escaped(key), typed(child, member)]];
    }),
  );
}

const RESERVED =
  /^(true|false|null|in|as|break|const|continue|else|for|function|if|import|let|loop|package|namespace|return|var|void|while)$/;

/** The escaped name of a field in CEL, if its own name is not valid there. */
function escaped(name: string): string {
  if (RESERVED.test(name)) return `__${name}__`;
  return name
    .replaceAll('__', '__underscores__')
    .replaceAll('.', '__dot__')
    .replaceAll('-', '__dash__')
    .replaceAll('/', '__slash__');
}
