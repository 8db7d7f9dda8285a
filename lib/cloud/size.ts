/** What first-boot data may take, and the error for what is too large. */
import { counted } from '#lib/api/counted.ts';
import type { SlipwayError } from '#lib/api/errors.ts';
import { refusalFor } from '#lib/api/refusal.ts';
import { stableGzip } from '#lib/fn/gzip.ts';
import type { FirstBoot } from './first-boot.ts';

/** What a cloud accepts, as messages call it. */
export interface Room {
  readonly title: string;
  /** In bytes. */
  readonly limit: number;
}

/** The two ways of first-boot data to a machine, of which the platform chooses one. */
export interface Rooms {
  /** Beside the machine, as it is. */
  readonly carrier: Room;
  /** In the secret store of the cloud. */
  readonly store: Room;
}

/**
 * Of a claim and of a machine.
 * @param size the size, as text @param limit the limit, as text @param excess bytes above the limit
 */
export function tooLarge(owner: string, size: string, limit: string, excess: number): SlipwayError {
  return refusalFor(
    owner,
    'spec.provisioning',
    `first-boot data has ${size}, and ${limit}: remove at least ${counted(excess, 'byte')}, for example put large files into the image, or fetch them in commands.pre`,
    'PayloadTooLarge',
  );
}

/** Unchanged if it fits, gzipped if it only fits then. Throws PayloadTooLarge with sizes and limit. */
export function fitting({ bytes, format, gzip }: FirstBoot, { title, limit }: Room, owner: string): Uint8Array {
  if (bytes.length <= limit) return bytes;
  const packed = gzip ? stableGzip(bytes) : bytes;
  if (packed.length <= limit) return packed;
  const size = gzip ? `${packed.length} bytes gzipped` : `${bytes.length} bytes, since ${format} cannot be gzipped`;
  throw tooLarge(owner, size, `${title} accepts ${limit}`, packed.length - limit);
}
