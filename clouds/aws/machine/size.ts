/** The size limit of user data, and the error for first-boot data that is too large. */
import { SlipwayError } from '#lib/api/errors.ts';

/** Maximum bytes of user data in EC2, before base64. */
export const USER_DATA_LIMIT = 16_384;

/** @param size the size, as text @param limit the limit, as text @param excess bytes above the limit */
export function tooLarge(owner: string, size: string, limit: string, excess: number): SlipwayError {
  return new SlipwayError(
    'PayloadTooLarge',
    `cannot deliver first-boot data of ${owner}: it has ${size}, ${limit}; remove at least ${plural(excess)} from spec.provisioning: put large files into the image, or fetch them in commands.pre`,
  );
}

function plural(bytes: number): string {
  return bytes === 1 ? '1 byte' : `${bytes} bytes`;
}
