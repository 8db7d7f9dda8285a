/** A name that the platform has and does not allow is no typo of one that it allows. */
import { expect, test } from 'vitest';
import { MachineTemplate } from '#lib/api/fields/machine-template.ts';
import { outsideLimits } from './limits.ts';

const CATALOG = {
  classes: { 'standard-2': 'm6i.large', 'standard-4': 'm6i.xlarge' },
  images: { 'ubuntu-24.04/v1.35.4': {}, 'ubuntu-22.04/v1.35.4': {} },
};
const LIMITS = { sizes: ['standard-2'], images: ['ubuntu-24.04'], encryptedDisks: false };

test.for([
  { class: 'standard-4', image: 'ubuntu-22.04', meant: ['', ''], why: 'both exist' },
  {
    class: 'standrad-2',
    image: 'ubunut-24.04',
    meant: ['; did you mean "standard-2"?', '; did you mean "ubuntu-24.04"?'],
    why: 'both are misspelt',
  },
])('class $class and image $image outside the limits end with $meant: $why', ({ class: size, image, meant }) => {
  const machine = MachineTemplate.parse({ class: size, image });
  const outside = outsideLimits(machine, LIMITS, CATALOG, undefined, []);
  expect(outside.map((one) => one.meant)).toEqual(meant);
});
