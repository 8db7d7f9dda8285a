/** How to get instance data of the cloud from cloud-init. */
import type { Lookup } from '../script.ts';

export const CLOUD_INIT_QUERY: Lookup = {
  commands: {
    instanceId: 'cloud-init query v1.instance_id',
    failureDomain: 'cloud-init query v1.availability_zone',
  },
};
