/**
 * What claims may override on GCP when the Composition does not say it: nothing that gives rights, opens or moves a
 * network, weakens encryption, names an owner (labels and descriptions do) or keeps an object from being deleted.
 */
import type { Overridable } from '#lib/fn/overridable.ts';

export const OVERRIDABLE: Overridable = {
  Instance: [
    'spec.forProvider.advancedMachineFeatures',
    'spec.forProvider.confidentialInstanceConfig',
    'spec.forProvider.guestAccelerator',
    'spec.forProvider.minCpuPlatform',
    'spec.forProvider.networkPerformanceConfig',
    'spec.forProvider.scheduling',
    'spec.forProvider.shieldedInstanceConfig',
  ],
  RegionBackendService: [
    'spec.forProvider.connectionDrainingTimeoutSec',
    'spec.forProvider.connectionTrackingPolicy',
    'spec.forProvider.sessionAffinity',
  ],
  RegionHealthCheck: [
    'spec.forProvider.checkIntervalSec',
    'spec.forProvider.healthyThreshold',
    'spec.forProvider.timeoutSec',
    'spec.forProvider.unhealthyThreshold',
  ],
};
