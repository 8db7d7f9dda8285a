/** What the owner of a host is asked to install: what the Composition maps, or the word of the claim. */
import { own } from '#lib/api/json.ts';
import type { Situation } from './situation.ts';

/** Stands for every region in the images of the Composition. */
const EVERYWHERE = 'global';

/** Undefined: what is on the host already. */
export function imageOf({ machine, input }: Situation, region: string): string | undefined {
  const name = machine.spec.machine.image ?? input.defaultImage;
  if (name === undefined) return undefined;
  const mapped = [`${name}/${machine.spec.version}`, name]
    .map((key) => own(input.images, key) ?? {})
    .map((images) => own(images, region) ?? own(images, EVERYWHERE))
    .find((image) => image !== undefined);
  return mapped ?? name;
}
