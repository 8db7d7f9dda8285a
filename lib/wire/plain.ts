/** JSON only: what protobuf's Struct would silently turn into something else is refused before it is encoded. */
import { SlipwayError } from '#lib/api/errors.ts';

/** A copy of the value without undefined properties. Throws Internal at anything that is not JSON, naming its path. */
export function plain<T>(value: T, path: string): T {
  return copy(value, path) as T;
}

function copy(value: unknown, path: string): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') {
    if (Number.isFinite(value)) return value;
    throw refusal(path, String(value));
  }
  if (Array.isArray(value)) return value.map((item, i) => copy(item, `${path}[${i}]`));
  if (
    typeof value === 'object' &&
    (Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null)
  ) {
    // The generated code would set the prototype instead of the field.
    if (Object.hasOwn(value, '__proto__'))
      throw new SlipwayError('Internal', `cannot encode ${path}: no message carries the key __proto__`);
    const copied = Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .map(([key, item]) => [key, copy(item, `${path}.${key}`)] as const);
    return Object.fromEntries(copied);
  }
  throw refusal(path, typeof value === 'object' ? className(value) : typeof value);
}

function className(value: object): string {
  const { constructor } = value;
  return typeof constructor === 'function' && constructor.name !== '' ? constructor.name : 'an object of a class';
}

function refusal(path: string, what: string): SlipwayError {
  return new SlipwayError('Internal', `cannot encode ${path}: ${what} is not JSON`);
}
