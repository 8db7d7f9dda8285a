/** First-boot data taken apart for reading: unzipped, its files decoded, secrets masked. */
import { gunzipSync } from 'node:zlib';
import { isMap, isScalar, isSeq, type Document, parseDocument, visit } from 'yaml';
import { masked } from './mask.ts';

export interface Decoded {
  /** What it is, in a line: format, sizes. */
  readonly headline: string;
  readonly text: string;
}

/** @param showSecrets leave keys and tokens in clear */
export function decodePayload(bytes: Uint8Array, format: string, showSecrets: boolean): Decoded {
  const zipped = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const raw = zipped ? gunzipSync(bytes) : Buffer.from(bytes);
  const headline = `${format}, ${raw.length} bytes${zipped ? `, ${bytes.length} gzipped` : ''}`;
  const text = format === 'cloud-config' ? readableCloudConfig(raw.toString('utf8')) : raw.toString('utf8');
  return { headline, text: showSecrets ? text : masked(text) };
}

/** The same cloud-config with its base64 files as text where they are text. */
function readableCloudConfig(text: string): string {
  const document = parseDocument(text);
  const files = document.get('write_files');
  if (isSeq(files)) for (const file of files.items) if (isMap(file)) decodeFile(file);
  inBlocks(document);
  return document.toString({ lineWidth: 0 });
}

function decodeFile(file: {
  get(key: string): unknown;
  set(key: string, value: unknown): void;
  delete(key: string): boolean;
}): void {
  const encoding = file.get('encoding');
  const content = file.get('content');
  if (typeof encoding !== 'string' || typeof content !== 'string') return;
  const bytes = Buffer.from(content, 'base64');
  const plain = encoding.startsWith('gz') ? gunzipSync(bytes) : bytes;
  const decoded = plain.toString('utf8');
  if (!Buffer.from(decoded).equals(plain)) return; // binary stays as it is
  file.delete('encoding');
  file.set('content', decoded);
}

function inBlocks(document: Document): void {
  visit(document, {
    Scalar(_, node) {
      if (isScalar(node) && typeof node.value === 'string' && node.value.includes('\n')) node.type = 'BLOCK_LITERAL';
    },
  });
}
