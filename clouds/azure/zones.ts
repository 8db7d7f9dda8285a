/** Zones, called by region and number as controllers of Azure label nodes: westeurope-1. */

export function isZoneOf(region: string, zone: string): boolean {
  return zone.startsWith(`${region}-`) && /^[1-9]$/.test(zone.slice(region.length + 1));
}

/** What Azure calls it: 1. */
export function zoneNumber(zone: string): string {
  return zone.slice(zone.lastIndexOf('-') + 1);
}

/** Of regions that the Composition does not list. */
export function usualZones(region: string): readonly string[] {
  return ['1', '2', '3'].map((number) => `${region}-${number}`);
}
