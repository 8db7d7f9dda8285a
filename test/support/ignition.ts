/** Reads Ignition configurations for tests, by the specification of Ignition and without the code that renders them. */
import { gunzipSync } from 'node:zlib';
import { stringify } from 'yaml';
import type { JsonObject } from '#lib/api/json.ts';

interface Resource {
  readonly source: string;
  readonly compression?: string;
}

interface File {
  readonly filesystem?: string;
  readonly path: string;
  readonly overwrite?: boolean;
  readonly mode: number;
  readonly user?: { readonly name?: string; readonly id?: number };
  readonly group?: { readonly name?: string; readonly id?: number };
  readonly contents?: Resource;
  /** A list in specification 3, the keyword for contents in 2.3. */
  readonly append?: readonly Resource[] | boolean;
}

export interface IgnitionText {
  readonly ignition: { readonly version: string; readonly config?: { readonly replace: Resource } };
  readonly kernelArguments?: JsonObject;
  readonly passwd?: JsonObject;
  readonly storage: { readonly files: readonly File[]; readonly [key: string]: unknown };
  readonly systemd: {
    readonly units: readonly {
      readonly name: string;
      readonly enabled?: boolean;
      readonly contents?: string;
      readonly dropins?: readonly { readonly name: string; readonly contents: string }[];
    }[];
  };
}

/** The effective configuration: the replacement, if there is one. */
export function ignitionOf(text: string): IgnitionText {
  const config = JSON.parse(text) as IgnitionText;
  const replacement = config.ignition.config?.replace;
  return replacement === undefined ? config : ignitionOf(bytesOf(replacement).toString());
}

/** The effective configuration with another text for one, also in files: for the name of a disk that is not there. */
export function replacedIn(text: string, there: string, instead: string): string {
  const config = ignitionOf(text);
  const files = config.storage.files.map((file) => {
    const bytes = file.contents === undefined ? Buffer.alloc(0) : bytesOf(file.contents);
    if (!bytes.includes(there)) return file;
    const source = `data:;base64,${Buffer.from(bytes.toString().replaceAll(there, instead)).toString('base64')}`;
    return { ...file, contents: { source } };
  });
  return JSON.stringify({ ...config, storage: { ...config.storage, files } }).replaceAll(there, instead);
}

export function ignitionFiles(text: string) {
  return ignitionOf(text).storage.files.map((file) => ({
    path: file.path,
    bytes: Buffer.concat(
      [file.contents ?? [], Array.isArray(file.append) ? (file.append as Resource[]) : []].flat().map(bytesOf),
    ),
    owner: [file.user, file.group].map((who) => who?.name ?? String(who?.id ?? 'root')).join(':'),
    permissions: `0${file.mode.toString(8).padStart(3, '0')}`,
    append: file.append !== undefined,
  }));
}

/** The configuration as YAML, with the contents of files as text, for golden files. */
export function readableIgnition(text: string): string {
  const config = ignitionOf(text);
  const contents = new Map(ignitionFiles(text).map(({ path, bytes }) => [path, bytes]));
  const files = config.storage.files.map(({ contents: _contents, append, ...file }) => ({
    ...file,
    [append === undefined ? 'contents' : 'append']: String(contents.get(file.path)),
  }));
  return stringify({ ...config, storage: { ...config.storage, files } }, { lineWidth: 0 });
}

function bytesOf({ source, compression }: Resource): Buffer {
  const [, base64, data = ''] = /^data:(;base64)?,(.*)$/s.exec(source) ?? [];
  const bytes = base64 === undefined ? Buffer.from(decodeURIComponent(data)) : Buffer.from(data, 'base64');
  return compression === 'gzip' ? gunzipSync(bytes) : bytes;
}
