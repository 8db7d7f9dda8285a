/** The tag of first-boot data whose value is the ARN of the instance that may read and delete it. */
import { GROUP } from '#lib/api/words.ts';

export const INSTANCE_TAG = `${GROUP}/instance`;
