/** The metadata service of Compute Engine: without this header it refuses, so that a forged request gets nothing. */
import type { MetadataService } from '#lib/api/contracts/metadata-service.ts';

export const GCE_METADATA_SERVICE: MetadataService = {
  url: 'http://169.254.169.254/computeMetadata/v1',
  headers: { 'Metadata-Flavor': 'Google' },
  root: 'instance',
  values: {
    instanceId: { path: 'name' },
    // projects/123456789012/zones/europe-west1-b
    failureDomain: { path: 'zone', lastPart: true },
  },
};
