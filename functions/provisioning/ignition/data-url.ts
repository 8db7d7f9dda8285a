/** Bytes in a configuration: a data URL, with the encoding and compression that is smallest. */
import { stableGzip } from '#lib/fn/gzip.ts';
import type { Resource } from './config.ts';

/**
 * How bytes are written: each file gzipped by itself if that makes it smaller; as small as that is possible without; or
 * as text, because the whole configuration is gzipped, which finds what files have in common only if they are text.
 */
export type Packing = 'each' | 'none' | 'whole';

export function resourceOf(bytes: Uint8Array, packing: Packing): Resource {
  const buffer = Buffer.from(bytes);
  if (packing === 'whole') return { source: textUrl(buffer) ?? base64Url(buffer) };
  const plain = { source: smallest(buffer) };
  if (packing === 'none') return plain;
  const zipped: Resource = { source: base64Url(stableGzip(bytes)), compression: 'gzip' };
  return JSON.stringify(zipped).length < JSON.stringify(plain).length ? zipped : plain;
}

export function base64Url(bytes: Buffer): string {
  return `data:;base64,${bytes.toString('base64')}`;
}

function smallest(bytes: Buffer): string {
  const encoded = base64Url(bytes);
  const escaped = textUrl(bytes);
  return escaped !== undefined && escaped.length <= encoded.length ? escaped : encoded;
}

/** undefined: bytes that are no text */
function textUrl(bytes: Buffer): string | undefined {
  const text = bytes.toString('utf8');
  return Buffer.from(text).equals(bytes) ? `data:,${encodeURIComponent(text)}` : undefined;
}
