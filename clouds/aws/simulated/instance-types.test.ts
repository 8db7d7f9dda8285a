import { expect, test } from 'vitest';
import { isInstanceType } from './instance-types.ts';

test.for(['m6i.large', 'r6i.4xlarge', 'c6i.16xlarge', 't3.micro', 'm7g.metal', 'c7i.metal-48xl', 'p5.48xlarge'])(
  'EC2 has %s',
  (name) => {
    expect(isInstanceType(name)).toBe(true);
  },
);

test.for(['standrad-2', 'standard-4', 'm6i', 'm6i.xlagre', 'm6x.large', 'm6i.large.x', ''])(
  'EC2 has no "%s"',
  (name) => {
    expect(isInstanceType(name)).toBe(false);
  },
);
