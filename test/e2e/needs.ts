/** What a machine must have before anything is built or started. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { changedSince } from '../../package/build/inputs.ts';
import { MissingError, ROOT } from './binaries/find.ts';
import { providerPackages } from './packages/providers.ts';

const BUILT = join(ROOT, 'dist');

/**
 * Throws MissingError in one line for what the machine lacks, and another error for packages that are not of these
 * sources: CI counts only the first as passed. Building programs needs less.
 */
export function needs(onlyPrograms: boolean): void {
  if (onlyPrograms) return;
  if (process.getuid?.() !== 0)
    throw new MissingError('must run as root: functions are run from their images with chroot, as their own user');
  providerPackages();
  if (!existsSync(join(BUILT, 'configuration-slipway.xpkg')))
    throw new Error('cannot use dist/: it has no packages; build them first: npm run package');
  const change = changedSince(ROOT, BUILT);
  if (change !== undefined)
    throw new Error(`cannot use the packages in dist/: ${change}; build them again: npm run package`);
}
