/** The clouds for clusters: one line each. The first one is the default if a Composition names none. */
import { aws } from '#clouds/aws/infrastructure/aws.ts';
import { azure } from '#clouds/azure/infrastructure/azure.ts';
import { existing } from '#clouds/existing/infrastructure/existing.ts';
import { gcp } from '#clouds/gcp/infrastructure/gcp.ts';

export const CLOUDS = { aws, azure, existing, gcp };
