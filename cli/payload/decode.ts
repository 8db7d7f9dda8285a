/** First-boot data taken apart for reading: unzipped, its files decoded, secrets masked. */
import { gunzipSync } from 'node:zlib';
import { isMap, isScalar, isSeq, type Document, parseDocument, visit } from 'yaml';
import { readableIgnition } from './ignition.ts';
import { masked } from './mask.ts';
import { textOf } from './text.ts';

export interface Decoded {
  /** What it is, in a line: format, sizes. */
  readonly headline: string;
  readonly text: string;
}

/** By format; any other is shown as it is. */
const READABLE: Readonly<Record<string, (text: string, showSecrets: boolean) => string>> = {
  'cloud-config': readableCloudConfig,
  ignition: readableIgnition,
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

/** The same cloud-config with its base64 files as text where they are text. */
function readableCloudConfig(text: string, showSecrets: boolean): string {
  const document = parseDocument(text);
  const files = document.get('write_files');
  if (isSeq(files)) for (const file of files.items) if (isMap(file)) decodeFile(file, showSecrets);
  inBlocks(document);
  return document.toString({ lineWidth: 0 });
}

interface File {
  get(key: string): unknown;
  set(key: string, value: unknown): void;
  delete(key: string): boolean;
}

const ENCODING = /^(?:(?<zip>gz|gzip)\+)?(?:b64|base64)$/;

/** A file that is no text stays encoded; what it holds nobody can tell, so that it counts as a secret. */
function decodeFile(file: File, showSecrets: boolean): void {
  const content = file.get('content');
  const encoding = ENCODING.exec(String(file.get('encoding')));
  if (encoding === null || typeof content !== 'string') return;
  const bytes = Buffer.from(content, 'base64');
  const text = textOf(encoding.groups?.['zip'] === undefined ? bytes : unzipped(bytes));
  if (text === undefined && showSecrets) return;
  file.delete('encoding');
  file.set('content', text ?? `masked, ${bytes.length} bytes that are no text`);
}

function unzipped(bytes: Buffer): Buffer | undefined {
  try {
    return gunzipSync(bytes);
  } catch {
    return undefined;
  }
}

function inBlocks(document: Document): void {
  visit(document, {
    Scalar(_, node) {
      if (isScalar(node) && typeof node.value === 'string' && node.value.includes('\n')) node.type = 'BLOCK_LITERAL';
    },
  });
}
