/** Sizes of each cloud have the architecture that their names say, and the simulated cloud says the same. */
import { expect, test } from 'vitest';
import type { JsonObject } from '#lib/api/json.ts';
import { nativeNamesOf } from './native-names.ts';
import { SIMULATED_CLOUDS } from './simulated.ts';

const ARM = {
  aws: [
    'm7g.xlarge',
    'c6gn.large',
    't4g.nano',
    'm6gd.large',
    'x2gd.metal',
    'im4gn.large',
    'is4gen.medium',
    'g5g.xlarge',
    'a1.large',
    'hpc7g.16xlarge',
    'i8ge.large',
    'c8gb.large',
    'p6e-gb200.36xlarge',
  ],
  azure: [
    'Standard_D4ps_v5',
    'Standard_D4plds_v6',
    'Standard_B2pts_v2',
    'Standard_E8-4pds_v6',
    'Standard_ND128isr_GB300_v6',
  ],
  gcp: ['t2a-standard-4', 'c4a-standard-4-lssd', 'n4a-custom-4-8192', 'a4x-highgpu-4g'],
};
const OTHERS = {
  aws: [
    'm6i.large',
    'm5zn.large',
    'm7i-flex.large',
    'g6e.xlarge',
    'gr6.4xlarge',
    'g4dn.xlarge',
    'p5en.48xlarge',
    'u-6tb1.112xlarge',
    'u7i-12tb.224xlarge',
    't3.nano',
    'trn1n.32xlarge',
    'hpc7a.12xlarge',
    'x8aedz.large',
  ],
  azure: [
    'Standard_D4s_v5',
    'Standard_NP10s',
    'Standard_PB6s',
    'Standard_E16-4ads_v5',
    'Standard_A4_v2',
    'Basic_A1',
    'Standard_NC24ads_A100_v4',
  ],
  gcp: [
    'n2-standard-4',
    'e2-medium',
    'c4d-standard-4',
    'a3-highgpu-8g',
    'a2-megagpu-16g',
    'n2d-custom-4-8192',
    'custom-4-8192',
  ],
};

const each = (sizes: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(sizes).flatMap(([cloud, names]) => names.map((size) => ({ cloud, size })));

test.for(each(ARM))('$size has arm64', ({ cloud, size }) => {
  expect(nativeNamesOf(cloud)?.architectureOf?.(size)).toBe('arm64');
  expect(simulated(cloud, size) ?? 'arm64').toBe('arm64');
});

test.for(each(OTHERS))('$size has amd64', ({ cloud, size }) => {
  expect(nativeNamesOf(cloud)?.architectureOf?.(size)).toBe('amd64');
  expect(simulated(cloud, size) ?? 'amd64').toBe('amd64');
});

test.for(['mac2.metal', 'mac-m4.metal', 'trn3.48xlarge'])('nobody knows what %s has', (size) => {
  expect(nativeNamesOf('aws')?.architectureOf?.(size)).toBeUndefined();
});

/** Undefined: a size that the simulated cloud does not know. */
function simulated(cloud: string, size: string): string | undefined {
  const kinds = SIMULATED_CLOUDS.find(({ name }) => name === cloud)?.kinds ?? [];
  const sizes: JsonObject = { instanceType: size, size, machineType: size };
  return kinds.flatMap(({ boots }) => boots?.(sizes).architecture ?? [])[0];
}
