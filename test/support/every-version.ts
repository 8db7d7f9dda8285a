/**
 * The EnvironmentConfig of a platform that has an image for every version of Kubernetes, and some more images: tests roll
 * out what the Compositions have no placeholder for.
 */
import type { KubeObject } from '#lib/api/json.ts';

const REGIONS = {
  'eu-central-1': 'ami-0aaaaaaaaaaaaa001',
  'eu-west-1': 'ami-0aaaaaaaaaaaaa002',
  'us-east-1': 'ami-0aaaaaaaaaaaaa003',
};

export const EVERY_VERSION: KubeObject = {
  apiVersion: 'apiextensions.crossplane.io/v1beta1',
  kind: 'EnvironmentConfig',
  metadata: { name: 'slipway-aws' },
  data: { images: { 'ubuntu-24.04': REGIONS, 'ubuntu-26.04': REGIONS, 'ubuntu-26.10': REGIONS, b: REGIONS } },
};
