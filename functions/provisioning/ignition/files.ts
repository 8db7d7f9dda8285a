/** Files as Ignition wants them: each path once, what is appended to it put together. */
import { posix } from 'node:path';
import { refuseDuplicates } from '../contents.ts';
import { claimedFile, type HostFile, plannedFile } from '../host-file.ts';
import type { Order } from '../provisioner.ts';
import type { IgnitionFile, Owner, Resource } from './config.ts';
import { base64Url, resourceOf } from './data-url.ts';

/** What is written, in order: the claim's, the plan's, then ours. Throws InvalidClaim for a path that is written twice. */
export function writtenFiles({ plan, customisation, owner }: Order<'scripted'>, ours: readonly HostFile[]): HostFile[] {
  const files = [
    ...customisation.files.map((file, index) => claimedFile(file, index, owner)),
    ...plan.files.map(plannedFile),
    ...ours,
  ];
  refuseDuplicates(files, owner);
  return files;
}

/** @param compress  whether each is gzipped where that makes it smaller */
export function fileNodes(files: readonly HostFile[], compress: boolean): readonly IgnitionFile[] {
  return nodesOf(files, (bytes) => resourceOf(bytes, compress));
}

/** As what writes them after the host has started reads them: each content in base64. */
export function sealedNodes(files: readonly HostFile[]): readonly IgnitionFile[] {
  return nodesOf(files, (bytes) => ({ source: base64Url(bytes) }));
}

/** The files of which any part is sealed, or those of which none is. */
export function filesThatAre(kind: 'open' | 'sealed', files: readonly HostFile[]): readonly HostFile[] {
  const sealed = new Set(files.filter((file) => file.sealed).map(({ path }) => posix.normalize(path)));
  return files.filter(({ path }) => sealed.has(posix.normalize(path)) === (kind === 'sealed'));
}

/** Ignition takes a path only once. Mode and owner are the last's, as when they are written one by one. */
function nodesOf(files: readonly HostFile[], resource: (bytes: Buffer) => Resource): readonly IgnitionFile[] {
  return [...Map.groupBy(files, ({ path }) => posix.normalize(path))].map(([path, parts]) => {
    const content = resource(Buffer.concat(parts.map(({ bytes }) => bytes)));
    const { mode, owner } = parts.reduce((_, last) => last);
    const rights = attributes(mode, owner);
    if (parts[0]?.append === true) return { path, ...rights, append: [content] };
    // A file that is there is replaced; without it Ignition would fail.
    return { path, overwrite: true, ...rights, contents: content };
  });
}

function attributes(mode: string, owner: string): Pick<IgnitionFile, 'mode' | 'user' | 'group'> {
  const [user = '', group = ''] = owner.split(':');
  return { mode: parseInt(mode, 8), ...ownership('user', user), ...ownership('group', group) };
}

/** Root's is what a file is anyway. Names are looked up after the configuration's own users were made. */
function ownership(key: 'user' | 'group', word: string): Partial<Record<typeof key, Owner>> {
  if (word === '' || word === 'root') return {};
  return { [key]: /^[0-9]+$/.test(word) ? { id: Number(word) } : { name: word } };
}
