/** Files as Ignition wants them: each path once, what is appended to it put together. */
import { posix } from 'node:path';
import { claimedBytes, refuseDuplicates } from '../contents.ts';
import type { Order } from '../provisioner.ts';
import type { IgnitionFile, Owner } from './config.ts';
import { resourceOf } from './data-url.ts';

export interface Written {
  readonly path: string;
  readonly bytes: Buffer;
  /** Four octal digits. */
  readonly mode: string;
  /** `user:group`, by name or number. */
  readonly owner: string;
  readonly append: boolean;
}

/** A file of root's with that text. */
export function rootFile(path: string, text: string, mode: string, append = false): Written {
  return { path, bytes: Buffer.from(text), mode, owner: 'root:root', append };
}

/** What is written, in order: the claim's, the plan's, then ours. Throws InvalidClaim for a path that is written twice. */
export function writtenFiles({ plan, customisation, owner }: Order<'scripted'>, ours: readonly Written[]): Written[] {
  const files = [
    ...customisation.files.map((file, index) => ({ ...file, bytes: claimedBytes(file, index, owner) })),
    ...plan.files.map((file) => ({ ...file, bytes: Buffer.from(file.content, 'base64') })),
    ...ours,
  ];
  refuseDuplicates(files, owner);
  return files;
}

/** @param compress  whether each is gzipped where that makes it smaller */
export function fileNodes(files: readonly Written[], compress: boolean): readonly IgnitionFile[] {
  return [...Map.groupBy(files, ({ path }) => posix.normalize(path))].map(([path, parts]) =>
    fileNode(path, parts, compress),
  );
}

/** Ignition takes a path only once. Mode and owner are the last's, as when they are written one by one. */
function fileNode(path: string, parts: readonly Written[], compress: boolean): IgnitionFile {
  const content = resourceOf(Buffer.concat(parts.map(({ bytes }) => bytes)), compress);
  const { mode, owner } = parts.reduce((_, last) => last);
  const [user = '', group = ''] = owner.split(':');
  return {
    path,
    // A file that is there is replaced; without it Ignition would fail.
    ...(parts[0]?.append === true ? {} : { overwrite: true }),
    mode: parseInt(mode, 8),
    ...ownership('user', user),
    ...ownership('group', group),
    ...(parts[0]?.append === true ? { append: [content] } : { contents: content }),
  };
}

/** Root's is what a file is anyway. Names are looked up after the configuration's own users were made. */
function ownership(key: 'user' | 'group', word: string): Partial<Record<typeof key, Owner>> {
  if (word === '' || word === 'root') return {};
  return { [key]: /^[0-9]+$/.test(word) ? { id: Number(word) } : { name: word } };
}
