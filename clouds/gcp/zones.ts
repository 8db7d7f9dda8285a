/** Zones are called by region and a letter: europe-west1-b. */
import type { ZoneNames } from '#lib/cloud/native-names.ts';

export const ZONE_NAMES: ZoneNames = {
  isOf: (zone, region) => zone.startsWith(`${region}-`),
  example: (region) => `${region}-b`,
  usual: (region) => ['a', 'b', 'c'].map((letter) => `${region}-${letter}`),
};
