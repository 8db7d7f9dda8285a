/** Contents of files that a claim holds packed by gzip, in base64. */
import { gunzipSync } from 'node:zlib';

/** Bytes. A text of a claim has at most 64 KiB; what it unpacks to must fit into first-boot data as well. */
const LARGEST = 1_048_576;

/** Why there is nothing to unpack. */
export const NOT_PACKED = 'base64, since its content is not gzip, or unpacks to more than 1 MiB';

/** undefined: it is not packed, or unpacks to more than a file may have */
export function unpacked(content: string): Buffer | undefined {
  try {
    return gunzipSync(Buffer.from(content, 'base64'), { maxOutputLength: LARGEST });
  } catch {
    return undefined;
  }
}
