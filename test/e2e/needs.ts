/** What a machine must have before anything is built or started. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { MissingError, ROOT } from './binaries/find.ts';
import { providerPackages } from './packages/providers.ts';

/** Throws MissingError in one line. Building programs needs less. */
export function needs(onlyPrograms: boolean): void {
  if (onlyPrograms) return;
  if (process.getuid?.() !== 0)
    throw new MissingError('must run as root: functions are run from their images with chroot, as their own user');
  if (!existsSync(join(ROOT, 'dist/configuration-slipway.xpkg')))
    throw new MissingError('no packages in dist/; build them first: npm run package');
  providerPackages();
}
