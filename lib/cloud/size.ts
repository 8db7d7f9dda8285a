/** The error for first-boot data that is too large. */
import { counted } from '#lib/api/counted.ts';
import { SlipwayError } from '#lib/api/errors.ts';

/** @param size the size, as text @param limit the limit, as text @param excess bytes above the limit */
export function tooLarge(owner: string, size: string, limit: string, excess: number): SlipwayError {
  return new SlipwayError(
    'PayloadTooLarge',
    `cannot deliver first-boot data of ${owner}: it has ${size}, ${limit}; remove at least ${counted(excess, 'byte')} from spec.provisioning: put large files into the image, or fetch them in commands.pre`,
  );
}
