/** A zone is of one region: one region may have a name that begins as that of another. */
import { describe, expect, test } from 'vitest';
import { didYouMean } from '#lib/api/nearest.ts';
import { nativeNamesOf } from './native-names.ts';

interface Zones {
  readonly region: string;
  readonly own: readonly string[];
  readonly others: readonly string[];
}

const CLOUDS: Readonly<Record<string, readonly Zones[]>> = {
  aws: [
    {
      region: 'eu-west-1',
      own: ['eu-west-1a', 'eu-west-1f'],
      others: ['eu-west-10a', 'eu-west-1', 'eu-west-1-', 'eu-west-1ab', 'eu-west-1A', 'eu-west-2a', 'a'],
    },
    // Local zones, and wavelength zones of carriers.
    {
      region: 'us-west-2',
      own: ['us-west-2d', 'us-west-2-lax-1a', 'us-west-2-phx-2a', 'us-west-2-wl1-las-wlz-1'],
      others: ['us-west-1-lax-1a', 'us-west-2-lax', 'us-west-2-lax-', 'us-west-20-lax-1a', 'us-west-2lax-1a'],
    },
    { region: 'us-gov-west-1', own: ['us-gov-west-1b'], others: ['us-west-1b', 'gov-west-1b'] },
  ],
  azure: [
    {
      region: 'eastus',
      own: ['eastus-1', 'eastus-3'],
      others: ['eastus2-1', 'eastus21', 'eastus1', 'eastus', 'eastus-', 'eastus-0', 'eastus-10', 'eastus-a', '1'],
    },
    { region: 'eastus2', own: ['eastus2-1'], others: ['eastus-1', 'eastus-2'] },
  ],
  gcp: [
    {
      region: 'europe-west1',
      own: ['europe-west1-b', 'europe-west1-d'],
      others: ['europe-west12-a', 'europe-west1', 'europe-west1-', 'europe-west1b', 'europe-west1-1', 'b'],
    },
    // Zones for accelerators have a name of their own.
    { region: 'us-south1', own: ['us-south1-a', 'us-south1-ai1b'], others: ['us-south1-ai', 'us-south1-a-b'] },
  ],
};

describe.for(Object.entries(CLOUDS))('%s', ([cloud, regions]) => {
  const names = nativeNamesOf(cloud)?.zone;

  test.for(regions)('$region has its zones and no others', ({ region, own, others }) => {
    const accepted = [...own, ...others].filter((zone) => names?.isOf(zone, region) === true);
    expect(accepted).toEqual(own);
  });

  test.for(regions)('what is shown and taken by default for $region is of it', ({ region }) => {
    const shown = [names?.example(region) ?? '', ...(names?.usual(region) ?? [])];
    expect(shown.filter((zone) => names?.isOf(zone, region) !== true)).toEqual([]);
  });

  test.for(regions)('one of $region that is called by its end alone is told its name', ({ region }) => {
    const usual = names?.usual(region) ?? [];
    const told = usual.map((zone) => didYouMean(zone.slice(region.length).replace('-', ''), usual));
    expect(told).toEqual(usual.map((zone) => `; did you mean "${zone}"?`));
  });
});
