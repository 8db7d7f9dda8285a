/** What a claim for Azure chooses once. */
import { at, isJsonObject, type Json } from '#lib/api/json.ts';
import {
  agreedScheme,
  isLoadBalancerMade,
  isNetworkMade,
  refuseMovedNetwork,
  type Scheme,
} from '#lib/cloud/chosen-once.ts';
import { isSameId } from '../ids.ts';
import type { Situation } from './situation.ts';

export const hasLoadBalancer = (situation: Situation): boolean => isLoadBalancerMade(situation, 'api-lb');

const hasOwnNetwork = (situation: Situation): boolean => isNetworkMade(situation, 'network');

/** Throws InvalidClaim if the claim states another scheme than the load balancer has. */
export function schemeOf(situation: Situation): Scheme {
  const { previous, observed } = situation;
  return agreedScheme(situation, previous.infrastructure?.apiAccess?.scheme ?? seenIn(observed));
}

function seenIn(observed: Situation['observed']): Scheme | undefined {
  const made = at(observed.get('api-lb'), 'spec', 'forProvider', 'frontendIpConfiguration');
  const [first] = Array.isArray(made) ? (made as readonly Json[]) : [];
  if (!isJsonObject(first)) return undefined;
  return 'publicIpAddressId' in first ? 'internet-facing' : 'internal';
}

export function refuseOtherNetwork(situation: Situation): void {
  refuseMovedNetwork(situation, {
    hasOwn: hasOwnNetwork(situation),
    isSame: isSameId,
    isForMachines: () => true,
  });
}
