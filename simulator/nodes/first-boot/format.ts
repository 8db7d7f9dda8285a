/** The contents of first-boot data, independent of the format. */
import { gunzipSync } from 'node:zlib';
import { parseAllDocuments } from 'yaml';
import { type Json, isJsonObject } from '#lib/api/json.ts';

export interface BootFile {
  readonly path: string;
  readonly content: string;
}

export interface FirstBoot {
  readonly files: readonly BootFile[];
  /** The whole text, for values that have no field. */
  readonly text: string;
}

/** One format of first-boot data. */
export interface Format {
  /** Whether data begins like this format. */
  readonly recognises: (text: string) => boolean;
  /** Throws BootFailure for data that its program on the machine would refuse. */
  readonly read: (text: string) => FirstBoot;
  /** Its program does not check whether the data is gzipped. */
  readonly neverGzipped?: true;
}

export function unzipped(bytes: Buffer): Buffer {
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes;
}

/** All YAML documents of a kind in the files, in any file. */
export function documentsOf(files: readonly BootFile[], kind: string): readonly Json[] {
  return files
    .filter(({ content }) => content.includes(`kind: ${kind}`))
    .flatMap(({ content }) => parseAllDocuments(content).map((document): unknown => document.toJS()))
    .filter((document) => isJsonObject(document) && document['kind'] === kind) as readonly Json[];
}
