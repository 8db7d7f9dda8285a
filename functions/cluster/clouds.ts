/** The clouds that carry clusters: one line each. The first one is meant where a Composition names none. */
import { aws } from '#clouds/aws/infrastructure/aws.ts';

export const CLOUDS = { aws };
