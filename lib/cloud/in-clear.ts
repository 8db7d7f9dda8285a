/** The error for secrets that would reach a machine unencrypted, of a claim and of a machine. */
import type { SlipwayError } from '#lib/api/errors.ts';
import { refusalFor } from '#lib/api/refusal.ts';

/** One of each step that judges it. */
const INPUTS = 'ClusterInput, NodePoolInput and MachineInput of the Compositions';

/**
 * @param format  as in the claim
 * @param joinSecrets  whether it holds those, and not only values of Secrets that the claim refers to
 * @param others  formats that would do, as far as they are known
 */
export function inClear(
  owner: string,
  format: string,
  joinSecrets: boolean,
  others: readonly string[] = [],
): SlipwayError {
  const secrets = joinSecrets ? 'its join secrets' : 'the values of its Secrets';
  const accepted = [...others, `${format} in allowInClear of ${INPUTS}`].join(', or ');
  return refusalFor(
    owner,
    'spec.provisioning.format',
    `no secret of the cloud can deliver "${format}", and everyone who may describe a machine could read ${secrets}; accepted: ${accepted}`,
    'Unsupported',
  );
}
