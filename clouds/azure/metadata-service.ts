/** The metadata service of Azure: without this header it refuses, so that a forged request gets nothing. */
import type { MetadataService } from '#lib/api/contracts/metadata-service.ts';

export const AZURE_METADATA_SERVICE: MetadataService = {
  url: 'http://169.254.169.254/metadata',
  headers: { Metadata: 'true' },
  root: 'instance/compute',
  query: 'api-version=2021-02-01&format=text',
  values: {
    instanceId: { path: 'name' },
    // 1, without the region
    failureDomain: { path: 'zone' },
  },
};
