/** From a claim's words to an AMI. */
import { refusal } from '#lib/api/refusal.ts';
import type { Situation } from '../situation.ts';

/** The AMI of the machine. Throws InvalidClaim naming the images the Composition knows for the region. */
export function imageOf({ machine, input, owner }: Situation, region: string): string {
  const { version } = machine.spec;
  const name = machine.spec.machine.image ?? input.defaultImage;
  if (name?.startsWith('ami-') === true) return name;
  const found =
    name === undefined ? undefined : (input.images[`${name}/${version}`]?.[region] ?? input.images[name]?.[region]);
  if (found !== undefined) return found;
  const known = Object.entries(input.images)
    .filter(([, regions]) => regions[region] !== undefined)
    .map(([image]) => image)
    .toSorted();
  const accepted =
    known.length === 0
      ? `an AMI id: the Composition maps no image for region ${region}`
      : `an AMI id, or for region ${region} and ${version}: ${known.join(', ')}`;
  throw refusal(owner, 'spec.machine.image', name ?? null, accepted);
}
