/** Names of each cloud are accepted, and typos of them and neutral names are not: a new family must need no change here. */
import { describe, expect, test } from 'vitest';
import { regionFault } from '#lib/cloud/asked.ts';
import type { NativeNames } from '#lib/cloud/native-names.ts';
import { nativeNamesOf } from './native-names.ts';

type Name = Exclude<keyof NativeNames, 'architectureOf' | 'everywhere' | 'diskTypes' | 'zone'>;
type Names = Readonly<Record<Name, readonly string[]>>;

const CLOUDS: Readonly<Record<string, { readonly real: Names; readonly none: Names }>> = {
  aws: {
    real: {
      instanceType: [
        'm6i.large',
        't3.nano',
        'm7i-flex.2xlarge',
        'u-6tb1.112xlarge',
        'c7i.metal-48xl',
        'p6e-gb200.36xlarge',
      ],
      image: ['ami-0123456789abcdef0', 'ami-12345678'],
      region: ['eu-west-1', 'us-gov-west-1', 'ap-southeast-7'],
    },
    none: {
      instanceType: ['m6i', 'm6i.xlagre', 'M6i.large', 'm6i.large '],
      image: ['ami-0123456789abcdefg', 'ami-1234', 'ubuntu-24.04'],
      region: ['eu-wset', 'eu-west', 'eu-west-1a'],
    },
  },
  azure: {
    real: {
      instanceType: [
        'Standard_D4s_v5',
        'Standard_E16-4ads_v5',
        'Standard_F4s_v2',
        'Standard_B2ms',
        'Standard_NC24ads_A100_v4',
        'Standard_M416-208ms_v2',
        'Standard_HB120rs_v3',
      ],
      image: [
        '/subscriptions/00000000-0000-4000-8000-000000000001/resourceGroups/images/providers/Microsoft.Compute/galleries/acme/images/node/versions/1.35.4',
        '/subscriptions/00000000-0000-4000-8000-000000000001/resourceGroups/images/providers/Microsoft.Compute/images/node',
        '/communityGalleries/acme-0a1b2c3d/images/ubuntu-2404/versions/1.35.4',
        '/sharedGalleries/acme/images/node/versions/latest',
        'canonical:ubuntu-24_04-lts:server:latest',
      ],
      region: ['westeurope', 'eastus2', 'germanywestcentral', 'usgovvirginia'],
    },
    none: {
      instanceType: ['D4s_v5', 'Standard_', 'Standard_D', 'standard_d4s_v5', 'Standard_D4s_v5 ', 'n2-standard-4'],
      image: ['/communityGalleries/acme', 'canonical:ubuntu', 'ubuntu-24.04', 'ami-12345678'],
      region: ['eu-west', 'eu-wset', 'westeurope-1', 'West Europe', 'eu1'],
    },
  },
  gcp: {
    real: {
      instanceType: [
        'n2-standard-4',
        'c2d-highcpu-16',
        'e2-medium',
        'f1-micro',
        'a2-highgpu-1g',
        'm1-ultramem-40',
        'c3-standard-192-metal',
        'z9-standard-8-lssd',
        'ct5lp-hightpu-4t',
        'custom-4-8192',
        'e2-custom-small-4096',
        'n2-custom-6-20480-ext',
      ],
      image: [
        'projects/my-project/global/images/node-v1-35-4',
        'projects/example.com:my-project/global/images/node',
        'projects/ubuntu-os-cloud/global/images/family/ubuntu-2404-lts-amd64',
        'https://www.googleapis.com/compute/v1/projects/my-project/global/images/node',
      ],
      region: ['europe-west1', 'northamerica-northeast2', 'us-east5', 'europe-west12'],
    },
    none: {
      instanceType: ['n2', 'n2-standrad-4', 'n2-standard', 'N2-standard-4', 'n2-standard-4 ', 'n2.large', 'm6i.large'],
      image: ['projects/my-project/global/images/', 'projects/my-project/images/node', 'ubuntu-24.04', 'ami-12345678'],
      region: ['europe-wset', 'eu-west', 'europe-west1-b', 'eu-west-1'],
    },
  },
};

/** Of the catalogs that come with Slipway. */
const CLASSES = ['standard-2', 'standard-16', 'memory-8', 'compute-4', 'standrad-2', 'gpu-8', 'burst-2'];

describe.for(Object.entries(CLOUDS))('%s', ([cloud, { real, none }]) => {
  const names = nativeNamesOf(cloud);
  const is = (kind: Name, name: string): boolean | undefined => names?.[kind].pattern.test(name);

  test.for(Object.entries(real) as readonly (readonly [Name, readonly string[]])[])('has names: %s', ([kind, all]) => {
    expect(all.filter((name) => is(kind, name) !== true)).toEqual([]);
  });

  test.for(Object.entries(none) as readonly (readonly [Name, readonly string[]])[])(
    'has no such: %s',
    ([kind, all]) => {
      expect(all.filter((name) => is(kind, name) !== false)).toEqual([]);
    },
  );

  test('does not take a neutral size for its own', () => {
    expect(CLASSES.filter((name) => is('instanceType', name) !== false)).toEqual([]);
  });

  test('shows an example that is one', () => {
    const examples = Object.entries(names ?? {}).flatMap(([kind, name]) =>
      typeof name === 'object' && 'accepted' in name ? [[kind, name.accepted.split(' ').at(-1) ?? ''] as const] : [],
    );
    expect(examples.filter(([kind, name]) => is(kind as Name, name) !== true)).toEqual([]);
  });
});

test.for([
  { cloud: 'azure', region: 'West Europe', meant: 'westeurope' },
  { cloud: 'azure', region: 'WestEurope', meant: 'westeurope' },
  { cloud: 'aws', region: 'EU West 1', meant: 'eu-west-1' },
  { cloud: 'aws', region: 'EU_WEST_1', meant: 'eu-west-1' },
  { cloud: 'gcp', region: 'Europe-West1', meant: 'europe-west1' },
  { cloud: 'gcp', region: 'Europe/Zurich', meant: undefined },
])('a region of $cloud as a console shows it, $region, is told $meant', ({ cloud, region, meant }) => {
  const fault = regionFault(region, { regions: {} }, nativeNamesOf(cloud));
  expect(fault?.accepted.split('; did you mean ')[1]).toBe(meant === undefined ? undefined : `"${meant}"?`);
});
