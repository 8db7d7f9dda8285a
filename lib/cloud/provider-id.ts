/** A node's provider id: the format that a Cluster's infrastructure tells, with the values of one machine. */
import { own } from '#lib/api/json.ts';

/** By the name that stands for the value; undefined until the cloud tells it. */
export type ProviderIDValues = Readonly<Record<string, string | undefined>>;

const PLACEHOLDER = /\$\{([A-Za-z]+)\}/g;

/**
 * Undefined while a value that the format asks for is missing. What every machine of a cluster shares stands in the
 * format itself.
 */
export function providerIDOf(format: string, values: ProviderIDValues): string | undefined {
  const names = [...format.matchAll(PLACEHOLDER)].map(([, name = '']) => name);
  if (names.some((name) => valueOf(values, name) === undefined)) return undefined;
  return format.replaceAll(PLACEHOLDER, (_, name: string) => valueOf(values, name) ?? '');
}

function valueOf(values: ProviderIDValues, name: string): string | undefined {
  return own(values, name);
}
