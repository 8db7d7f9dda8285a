/** mmdebstrap and systemd-nspawn: those of the host, or otherwise from Debian packages, unpacked into the cache. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { MissingError } from '../../e2e/binaries/find.ts';
import { fetchPackage } from '../../judges/debian.ts';
import { isInstalled } from '../../judges/run.ts';
import { CACHE } from './cache.ts';

export interface Tool {
  readonly program: string;
  readonly env: Readonly<Record<string, string>>;
}

type Name = keyof typeof PACKAGES;

/** nspawn loads a library that has as many versions as systemd. */
const PACKAGES = {
  mmdebstrap: ['mmdebstrap'],
  'systemd-nspawn': ['systemd-container', 'libsystemd-shared'],
} as const;

const RELEASE = 'bookworm';

/** Throws MissingError, in one line, if it can be neither found nor downloaded. */
export function tool(name: Name): Tool {
  if (isInstalled(name)) return { program: name, env: {} };
  const folder = join(CACHE, 'tools', name);
  if (!existsSync(folder)) fetch(name, folder);
  return { program: join(folder, 'usr/bin', name), env: { LD_LIBRARY_PATH: libraries(folder) } };
}

function fetch(name: Name, folder: string): void {
  for (const each of PACKAGES[name]) {
    const problem = fetchPackage(each, RELEASE, folder);
    if (problem === undefined) continue;
    rmSync(folder, { recursive: true, force: true });
    const cause = problem.replaceAll(/\s+/g, ' ').slice(-200);
    throw new MissingError(`${name} is not installed, and Debian's package ${each} cannot be fetched: ${cause}`);
  }
}

function libraries(folder: string): string {
  const triplet = process.arch === 'arm64' ? 'aarch64-linux-gnu' : 'x86_64-linux-gnu';
  return join(folder, 'usr/lib', triplet, 'systemd');
}
