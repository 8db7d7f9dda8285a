/** Refuses versions of Kubernetes that a bootstrapper does not support. */
import { minor } from 'semver';
import { SlipwayError } from '#lib/api/errors.ts';
import type { Minors } from '#lib/cloud/traits.ts';

/** Throws Unsupported for an unsupported version. @param by name of the bootstrapper in messages */
export function refuseMinor(version: string, { oldest, newest }: Minors, by: string, owner: string): void {
  const number = minor(version);
  if (number >= oldest && (newest === undefined || number <= newest)) return;
  const accepted = newest === undefined ? `v1.${oldest} and newer` : `v1.${oldest} to v1.${newest}`;
  throw new SlipwayError(
    'Unsupported',
    `cannot bootstrap ${owner} with ${by}: spec.version: "${version}" is not accepted; accepted: ${accepted}`,
  );
}
