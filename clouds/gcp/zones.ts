/** Zones are called by region and a letter: europe-west1-b. */
import type { ZoneNames } from '#lib/cloud/native-names.ts';

/** After the region. Zones for accelerators have more there: us-south1-ai1b. */
const OWN = /^([a-z]+[0-9]+)?[a-z]$/;

export const ZONE_NAMES: ZoneNames = {
  isOf: (zone, region) => zone.startsWith(`${region}-`) && OWN.test(zone.slice(region.length + 1)),
  example: (region) => `${region}-b`,
  usual: (region) => ['a', 'b', 'c'].map((letter) => `${region}-${letter}`),
};
