/** Bytes in a configuration: a data URL, with the encoding and compression that is smallest. */
import { stableGzip } from '#lib/fn/gzip.ts';
import type { Resource } from './config.ts';

/** @param compress whether it may be gzipped by itself; not if the whole configuration is gzipped */
export function resourceOf(bytes: Uint8Array, compress: boolean): Resource {
  const plain = { source: smallest(bytes) };
  if (!compress) return plain;
  const zipped: Resource = { source: base64Url(stableGzip(bytes)), compression: 'gzip' };
  return JSON.stringify(zipped).length < JSON.stringify(plain).length ? zipped : plain;
}

export function base64Url(bytes: Buffer): string {
  return `data:;base64,${bytes.toString('base64')}`;
}

/** As text if it is text and not longer. */
function smallest(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes);
  const text = buffer.toString('utf8');
  const encoded = base64Url(buffer);
  if (!Buffer.from(text).equals(buffer)) return encoded;
  const escaped = `data:,${encodeURIComponent(text)}`;
  return escaped.length <= encoded.length ? escaped : encoded;
}
