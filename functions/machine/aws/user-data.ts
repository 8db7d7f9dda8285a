/** How first-boot data is handed to EC2: at most 16,384 bytes before base64. */
import { gzipSync } from 'node:zlib';
import { SlipwayError } from '#lib/api/errors.ts';
import type { FirstBoot } from '../payload.ts';

const LIMIT = 16_384;

/** As it is when it fits, gzipped when that is what makes it fit. Throws PayloadTooLarge with sizes and limit. */
export function userData({ bytes, format, gzip }: FirstBoot, owner: string): Uint8Array {
  if (bytes.length <= LIMIT) return bytes;
  const packed = gzip ? deterministicGzip(bytes) : bytes;
  if (packed.length <= LIMIT) return packed;
  const size = gzip ? `${packed.length} bytes gzipped` : `${bytes.length} bytes and ${format} cannot be gzipped`;
  throw new SlipwayError(
    'PayloadTooLarge',
    `cannot hand first-boot data to ${owner}: it has ${size}, EC2 takes ${LIMIT}; take at least ${plural(packed.length - LIMIT)} out of spec.provisioning: put large files into the image, or fetch them in commands.pre`,
  );
}

function deterministicGzip(bytes: Uint8Array): Uint8Array {
  const packed = gzipSync(bytes, { level: 9 });
  packed[9] = 255; // the operating system byte differs between machines; "unknown" does not
  return packed;
}

function plural(bytes: number): string {
  return bytes === 1 ? '1 byte' : `${bytes} bytes`;
}
