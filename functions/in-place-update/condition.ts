/**
 * The `when` of a rule: CEL over the old and new value of the field, the existing object, the desired object, and the
 * composite.
 */
import { Environment } from '@marcbachmann/cel-js';
import { oneLine } from '#lib/api/errors.ts';
import { isJsonObject } from '#lib/api/json.ts';
import { remembered } from '#lib/api/remembered.ts';
import { registerAddresses } from '#lib/api/schema/cel-addresses.ts';

/** The variables of a condition. A missing value is null. */
export interface Seen {
  readonly old: unknown;
  readonly new: unknown;
  readonly resource: unknown;
  readonly desired: unknown;
  readonly composite: unknown;
}

export type ConditionResult = { readonly holds: boolean } | { readonly error: string };

export interface Condition {
  /** Why it can never be evaluated; undefined if it compiles. */
  readonly fault: string | undefined;
  judge(seen: Seen): ConditionResult;
}

const VARIABLES = ['old', 'new', 'resource', 'desired', 'composite'] as const;

const environment = VARIABLES.reduce(
  (known, name) => known.registerVariable(name, 'dyn'),
  registerAddresses(new Environment({ homogeneousAggregateLiterals: true })),
);

/** Compiled once per text: a pool asks the same for each of its machines. */
export const conditionFrom = remembered(compile, 500);

function compile(text: string): Condition {
  try {
    const program = environment.parse(text);
    const { valid, error, type } = program.check();
    if (!valid) return broken(messageOf(error));
    if (type !== 'bool' && type !== 'dyn') return broken(`it returns ${type ?? 'another type'}, not true or false`);
    return { fault: undefined, judge: (seen) => judge(program, seen) };
  } catch (error) {
    return broken(messageOf(error));
  }
}

function judge(program: (context: Record<string, unknown>) => unknown, seen: Seen): ConditionResult {
  try {
    const result = program(contextOf(seen));
    return typeof result === 'boolean' ? { holds: result } : { error: 'it does not return true or false' };
  } catch (error) {
    return { error: messageOf(error) };
  }
}

function broken(fault: string): Condition {
  return { fault, judge: () => ({ error: fault }) };
}

/** The first line without quoted parts, which may contain a value of the object. */
function messageOf(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : 'it cannot be evaluated').split('\n');
  return oneLine(line.replace(/"[^"]*"|'[^']*'/g, '(value)')).slice(0, 120);
}

/** Most conditions look at one or two of them: only these are converted. */
function contextOf(seen: Seen): Record<string, unknown> {
  const context: Record<string, unknown> = {};
  for (const name of VARIABLES)
    Object.defineProperty(context, name, { enumerable: true, get: () => typedOnce(seen[name]) });
  return context;
}

/** Objects of a request never change, and conditions about many fields look at the same one. */
function typedOnce(value: unknown): unknown {
  if (!isJsonObject(value)) return typed(value);
  const known = converted.get(value) ?? typed(value);
  converted.set(value, known);
  return known;
}

const converted = new WeakMap<object, unknown>();

/**
 * CEL has integers and doubles; JSON does not distinguish them. Of an object, what is in its objects and lists is
 * converted when a condition looks at it: few look at more than one field.
 */
function typed(value: unknown): unknown {
  if (value === undefined) return null;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(typed);
  if (!isJsonObject(value)) return value;
  const known = {};
  for (const [key, member] of Object.entries(value))
    if (typeof member === 'object' && member !== null) later(known, key, member);
    else if (member !== undefined) put(known, key, typed(member));
  return known;
}

function later(known: object, key: string, member: unknown): void {
  const get = (): unknown => {
    const found = typed(member);
    put(known, key, found);
    return found;
  };
  Object.defineProperty(known, key, { configurable: true, enumerable: true, get });
}

/** As a property of its own, whatever its name. */
function put(known: object, key: string, value: unknown): void {
  Object.defineProperty(known, key, { configurable: true, enumerable: true, writable: true, value });
}
