/**
 * The EnvironmentConfig of a platform that has an image for every version of Kubernetes: tests roll out versions that the
 * Compositions have no placeholder for.
 */
import type { KubeObject } from '#lib/api/json.ts';

export const EVERY_VERSION: KubeObject = {
  apiVersion: 'apiextensions.crossplane.io/v1beta1',
  kind: 'EnvironmentConfig',
  metadata: { name: 'slipway-aws' },
  data: {
    images: {
      'ubuntu-24.04': {
        'eu-central-1': 'ami-0aaaaaaaaaaaaa001',
        'eu-west-1': 'ami-0aaaaaaaaaaaaa002',
        'us-east-1': 'ami-0aaaaaaaaaaaaa003',
      },
    },
  },
};
