/** Values that only claims on GCP have, for the test that no field of a claim is ignored. */
import type { FlavourSamples } from '../../test/claims/flavour.ts';

const KEYS = 'projects/p/locations/europe-west1/keyRings/fake/cryptoKeys';
const SUBNET = 'projects/p/regions/europe-west1/subnetworks/nodes';

export const CLAIMS: FlavourSamples = {
  instanceTypes: ['n2-standard-4', 'n2-standard-8'],
  image: 'projects/p/global/images/other',
  diskTypes: ['pd-ssd', 'pd-balanced'],
  zone: 'europe-west1-d',
  existing: {
    network: { id: 'projects/p/global/networks/shared' },
    subnets: [{ id: SUBNET, zone: 'europe-west1-b' }],
  },
  other: { network: 'projects/p/global/networks/other', subnet: `${SUBNET}-other`, zone: 'europe-west1-d' },
  parts: {
    securityGroups: ['shared', 'other'],
    identities: ['one@p.iam.gserviceaccount.com', 'two@p.iam.gserviceaccount.com'],
    loadBalancerTargets: ['europe-west1-b/one', 'europe-west1-b/two'],
    resourceGroups: ['one', 'two'],
    encryptionKeys: [`${KEYS}/one`, `${KEYS}/two`],
  },
  overrides: [
    { kind: 'Instance', patch: { spec: { forProvider: { minCpuPlatform: 'Intel Ice Lake' } } } },
    { kind: 'RegionHealthCheck', patch: { spec: { forProvider: { checkIntervalSec: 7 } } } },
  ],
  machineInput: {
    gcp: { userData: 'Plain', kmsKey: `${KEYS}/fake` },
  },
};
