/** What a claim for GCP chooses once. */
import { at } from '#lib/api/json.ts';
import {
  agreedScheme,
  isLoadBalancerMade,
  isNetworkMade,
  refuseMovedNetwork,
  type Scheme,
} from '#lib/cloud/chosen-once.ts';
import type { Situation } from './situation.ts';

export const hasLoadBalancer = (situation: Situation): boolean => isLoadBalancerMade(situation, 'api-rule');

const hasOwnNetwork = (situation: Situation): boolean => isNetworkMade(situation, 'network');

/** Throws InvalidClaim if the claim states another scheme than the load balancer has. */
export function schemeOf(situation: Situation): Scheme {
  const { previous, observed } = situation;
  const made = at(observed.get('api-rule'), 'spec', 'forProvider', 'loadBalancingScheme');
  const seen = made === 'EXTERNAL' ? 'internet-facing' : made === 'INTERNAL' ? 'internal' : undefined;
  return agreedScheme(situation, previous.infrastructure?.apiAccess?.scheme ?? seen);
}

export function refuseOtherNetwork(situation: Situation): void {
  refuseMovedNetwork(situation, {
    hasOwn: hasOwnNetwork(situation),
    isSame: (id, other) => id === other,
    isForMachines: () => true,
  });
}
