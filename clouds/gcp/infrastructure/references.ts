/** Managed resources of GCP that a claim may name instead of ids. */
import { referable, type References } from '#lib/cloud/references.ts';
import { output } from '#lib/cloud/observed.ts';

const COMPUTE = 'compute.gcp.m.upbound.io/v1beta1';

export const REFERENCES: References = {
  network: referable(COMPUTE, ['Network']),
  subnets: referable(COMPUTE, ['Subnetwork']),
  securityGroups: 'network tags, which are no objects of GCP',
  identities: referable('cloudplatform.gcp.m.upbound.io/v1beta1', ['ServiceAccount'], 'email'),
  loadBalancerTargets: {
    ...referable(COMPUTE, ['NetworkEndpointGroup']),
    /** Such as projects/my-project/zones/europe-west1-b/networkEndpointGroups/api. */
    idOf: (object) => {
      const [, zone, name] = /\/zones\/([^/]+)\/networkEndpointGroups\/([^/]+)$/.exec(output(object, 'id') ?? '') ?? [];
      return zone === undefined ? undefined : `${zone}/${name ?? ''}`;
    },
  },
  resourceGroup: 'none, since everything is in the project of the ProviderConfig',
  encryptionKey: referable('kms.gcp.m.upbound.io/v1beta1', ['CryptoKey']),
};
