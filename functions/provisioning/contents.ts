/** What every provisioner checks of what a claim lists: nothing is written twice, and nothing is said twice. */
import { posix } from 'node:path';
import type { Customisation } from '#lib/api/fields/provisioning.ts';
import { refusal } from '#lib/api/refusal.ts';

interface Placed {
  readonly path: string;
  readonly append?: boolean;
  /** Where the claim says it, unless it is one of its files. */
  readonly field?: string;
}

/** Throws InvalidClaim for the first path that is written twice, in the order things are written. */
export function refuseDuplicates(files: readonly Placed[], what: string): void {
  const seen = new Set<string>();
  for (const { path, append, field = 'files' } of files) {
    const place = posix.normalize(path);
    if (append !== true && seen.has(place))
      throw refusal(what, `spec.provisioning.${field}`, path, 'a path that nothing else writes, or append: true');
    seen.add(place);
  }
}

/** What tells entries of a list apart. Formats differ in whether the first or the last of two wins, so none decides. */
const KEYS = {
  users: 'name',
  groups: 'name',
  units: 'name',
  disks: 'device',
  filesystems: 'device',
  mounts: 'path',
} as const satisfies Partial<Record<keyof Customisation, string>>;

/** Throws InvalidClaim for the first entry of a list that another one before it is, too. */
export function refuseRepeats(customisation: Customisation, owner: string): void {
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
