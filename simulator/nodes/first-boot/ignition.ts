/**
 * An Ignition configuration as Ignition reads it: specification 3 and 2.3, data URLs only, configurations replaced and
 * merged.
 */
import { gunzipSync } from 'node:zlib';
import { type Json, at, isJsonObject, stringAt } from '#lib/api/json.ts';
import { BootFailure } from './boot-failure.ts';
import type { BootFile, Format } from './format.ts';

export const ignition: Format = {
  neverGzipped: true,
  recognises: (text) => /^\s*\{/.test(text),
  read: (text) => {
    const config = parsed(text);
    const version = stringAt(config, 'ignition', 'version') ?? '';
    if (!/^(2\.3|3\.[0-6])\.0$/.test(version))
      throw new BootFailure(`ignition: unsupported config version "${version}"`);
    const replacement = at(config, 'ignition', 'config', 'replace');
    if (replacement !== undefined) return ignition.read(contentOf(replacement, 'config.replace', version));
    const files = at(config, 'storage', 'files');
    const listed = (Array.isArray(files) ? (files as readonly Json[]) : []).map((file) => readFile(file, version));
    refuseDuplicates(listed);
    const others = mergedInto(config, version).flatMap((other) => ignition.read(other).files);
    const own = new Set(listed.map(({ path }) => path));
    return { files: [...others.filter(({ path }) => !own.has(path)), ...listed], text };
  },
};

function parsed(text: string): Json {
  try {
    const config: unknown = JSON.parse(text);
    if (isJsonObject(config)) return config;
  } catch {
    // The error is thrown below, without the contents.
  }
  throw new BootFailure('ignition: config is not valid JSON');
}

/** Configurations that are merged below this one. */
function mergedInto(config: Json, version: string): readonly string[] {
  const others = at(config, 'ignition', 'config', 'merge');
  if (!Array.isArray(others)) return [];
  return (others as readonly Json[]).map((resource) => contentOf(resource, 'config.merge', version));
}

/** A file that is appended to counts as written: the contents of images are not simulated. */
function readFile(file: Json, version: string): BootFile {
  const path = stringAt(file, 'path');
  if (path?.startsWith('/') !== true) throw new BootFailure('ignition: storage.files: path is not absolute');
  const old = version.startsWith('2.');
  if (old && stringAt(file, 'filesystem') !== 'root')
    throw new BootFailure(`ignition: storage.files: no filesystem specified for ${path}`);
  if (!old && at(file, 'filesystem') !== undefined)
    throw new BootFailure(`ignition: storage.files: unused key filesystem of ${path}`);
  const appended = at(file, 'append');
  const parts = [at(file, 'contents'), ...(Array.isArray(appended) ? (appended as readonly Json[]) : [])];
  const texts = parts.flatMap((part) => (part === undefined ? [] : [contentOf(part, path, version)]));
  return { path, content: texts.join('') };
}

/** Specification 2.3 supports compressed files but no compressed configuration. */
function contentOf(resource: Json, of: string, version: string): string {
  const bytes = dataOf(stringAt(resource, 'source') ?? '', of);
  const compression = stringAt(resource, 'compression') ?? '';
  if (compression === '') return bytes.toString('utf8');
  if (compression !== 'gzip' || (of === 'config.replace' && version.startsWith('2.')))
    throw new BootFailure(`ignition: ${of}: unknown compression "${compression}"`);
  try {
    return gunzipSync(bytes).toString('utf8');
  } catch {
    throw new BootFailure(`ignition: ${of}: cannot decompress`);
  }
}

function dataOf(url: string, of: string): Buffer {
  const [, encoding, data = ''] = /^data:[^,;]*(?:;[^,;=]+=[^,;]*)*(;base64)?,(.*)$/s.exec(url) ?? [];
  if (!url.startsWith('data:') || !url.includes(','))
    throw new BootFailure(`ignition: ${of}: source is not a data URL, and there is no network here`);
  return encoding === undefined ? Buffer.from(decodeURIComponent(data)) : Buffer.from(data, 'base64');
}

function refuseDuplicates(files: readonly BootFile[]): void {
  const seen = new Set<string>();
  for (const { path } of files) {
    if (seen.has(path)) throw new BootFailure(`ignition: storage.files: duplicate entry ${path}`);
    seen.add(path);
  }
}
