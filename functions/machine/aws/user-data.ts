/** How first-boot data is handed to EC2: at most 16,384 bytes before base64. */
import { gzipSync } from 'node:zlib';
import { SlipwayError } from '#lib/api/errors.ts';
import type { FirstBoot } from '../payload.ts';

const LIMIT = 16_384;

export interface UserData {
  readonly base64: string;
  readonly bytes: number;
}

/** As it is when it fits, gzipped when that is what makes it fit. Throws PayloadTooLarge with sizes and limit. */
export function userData({ bytes, gzip }: FirstBoot, owner: string): UserData {
  if (bytes.length <= LIMIT) return encoded(bytes);
  const packed = gzip ? deterministicGzip(bytes) : bytes;
  if (packed.length <= LIMIT) return encoded(packed);
  const sizes = gzip
    ? `${bytes.length} bytes, ${packed.length} gzipped`
    : `${bytes.length} bytes and cannot be gzipped`;
  throw new SlipwayError(
    'PayloadTooLarge',
    `cannot hand over the first-boot data of ${owner}: it has ${sizes}; EC2 takes ${LIMIT}; shorten spec.provisioning.files or use ECDSA certificate authorities`,
  );
}

function encoded(bytes: Uint8Array): UserData {
  return { base64: Buffer.from(bytes).toString('base64'), bytes: bytes.length };
}

function deterministicGzip(bytes: Uint8Array): Uint8Array {
  const packed = gzipSync(bytes, { level: 9 });
  packed[9] = 255; // the operating system byte differs between machines; "unknown" does not
  return packed;
}
