/** Versions of Kubernetes that a bootstrapper does not support. */
import { minor, valid } from 'semver';
import { at, own } from '#lib/api/json.ts';
import { refusal } from '#lib/api/refusal.ts';
import type { BootstrapperTraits, Minors } from './traits.ts';

/** What is accepted instead of the version; undefined: the version is. */
export function minorFault(version: string, { oldest, newest }: Minors, by: string): string | undefined {
  // What is no version is none of the accepted ones.
  const number = valid(version) === null ? Number.NaN : minor(version);
  if (number >= oldest && (newest === undefined || number <= newest)) return undefined;
  return `${newest === undefined ? `v1.${oldest} and newer` : `v1.${oldest} to v1.${newest}`} with ${by}`;
}

/**
 * The same of a whole claim: what its bootstrapper supports, and then what the release of the system that it names runs.
 * @param config  `spec.bootstrap.config`
 */
export function versionFault(
  version: string,
  { minors, releases }: Pick<BootstrapperTraits, 'minors' | 'releases'>,
  provider: string,
  config: unknown,
): string | undefined {
  const ofAll = minors === undefined ? undefined : minorFault(version, minors, provider);
  if (ofAll !== undefined || releases === undefined) return ofAll;
  const named = at(config, releases.field);
  const release = typeof named === 'string' ? named : releases.usual;
  const runs = own(releases.minors, release);
  return runs === undefined ? undefined : minorFault(version, runs, `${releases.of} ${release}`);
}

/** Throws Unsupported for an unsupported version. @param by name of the bootstrapper in messages */
export function refuseMinor(version: string, minors: Minors, by: string, owner: string): void {
  const accepted = minorFault(version, minors, by);
  if (accepted !== undefined) throw refusal(owner, 'spec.version', version, accepted, 'Unsupported');
}
