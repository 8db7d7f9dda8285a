/** Files for Ignition: each path once, with appended content combined. */
import { posix } from 'node:path';
import { refuseDuplicates } from '../contents.ts';
import { claimedFile, type HostFile, plannedFile } from '../host-file.ts';
import type { Order } from '../provisioner.ts';
import type { IgnitionFile, Owner, Resource } from './config.ts';
import { base64Url, type Packing, resourceOf } from './data-url.ts';

/**
 * The files in order: those of the claim, of the plan, then ours. Throws InvalidClaim for a path that is written twice.
 */
export function writtenFiles({ plan, customisation, owner }: Order<'scripted'>, ours: readonly HostFile[]): HostFile[] {
  const files = [
    ...customisation.files.map((file, index) => claimedFile(file, index, owner)),
    ...plan.files.map(plannedFile),
    ...ours,
  ];
  refuseDuplicates(files, owner);
  return files;
}

export function fileNodes(files: readonly HostFile[], packing: Packing): readonly IgnitionFile[] {
  return nodesOf(files, (bytes) => resourceOf(bytes, packing));
}

/** In the form for the script that writes them after the host has started: contents in base64. */
export function sealedNodes(files: readonly HostFile[]): readonly IgnitionFile[] {
  return nodesOf(files, (bytes) => ({ source: base64Url(bytes) }));
}

/** The files with any sealed part, or those without. */
export function filesThatAre(kind: 'open' | 'sealed', files: readonly HostFile[]): readonly HostFile[] {
  const sealed = new Set(files.filter((file) => file.sealed).map(({ path }) => posix.normalize(path)));
  return files.filter(({ path }) => sealed.has(posix.normalize(path)) === (kind === 'sealed'));
}

/** Ignition accepts a path only once. Mode and owner are those of the last entry, as if written one by one. */
function nodesOf(files: readonly HostFile[], resource: (bytes: Buffer) => Resource): readonly IgnitionFile[] {
  return [...Map.groupBy(files, ({ path }) => posix.normalize(path))].map(([path, parts]) => {
    const content = resource(Buffer.concat(parts.map(({ bytes }) => bytes)));
    const { mode, owner } = parts.reduce((_, last) => last);
    const rights = attributes(mode, owner);
    if (parts[0]?.append === true) return { path, ...rights, append: [content] };
    // Overwrites an existing file; otherwise Ignition would fail.
    return { path, overwrite: true, ...rights, contents: content };
  });
}

function attributes(mode: string, owner: string): Pick<IgnitionFile, 'mode' | 'user' | 'group'> {
  const [user = '', group = ''] = owner.split(':');
  return { mode: parseInt(mode, 8), ...ownership('user', user), ...ownership('group', group) };
}

/** Files belong to root by default. Names are resolved after the users of the configuration were created. */
function ownership(key: 'user' | 'group', word: string): Partial<Record<typeof key, Owner>> {
  if (word === '' || word === 'root') return {};
  return { [key]: /^[0-9]+$/.test(word) ? { id: Number(word) } : { name: word } };
}
