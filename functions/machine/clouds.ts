/** The clouds that make machines: one line each. The first one is meant where a Composition names none. */
import { aws } from '#clouds/aws/machine/aws.ts';

export const CLOUDS = { aws };
