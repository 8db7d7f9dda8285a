/** Versions of Kubernetes that a bootstrapper does not support. */
import { minor, valid } from 'semver';
import { refusal } from '#lib/api/refusal.ts';
import type { Minors } from './traits.ts';

/** What is accepted instead of the version; undefined: the version is. */
export function minorFault(version: string, { oldest, newest }: Minors, by: string): string | undefined {
  // What is no version is none of the accepted ones.
  const number = valid(version) === null ? Number.NaN : minor(version);
  if (number >= oldest && (newest === undefined || number <= newest)) return undefined;
  return `${newest === undefined ? `v1.${oldest} and newer` : `v1.${oldest} to v1.${newest}`} with ${by}`;
}

/** Throws Unsupported for an unsupported version. @param by name of the bootstrapper in messages */
export function refuseMinor(version: string, minors: Minors, by: string, owner: string): void {
  const accepted = minorFault(version, minors, by);
  if (accepted !== undefined) throw refusal(owner, 'spec.version', version, accepted, 'Unsupported');
}
