/**
 * Owners of files for cloud-init. It only accepts names: files owned by a numeric id belong to root first, and the
 * script changes the owner before any command runs.
 */
import { posix } from 'node:path';
import { quoted } from '#lib/fn/quoted.ts';
import type { Order } from '../provisioner.ts';
import type { Step } from '../script.ts';

/** The owner of a file as written by cloud-init. */
export function writtenAs(owner: string): string {
  return isNumbered(owner) ? 'root:root' : owner;
}

/** If a path is written several times, the last entry sets the owner. */
export function ownerSteps({ plan, customisation }: Order<'scripted'>): readonly Step[] {
  const files = [
    ...customisation.files.map((file, index) => ({ ...file, field: `files[${index}].owner` })),
    ...plan.files.map((file, index) => ({ ...file, field: `${plan.provider} files[${index}].owner` })),
  ];
  const last = new Map(files.map((file) => [posix.normalize(file.path), file]));
  return [...last.values()]
    .filter(({ owner }) => isNumbered(owner))
    .map(({ field, owner, path }) => ({ field, command: `chown ${quoted(owner)} ${quoted(path)}` }));
}

/** Whether it has a number, which cloud-init would take for a name. */
export function isNumbered(owner: string): boolean {
  return owner.split(':').some((word) => /^[0-9]+$/.test(word));
}
