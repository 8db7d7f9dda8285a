/** Checks of all provisioners on lists of a claim: no duplicates. */
import { posix } from 'node:path';
import type { Claimed } from '#lib/api/fields/provisioning.ts';
import { refusal } from '#lib/api/refusal.ts';

interface Placed {
  readonly path: string;
  readonly append?: boolean;
  /** The field of the claim, unless it is one of its files. */
  readonly field?: string;
}

/** Throws InvalidClaim for the first path that is written twice, in the order of writing. */
export function refuseDuplicates(files: readonly Placed[], what: string): void {
  const seen = new Set<string>();
  for (const { path, append, field = 'files' } of files) {
    const place = posix.normalize(path);
    if (append !== true && seen.has(place))
      throw refusal(what, `spec.provisioning.${field}`, path, 'a path that nothing else writes, or append: true');
    seen.add(place);
  }
}

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

/** Throws InvalidClaim for the first duplicate entry of a list. */
export function refuseRepeats(customisation: Claimed, owner: string): void {
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
