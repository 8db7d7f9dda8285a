/** A #cloud-config as cloud-init reads it. */
import { parse } from 'yaml';
import { messageOf } from '#lib/api/errors.ts';
import { type Json, at, stringAt } from '#lib/api/json.ts';
import { BootFailure } from './boot-failure.ts';
import { type BootFile, type Format, unzipped } from './format.ts';

export const cloudConfig: Format = {
  recognises: (text) => {
    const [first = '', second = ''] = text.split('\n', 2);
    return (first.startsWith('## template:') ? second : first).trim() === '#cloud-config';
  },
  read: (text) => {
    const files = at(parsed(text), 'write_files');
    return { files: (Array.isArray(files) ? (files as readonly Json[]) : []).map(readFile), text };
  },
};

function parsed(text: string): unknown {
  try {
    return parse(text);
  } catch (thrown) {
    throw new BootFailure(`cloud-init: failed loading yaml: ${messageOf(thrown)}`);
  }
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
