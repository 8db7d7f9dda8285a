/** The clouds for machines: one line each. The first one is the default if a Composition names none. */
import { aws } from '#clouds/aws/machine/aws.ts';
import { azure } from '#clouds/azure/machine/azure.ts';
import { existing } from '#clouds/existing/machine/existing.ts';
import { gcp } from '#clouds/gcp/machine/gcp.ts';

export const CLOUDS = { aws, azure, existing, gcp };
