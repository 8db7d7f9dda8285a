/** Zones are called by region and a letter: eu-west-1a. */
import type { ZoneNames } from '#lib/cloud/native-names.ts';

/** After the region. Local zones and those of carriers have more there: us-west-2-lax-1a, us-east-1-wl1-bos-wlz-1. */
const OWN = /^([a-z]|-[a-z][a-z0-9]*(-[a-z]+)*-[0-9]+[a-z]?)$/;

export const ZONE_NAMES: ZoneNames = {
  isOf: (zone, region) => zone.startsWith(region) && OWN.test(zone.slice(region.length)),
  example: (region) => `${region}a`,
  usual: (region) => ['a', 'b', 'c'].map((letter) => `${region}${letter}`),
};
