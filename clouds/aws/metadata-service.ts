/** The EC2 instance metadata service, version 2. */
import type { MetadataService } from '#lib/api/contracts/metadata-service.ts';

export const EC2_METADATA_SERVICE: MetadataService = {
  url: 'http://169.254.169.254/latest',
  token: {
    path: 'api/token',
    headers: { 'X-aws-ec2-metadata-token-ttl-seconds': '300' },
    header: 'X-aws-ec2-metadata-token',
  },
  root: 'meta-data',
  values: {
    instanceId: { path: 'instance-id' },
    failureDomain: { path: 'placement/availability-zone' },
  },
};
