/** The error for secrets that would reach a machine unencrypted, of a claim and of a machine. */
import type { SlipwayError } from '#lib/api/errors.ts';
import { refusalFor } from '#lib/api/refusal.ts';

/**
 * @param cloud  whose section of MachineInput has the list of its machines; undefined: not known yet
 * @param format  as in the claim
 * @param joinSecrets  whether it holds those, and not only values of Secrets that the claim refers to
 * @param others  formats that would do, as far as they are known
 */
export function inClear(
  owner: string,
  format: string,
  joinSecrets: boolean,
  cloud: string | undefined,
  others: readonly string[] = [],
): SlipwayError {
  const secrets = joinSecrets ? 'its join secrets' : 'the values of its Secrets';
  const ofMachines = cloud === undefined ? 'in that of its cloud in' : `in ${cloud}.allowInClear of`;
  const allowed = `${format} in allowInClear of ClusterInput and NodePoolInput, and ${ofMachines} MachineInput`;
  const accepted = [...others, allowed].join(', or ');
  return refusalFor(
    owner,
    'spec.provisioning.format',
    `no secret of the cloud can deliver "${format}", and everyone who may describe a machine could read ${secrets}; accepted: ${accepted}`,
    'Unsupported',
  );
}
