/** First-boot data for display: unzipped, files decoded, secrets masked. */
import { counted } from '#lib/api/counted.ts';
import { own } from '#lib/api/json.ts';
import { gunzipSync } from 'node:zlib';
import { payloadTraits } from '../../functions/provisioning/traits.ts';
import { type Mask } from '#lib/fn/masking/mask.ts';
import { readableCloudConfig } from './cloud-config.ts';
import { readableIgnition } from './ignition.ts';
import { readableParts } from './parts.ts';
import { readableSettings } from './settings.ts';

export interface Decoded {
  /** What it is, in a line: format, sizes. */
  readonly headline: string;
  readonly text: string;
}

/** By content type; any other content is shown as it is. */
const READABLE: Readonly<Record<string, (text: string, showSecrets: boolean) => string>> = {
  'application/toml': readableSettings,
  'application/vnd.coreos.ignition+json': readableIgnition,
  'multipart/mixed': readableParts,
  'text/cloud-config': readableCloudConfig,
};

/** @param mask  undefined: secrets are shown */
export function decodePayload(bytes: Uint8Array, format: string, mask: Mask | undefined): Decoded {
  const zipped = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const raw = zipped ? gunzipSync(bytes) : Buffer.from(bytes);
  const headline = `${format}, ${counted(raw.length, 'byte')}${zipped ? `, ${bytes.length} gzipped` : ''}`;
  const { contentType } = payloadTraits(format);
  const readable = own(READABLE, contentType);
  const text = readable === undefined ? raw.toString('utf8') : readable(raw.toString('utf8'), mask === undefined);
  return { headline, text: mask?.(text) ?? text };
}
