/** Zones, called by region and number as controllers of Azure label nodes: westeurope-1. */
import type { ZoneNames } from '#lib/cloud/native-names.ts';

export const ZONE_NAMES: ZoneNames = {
  isOf: (zone, region) => zone.startsWith(`${region}-`) && /^[1-9]$/.test(zone.slice(region.length + 1)),
  example: (region) => `${region}-1`,
  usual: (region) => ['1', '2', '3'].map((number) => `${region}-${number}`),
};

/** What Azure calls it: 1. */
export function zoneNumber(zone: string): string {
  return zone.slice(zone.lastIndexOf('-') + 1);
}
