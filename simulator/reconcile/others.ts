/**
 * Functions of others: what they return is checked before it is used, and each failure names the step, its Composition,
 * the function and its address. For functions of Slipway the words are those of Crossplane.
 */
import { SlipwayError } from '#lib/api/errors.ts';
import { isJsonObject, type KubeObject } from '#lib/api/json.ts';
import type { FunctionAnswer } from '#lib/wire/answer.ts';
import type { Step } from './composition.ts';

export function failedStep(step: Step, servedAt: string, cause: string): string {
  const { name, composition, function: fn } = step;
  return `cannot run step "${name}" of Composition "${composition}" (function ${fn} at ${servedAt}): ${cause}`;
}

/** Why a step is not run whose function nobody serves. */
export function unservedStep({ name, composition }: Step, cause: string): string {
  return `cannot run step "${name}" of Composition "${composition}": ${cause}`;
}

/** Throws BrokenContract for an answer that no function means: Crossplane would delete what it leaves out. */
export function refuseUnusable(answer: FunctionAnswer): void {
  const fault = faultOf(answer);
  if (fault !== undefined) throw new SlipwayError('BrokenContract', fault);
}

function faultOf(answer: FunctionAnswer): string | undefined {
  const { desired, results, conditions, requirements } = answer;
  if (isEmpty(answer))
    return 'its response is empty; accepted: at least what earlier steps desire, and the context of the request';
  if (results.some(({ message }) => message === '')) return 'a result has no message';
  if (conditions.some(({ type }) => type === '')) return 'a condition has no type';
  const faults = [
    objectFault('the desired XR', desired.composite, 'status'),
    ...[...desired.resources].map(([key, { resource }]) => resourceFault(key, resource)),
    ...[...requirements].map(([name, selector]) => kindFault(`required resource "${name}"`, selector)),
  ];
  return faults.find((one) => one !== undefined);
}

function resourceFault(key: string, resource: KubeObject): string | undefined {
  if (key === '') return 'a desired resource has no key; accepted: a name of its own in desired.resources';
  const what = `desired resource "${key}"`;
  return kindFault(what, resource) ?? objectFault(what, resource, 'metadata') ?? nameFault(what, resource);
}

function kindFault(what: string, object: { readonly [field in 'apiVersion' | 'kind']: unknown }): string | undefined {
  const missing = (['apiVersion', 'kind'] as const).find((field) => !isText(object[field]));
  return missing === undefined ? undefined : `${what}: ${missing} is required`;
}

function nameFault(what: string, { metadata }: KubeObject): string | undefined {
  const name: unknown = metadata?.name;
  return name === undefined || isText(name) ? undefined : `${what}: metadata.name is not a text`;
}

function objectFault(what: string, object: KubeObject | undefined, field: 'metadata' | 'status'): string | undefined {
  const value: unknown = object?.[field];
  return value === undefined || isJsonObject(value) ? undefined : `${what}: ${field} is not an object`;
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isEmpty({ desired, conditions, results, requirements, context, ttl }: FunctionAnswer): boolean {
  const sizes = [desired.resources.size, conditions.length, results.length, requirements.size];
  return (
    sizes.every((size) => size === 0) &&
    desired.composite === undefined &&
    Object.keys(context).length === 0 &&
    ttl === undefined
  );
}
