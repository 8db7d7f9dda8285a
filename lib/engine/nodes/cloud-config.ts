/** First-boot data as a machine reads it: base64, perhaps gzipped, a #cloud-config with files. */
import { gunzipSync } from 'node:zlib';
import { parse, parseAllDocuments } from 'yaml';
import { type Json, at, isJsonObject, stringAt } from '#lib/api/json.ts';

/** The machine could not make sense of its data; the message says why, as its log would. */
export class BootFailure extends Error {
  override readonly name = 'BootFailure';
}

export interface BootFile {
  readonly path: string;
  readonly content: string;
}

export interface CloudConfig {
  readonly files: readonly BootFile[];
  /** The whole text, for what only a person would look for. */
  readonly text: string;
}

export function readCloudConfig(userData: string | undefined): CloudConfig {
  if (userData === undefined) throw new BootFailure('cloud-init: no user data');
  const bytes = unzipped(Buffer.from(userData, 'base64'));
  const text = bytes.toString('utf8');
  const lines = text.split('\n');
  const header = lines[0]?.startsWith('## template:') === true ? lines[1] : lines[0];
  if (header?.trim() !== '#cloud-config')
    throw new BootFailure(`cloud-init: unhandled user data: the first line is not #cloud-config`);
  let config: unknown;
  try {
    config = parse(text);
  } catch (thrown) {
    throw new BootFailure(
      `cloud-init: failed loading yaml: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
    );
  }
  const files = at(config, 'write_files');
  return { files: (Array.isArray(files) ? (files as readonly Json[]) : []).map(readFile), text };
}

function readFile(file: Json): BootFile {
  const path = stringAt(file, 'path');
  if (path === undefined) throw new BootFailure('cloud-init: write_files: path is required');
  const content = stringAt(file, 'content') ?? '';
  const encoding = stringAt(file, 'encoding')?.toLowerCase() ?? 'text/plain';
  if (encoding === 'text/plain') return { path, content };
  if (/^(b64|base64)$/.test(encoding)) return { path, content: Buffer.from(content, 'base64').toString('utf8') };
  if (/^(gz|gzip)\+(b64|base64)$/.test(encoding))
    return { path, content: unzipped(Buffer.from(content, 'base64')).toString('utf8') };
  throw new BootFailure(`cloud-init: write_files: unknown encoding "${encoding}" of ${path}`);
}

function unzipped(bytes: Buffer): Buffer {
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes;
}

/** Every YAML document of a kind in the files, wherever it stands. */
export function documentsOf(files: readonly BootFile[], kind: string): readonly Json[] {
  return files
    .filter(({ content }) => content.includes(`kind: ${kind}`))
    .flatMap(({ content }) => parseAllDocuments(content).map((document): unknown => document.toJS()))
    .filter((document) => isJsonObject(document) && document['kind'] === kind) as readonly Json[];
}
