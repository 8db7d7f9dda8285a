/** How a function's registry of clouds becomes fields of its input: which cloud, and a section for each. */
import { z } from 'zod';
import type { NativeNames } from './native-names.ts';

/** What a registry must know of a cloud to read a Composition's input. */
export interface HasInput {
  /** As people call it. */
  readonly title: string;
  /** How its own names look; undefined: every name of a claim is taken as it is. */
  readonly nativeNames?: NativeNames;
  /** Its own section of the input; everything in it has a default. */
  readonly input: z.ZodObject;
}

/**
 * Neutral fields, `cloud`, and a section for each of the clouds. The type leaves the sections out: what stands in one
 * is that cloud's alone to know.
 * @param neutral fields every cloud has
 * @param description of the field `cloud`
 */
export function inputWithClouds<Neutral extends Readonly<Record<string, z.ZodType>>>(
  neutral: Neutral,
  clouds: Readonly<Record<string, HasInput>>,
  description: string,
) {
  const names = Object.keys(clouds) as [string, ...string[]];
  const cloud = z.enum(names).default(names[0]).describe(description);
  const shape = { ...neutral, cloud };
  const sections = Object.fromEntries(
    Object.entries(clouds).map(([name, { input, title }]) => [
      name,
      input.prefault({}).describe(`Settings that only ${title} has.`),
    ]),
  );
  return z.strictObject<typeof shape>({ ...shape, ...sections });
}
