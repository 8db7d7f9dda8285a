/** From the image of a claim to an AMI. */
import type { SlipwayError } from '#lib/api/errors.ts';
import { own } from '#lib/api/json.ts';
import { refusal } from '#lib/api/refusal.ts';
import type { Situation } from './situation.ts';

/** The AMI of a machine; undefined if the Composition does not have the name of the image for the region. */
export function imageOf({ machine, input }: Situation, region: string): string | undefined {
  const name = machine.spec.machine.image ?? input.defaultImage;
  if (name === undefined || name.startsWith('ami-')) return name;
  const regions = [`${name}/${machine.spec.version}`, name].map((key) => own(input.images, key) ?? {});
  return regions.map((amis) => own(amis, region)).find((ami) => ami !== undefined);
}

/** The message that lists the accepted images. */
export function unknownImage({ machine, input, owner }: Situation, region: string): SlipwayError {
  const known = Object.entries(input.images)
    .filter(([, regions]) => own(regions, region) !== undefined)
    .map(([image]) => image)
    .toSorted();
  return refusal(
    owner,
    'spec.machine.image',
    machine.spec.machine.image ?? input.defaultImage,
    `an AMI id such as ami-0123456789abcdef0, or an image that the Composition maps for ${machine.spec.version} in ${region}: ${known.length === 0 ? 'there is none' : known.join(', ')}`,
  );
}
