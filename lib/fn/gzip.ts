/** gzip as a function may use it: the same bytes in, the same bytes out, wherever it runs. */
import { gzipSync } from 'node:zlib';

export function stableGzip(bytes: Uint8Array | string): Buffer {
  const packed = gzipSync(bytes, { level: 9 });
  packed[9] = 255; // the operating system byte differs between machines; "unknown" does not
  return packed;
}
