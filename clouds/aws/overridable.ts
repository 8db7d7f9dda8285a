/**
 * What claims may override on AWS when the Composition does not say it: nothing that gives rights, opens or moves a
 * network, weakens encryption, names an owner (tags, labels and annotations do) or keeps an object from being deleted.
 */
import type { Overridable } from '#lib/fn/overridable.ts';

export const OVERRIDABLE: Overridable = {
  Instance: [
    'spec.forProvider.cpuOptions',
    'spec.forProvider.creditSpecification',
    'spec.forProvider.ebsOptimized',
    'spec.forProvider.enclaveOptions',
    'spec.forProvider.instanceMarketOptions',
    'spec.forProvider.maintenanceOptions',
    'spec.forProvider.monitoring',
    'spec.forProvider.placementGroup',
    'spec.forProvider.placementPartitionNumber',
    'spec.forProvider.privateDnsNameOptions',
    'spec.forProvider.tenancy',
  ],
  LB: ['spec.forProvider.enableCrossZoneLoadBalancing'],
  LBTargetGroup: [
    'spec.forProvider.connectionTermination',
    'spec.forProvider.deregistrationDelay',
    'spec.forProvider.healthCheck',
  ],
};
