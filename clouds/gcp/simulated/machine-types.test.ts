import { expect, test } from 'vitest';
import { isMachineType } from './machine-types.ts';

test.for([
  'n2-standard-4',
  'c2d-highcpu-16',
  'e2-medium',
  'f1-micro',
  'a2-highgpu-1g',
  'a3-megagpu-8g',
  'm1-ultramem-40',
  'c3-standard-192-metal',
  'c3-standard-4-lssd',
  'ct5lp-hightpu-4t',
  'custom-4-8192',
  'n2-custom-6-20480-ext',
])('Compute Engine has %s', (name) => {
  expect(isMachineType(name)).toBe(true);
});

test.for(['standrad-2', 'standard-4', 'n2', 'n2-standrad-4', 'n2-standard', 'q9-standard-2', 'n2-standard-4-x', ''])(
  'Compute Engine has no "%s"',
  (name) => {
    expect(isMachineType(name)).toBe(false);
  },
);
