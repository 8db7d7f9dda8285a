/**
 * What claims may override on Azure when the Composition does not say it: nothing that gives rights, opens or moves a
 * network, weakens encryption, names an owner (tags do) or keeps an object from being deleted.
 */
import type { Overridable } from '#lib/fn/overridable.ts';

export const OVERRIDABLE: Overridable = {
  LinuxVirtualMachine: [
    'spec.forProvider.additionalCapabilities',
    'spec.forProvider.capacityReservationGroupId',
    'spec.forProvider.evictionPolicy',
    'spec.forProvider.maxBidPrice',
    'spec.forProvider.plan',
    'spec.forProvider.priority',
    'spec.forProvider.proximityPlacementGroupId',
    'spec.forProvider.secureBootEnabled',
    'spec.forProvider.terminationNotification',
    'spec.forProvider.vtpmEnabled',
  ],
  NetworkInterface: ['spec.forProvider.acceleratedNetworkingEnabled', 'spec.forProvider.dnsServers'],
  LoadBalancerProbe: ['spec.forProvider.intervalInSeconds', 'spec.forProvider.numberOfProbes'],
  LoadBalancerRule: ['spec.forProvider.idleTimeoutInMinutes', 'spec.forProvider.loadDistribution'],
};
