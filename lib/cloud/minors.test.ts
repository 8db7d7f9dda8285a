import { expect, test } from 'vitest';
import { minorFault } from './minors.ts';

const MINORS = { oldest: 33, newest: 35, since: {} };

test.for([
  ['v1.33.9', undefined],
  ['v1.35.0', undefined],
  ['v1.32.9', 'v1.33 to v1.35 with k0s'],
  ['v1.36.0', 'v1.33 to v1.35 with k0s'],
  ['False', 'v1.33 to v1.35 with k0s'],
] as const)('version %s: %s', ([version, accepted]) => expect(minorFault(version, MINORS, 'k0s')).toBe(accepted));
