/** How large user data may be, and the line that refuses first-boot data for its size. */
import { SlipwayError } from '#lib/api/errors.ts';

/** Bytes EC2 takes as user data, before base64. */
export const USER_DATA_LIMIT = 16_384;

/** @param size  how large it is, in words  @param limit  what who takes  @param excess  bytes above the limit */
export function tooLarge(owner: string, size: string, limit: string, excess: number): SlipwayError {
  return new SlipwayError(
    'PayloadTooLarge',
    `cannot deliver first-boot data of ${owner}: it has ${size}, ${limit}; remove at least ${plural(excess)} from spec.provisioning: put large files into the image, or fetch them in commands.pre`,
  );
}

function plural(bytes: number): string {
  return bytes === 1 ? '1 byte' : `${bytes} bytes`;
}
