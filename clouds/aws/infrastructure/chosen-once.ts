/** What a claim for AWS chooses once. */
import { isLoadBalancerMade, isNetworkMade, refuseMovedNetwork } from '#lib/cloud/chosen-once.ts';
import type { Situation } from './situation.ts';

export const hasLoadBalancer = (situation: Situation): boolean => isLoadBalancerMade(situation, 'lb-api');

export function refuseOtherNetwork(situation: Situation): void {
  refuseMovedNetwork(situation, {
    hasOwn: isNetworkMade(situation, 'vpc'),
    isSame: (id, other) => id === other,
    isForMachines: (subnet) => !subnet.public,
  });
}
