/** First-boot data taken apart for reading: unzipped, its files decoded, secrets masked. */
import { gunzipSync } from 'node:zlib';
import { readableCloudConfig } from './cloud-config.ts';
import { readableIgnition } from './ignition.ts';
import { masked } from './mask.ts';
import { readableParts } from './parts.ts';
import { readableSettings } from './settings.ts';

export interface Decoded {
  /** What it is, in a line: format, sizes. */
  readonly headline: string;
  readonly text: string;
}

/** By format; any other is shown as it is. */
const READABLE: Readonly<Record<string, (text: string, showSecrets: boolean) => string>> = {
  bottlerocket: readableSettings,
  'cloud-config': readableCloudConfig,
  ignition: readableIgnition,
  nodeadm: readableParts,
};

/** @param showSecrets leave keys and tokens in clear */
export function decodePayload(bytes: Uint8Array, format: string, showSecrets: boolean): Decoded {
  const zipped = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const raw = zipped ? gunzipSync(bytes) : Buffer.from(bytes);
  const headline = `${format}, ${raw.length} bytes${zipped ? `, ${bytes.length} gzipped` : ''}`;
  const readable = Object.hasOwn(READABLE, format) ? READABLE[format] : undefined;
  const text = readable === undefined ? raw.toString('utf8') : readable(raw.toString('utf8'), showSecrets);
  return { headline, text: showSecrets ? text : masked(text) };
}
