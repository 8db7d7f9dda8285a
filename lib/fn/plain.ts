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
    const copied = Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .map(([key, item]) => [key, copy(item, `${path}.${key}`)] as const);
    return Object.fromEntries(copied);
  }
  throw refusal(path, typeof value === 'object' ? value.constructor.name : typeof value);
}

function refusal(path: string, what: string): SlipwayError {
  return new SlipwayError('Internal', `cannot encode ${path}: ${what} is not JSON`);
}
