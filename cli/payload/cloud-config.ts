/** A cloud-config for reading: its files as text, where they are text. */
import { gunzipSync } from 'node:zlib';
import { isMap, isScalar, isSeq, type Document, parseDocument, visit } from 'yaml';
import { counted } from '#lib/api/counted.ts';
import { textOf } from './text.ts';

/** Binary data counts as a secret. */
export function readableCloudConfig(text: string, showSecrets: boolean): string {
  const document = parseDocument(text, { logLevel: 'error' });
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

/** A binary file stays encoded and counts as a secret, since its contents are unknown. */
function decodeFile(file: File, showSecrets: boolean): void {
  const content = file.get('content');
  const encoding = ENCODING.exec(String(file.get('encoding')));
  if (encoding === null || typeof content !== 'string') return;
  const bytes = Buffer.from(content, 'base64');
  const text = textOf(encoding.groups?.['zip'] === undefined ? bytes : unzipped(bytes));
  if (text === undefined && showSecrets) return;
  file.delete('encoding');
  file.set('content', text ?? `masked, ${counted(bytes.length, 'byte')} of binary data`);
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
