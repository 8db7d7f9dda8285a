/**
 * The EnvironmentConfig of a platform: what its claims may ask for besides what the Composition says, without another
 * package. An entry of it replaces the entry of the same name.
 */
import { z } from 'zod';
import { parseObject } from '#lib/api/parse.ts';
import type { Reply } from '#lib/fn/reply.ts';
import { CATALOG } from './catalog.ts';
import { ZONES } from './zones.ts';

/** Crossplane has it in this version alone. */
export const ENVIRONMENT_CONFIG_KIND = {
  apiVersion: 'apiextensions.crossplane.io/v1beta1',
  kind: 'EnvironmentConfig',
} as const;

/** Name of the requirement. */
export const ENVIRONMENT_CONFIG = 'environment-config';

const Data = z.strictObject({
  regions: CATALOG.regions,
  zones: ZONES,
  classes: CATALOG.classes,
  images: CATALOG.images,
  defaultImage: CATALOG.defaultImage,
});

/** Its apiVersion, kind and metadata are for Crossplane. */
const EnvironmentConfig = z.looseObject({ data: Data.prefault({}) });

type Data = z.output<typeof Data>;

/** An input with any part of the table. */
type Extensible = Partial<Data> & { readonly environmentConfig?: string | undefined };

/**
 * The input with the entries of the EnvironmentConfig that it names. Undefined: it was not asked for yet, so that the
 * claim cannot be judged in this call. Throws InvalidInput for one whose data is no such table.
 */
export function withEnvironmentConfig<Input extends Extensible>(reply: Reply, input: Input): Input | undefined {
  const { environmentConfig: name } = input;
  if (name === undefined) return input;
  const found = reply.require(ENVIRONMENT_CONFIG, { ...ENVIRONMENT_CONFIG_KIND, matchName: name });
  if (found === undefined) return undefined;
  const [object] = found;
  if (object === undefined) return input;
  const { data } = parseObject(EnvironmentConfig, object, 'InvalidInput');
  return extended(input, data);
}

/** Only the parts that the step has: a region is nothing to the machine step. */
function extended<Input extends Extensible>(input: Input, { images, defaultImage, ...maps }: Data): Input {
  const own = Object.entries(maps).filter(([part]) => part in input);
  const merged = own.map(([part, entries]) => [part, { ...input[part as keyof typeof maps], ...entries }]);
  return {
    ...input,
    ...(Object.fromEntries(merged) as Partial<Input>),
    ...(input.images === undefined ? {} : { images: withImages(input.images, images) }),
    ...(defaultImage === undefined ? {} : { defaultImage }),
  };
}

/** By region: an image of a name in one region leaves those of other regions. */
function withImages(base: Data['images'], more: Data['images']): Data['images'] {
  const both = Object.entries(more).map(([name, regions]) => [name, { ...base[name], ...regions }]);
  return { ...base, ...Object.fromEntries(both) } as Data['images'];
}
