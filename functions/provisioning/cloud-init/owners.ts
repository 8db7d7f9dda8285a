/**
 * Owners of files in cloud-init's words. It looks names up and stops at a number: what is somebody's by number is root's
 * at first, and the script gives it away before any command runs.
 */
import { posix } from 'node:path';
import { quoted } from '#lib/fn/quoted.ts';
import type { Order } from '../provisioner.ts';
import type { Step } from '../script.ts';

/** Who owns a file when cloud-init wrote it. */
export function writtenAs(owner: string): string {
  return isNumbered(owner) ? 'root:root' : owner;
}

/** Of a path that is written several times the last one says whose it is. */
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

function isNumbered(owner: string): boolean {
  return owner.split(':').some((word) => /^[0-9]+$/.test(word));
}
