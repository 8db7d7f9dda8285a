import { expect, test } from 'vitest';
import { isSize } from './sizes.ts';

test.for([
  'Standard_D2s_v5',
  'Standard_E16ads_v5',
  'Standard_F4s_v2',
  'Standard_B2ms',
  'Standard_D4ps_v6',
  'Standard_M416-208ms_v2',
  'Standard_NC24ads_A100_v4',
  'Standard_A4_v2',
])('Azure has %s', (name) => {
  expect(isSize(name)).toBe(true);
});

test.for(['standard-2', 'Standard_D2z_v5', 'Standard_Q4s_v5', 'Standard_D7s_v5', 'D2s_v5', 'Standard_D', ''])(
  'Azure has no "%s"',
  (name) => {
    expect(isSize(name)).toBe(false);
  },
);
