/** First-boot data as EC2 user data: at most 16,384 bytes before base64. */
import { stableGzip } from '#lib/fn/gzip.ts';
import type { FirstBoot } from '#lib/cloud/first-boot.ts';
import { tooLarge, USER_DATA_LIMIT as LIMIT } from './size.ts';

/** Unchanged if it fits, gzipped if it only fits then. Throws PayloadTooLarge with sizes and limit. */
export function userData({ bytes, format, gzip }: FirstBoot, owner: string): Uint8Array {
  if (bytes.length <= LIMIT) return bytes;
  const packed = gzip ? stableGzip(bytes) : bytes;
  if (packed.length <= LIMIT) return packed;
  const size = gzip ? `${packed.length} bytes gzipped` : `${bytes.length} bytes and ${format} cannot be gzipped`;
  throw tooLarge(owner, size, `EC2 accepts ${LIMIT}`, packed.length - LIMIT);
}
