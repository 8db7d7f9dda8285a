/** Settings of a host that no first boot could make, whatever its format: refused at the claim. */
import type { Claimed } from '#lib/api/fields/provisioning.ts';
import { refusal } from '#lib/api/refusal.ts';

/**
 * The key of list entries. Formats differ in whether the first or the last duplicate wins, so duplicates are refused.
 */
const KEYS = {
  users: 'name',
  groups: 'name',
  units: 'name',
  disks: 'device',
  filesystems: 'device',
  mounts: 'path',
} as const satisfies Partial<Record<keyof Claimed, string>>;

/** Throws InvalidClaim for the first setting that no host can have. */
export function refuseHostSettings(customisation: Claimed, owner: string): void {
  refuseRepeats(customisation, owner);
}

function refuseRepeats(customisation: Claimed, owner: string): void {
  for (const [list, key] of Object.entries(KEYS))
    refuseRepeat(customisation[list as keyof typeof KEYS], list, key, owner);
  customisation.units.forEach(({ dropIns }, index) => refuseRepeat(dropIns, `units[${index}].dropIns`, 'name', owner));
}

function refuseRepeat(entries: readonly object[], list: string, key: string, owner: string): void {
  const values = entries.map((entry) => (entry as Readonly<Record<string, unknown>>)[key]);
  const index = values.findIndex((value, at) => values.indexOf(value) !== at);
  if (index === -1) return;
  throw refusal(owner, `spec.provisioning.${list}[${index}].${key}`, values[index], `each ${key} once`);
}
