/** From the image of a claim to an image of GCP, which is in no region. */
import type { SlipwayError } from '#lib/api/errors.ts';
import { own } from '#lib/api/json.ts';
import { refusal } from '#lib/api/refusal.ts';
import type { Situation } from './situation.ts';

/** Stands for every region in the images of the Composition. */
const EVERYWHERE = 'global';
const ID = /^(https:\/\/[^/]+\/compute\/v1\/)?projects\/[^/]+\/global\/images\/.+$/;

/** The image of a machine; undefined if the Composition does not have its name. */
export function imageOf({ machine, input }: Situation, region: string): string | undefined {
  const name = machine.spec.machine.image ?? input.defaultImage;
  if (name === undefined || ID.test(name)) return name;
  return [`${name}/${machine.spec.version}`, name]
    .map((key) => own(input.images, key) ?? {})
    .map((images) => own(images, region) ?? own(images, EVERYWHERE))
    .find((image) => image !== undefined);
}

/** The message that lists the accepted images. */
export function unknownImage({ machine, input, owner }: Situation, region: string): SlipwayError {
  const known = Object.entries(input.images)
    .filter(([, regions]) => (own(regions, region) ?? own(regions, EVERYWHERE)) !== undefined)
    .map(([image]) => image)
    .toSorted();
  return refusal(
    owner,
    'spec.machine.image',
    machine.spec.machine.image ?? input.defaultImage,
    `an image such as projects/my-project/global/images/node-v1-35-4, or one that the Composition maps for ${machine.spec.version} in ${region}: ${known.length === 0 ? 'there is none' : known.join(', ')}`,
  );
}
