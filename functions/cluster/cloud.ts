/** A cluster keeps its cloud: an edit of what chooses its Composition would make a second one beside it. */
import { refusalFor } from '#lib/api/refusal.ts';
import { LABEL } from '#lib/api/words.ts';
import type { CalledSituation } from './situation.ts';

/** Throws InvalidClaim for a Cluster whose Composition is for another cloud than its infrastructure is on. */
export function refuseOtherCloud({ previous, input, owner }: CalledSituation): void {
  const its = previous.infrastructure?.cloud;
  if (its === undefined || its === input.cloud) return;
  throw refusalFor(
    owner,
    'spec.crossplane',
    `the cluster is on ${its}, but the Composition chosen makes clusters on ${input.cloud}; accepted: a Composition for ${its}, such as one with the label ${LABEL.flavor}: ${its}, since what exists cannot move to another cloud`,
  );
}
