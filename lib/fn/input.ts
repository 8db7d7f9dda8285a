/** The input of a step in the Composition: common fields, and how it is read. */
import { z } from 'zod';
import { duration, seconds } from '#lib/api/fields/text.ts';
import { parseAs } from '#lib/api/parse.ts';
import { INPUT_API_VERSION, TTL } from '#lib/api/words.ts';
import type { Reply } from './reply.ts';
import type { Request } from './request.ts';

const WHOLE = `${TTL.settled / 60} minutes`;

/** What every input begins with. @param kind such as NodePoolInput */
export const inputFields = <Kind extends string>(kind: Kind) => ({
  apiVersion: z.literal(INPUT_API_VERSION).describe('Version of this input.'),
  kind: z.literal(kind).describe('Kind of this input.'),
  ttl: duration()
    .optional()
    .describe(
      `How long Crossplane may wait before it calls the function again: at most ${WHOLE}, or ${TTL.underWay} seconds while changes are in progress. Default: ${WHOLE}.`,
    ),
});

/** Of a step that composes what a provider carries out: the ProviderConfig that all of it names. */
export const providerConfigRef = () =>
  z
    .strictObject({
      kind: z.enum(['ClusterProviderConfig', 'ProviderConfig']).default('ClusterProviderConfig').describe('Its kind.'),
      name: z.string().min(1).max(253).default('default').describe('Its name.'),
    })
    .prefault({})
    .describe('Credentials the provider uses for everything this step composes.');

/**
 * The input, parsed strictly; none at all means every default.
 * Throws InvalidInput naming field, value and what is accepted.
 * @param kind its kind, such as NodePoolInput
 */
export function readInput<T extends z.ZodType>(request: Request, schema: T, kind: string): z.output<T> {
  const input = request.input ?? { apiVersion: INPUT_API_VERSION, kind };
  const text = JSON.stringify(input);
  const last = latest.get(schema);
  if (last?.text === text) return last.value as z.output<T>;
  const value = parseAs(schema, input, inputName(kind), 'InvalidInput');
  latest.set(schema, { text, value });
  return value;
}

/** The input of a step does not change between calls: it is parsed once, and the same object is returned again. */
const latest = new WeakMap<z.ZodType, { readonly text: string; readonly value: unknown }>();

/** Lets the input set the lifetime of the response. @param otherwise seconds; if not set, the response decides */
export function applyTtl(reply: Reply, { ttl }: { readonly ttl?: string | undefined }, otherwise?: number): void {
  const chosen = ttl === undefined ? otherwise : seconds(ttl);
  if (chosen !== undefined) reply.ttl(chosen);
}

/** Name of the input of a step in messages. */
export function inputName(kind: string): string {
  return `${kind} of the Composition`;
}
