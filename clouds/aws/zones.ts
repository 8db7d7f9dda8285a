/** Zones are called by region and a letter: eu-west-1a; local ones have more between them. */
import type { ZoneNames } from '#lib/cloud/native-names.ts';

export const ZONE_NAMES: ZoneNames = {
  isOf: (zone, region) => zone.startsWith(region),
  example: (region) => `${region}a`,
  usual: (region) => ['a', 'b', 'c'].map((letter) => `${region}${letter}`),
};
