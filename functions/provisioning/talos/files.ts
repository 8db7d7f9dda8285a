/** Files: on Talos everything except /var is read-only; 1.14 has documents for files below /etc instead. */
import { posix } from 'node:path';
import type { FilledFile } from '#lib/api/fields/customisation.ts';
import { refusal } from '#lib/api/refusal.ts';
import { claimedFile, type HostFile } from '../host-file.ts';
import type { Order } from '../provisioner.ts';
import { type Document, document, cannotSay, withMachine } from './document.ts';

export function withFiles(documents: readonly Document[], order: Order<'talos'>): readonly Document[] {
  const { plan, customisation, owner } = order;
  const files = customisation.files.map((file, index) => readFile(file, index, order));
  refuseDuplicates(files, owner);
  if (files.length === 0) return documents;
  if (plan.release === '1.13')
    return withMachine(
      documents,
      { files: files.map(({ path, content, mode }) => ({ path, content, permissions: mode, op: 'create' })) },
      owner,
    );
  return [
    ...documents,
    ...files.map(({ path, content, mode }) =>
      document('EtcFileConfig', { name: posix.relative('/etc', path), mode, contents: content }),
    ),
  ];
}

interface TalosFile {
  readonly path: string;
  readonly content: string;
  readonly mode: number;
}

const PLACE: Readonly<Record<string, string>> = { '1.13': '/var/', '1.14': '/etc/' };

function readFile(file: FilledFile, index: number, { plan: { release }, owner }: Order<'talos'>): TalosFile {
  const field = `files[${index}]`;
  const { owner: whose, append, mode } = file;
  const path = posix.normalize(file.path);
  const place = PLACE[release] ?? '/var/';
  if (!path.startsWith(place)) throw cannotSay(owner, `${field}.path`, release, `a path below ${place}`);
  if (whose !== 'root:root') throw cannotSay(owner, `${field}.owner`, release, 'root:root');
  if (!mode.startsWith('0')) throw cannotSay(owner, `${field}.mode`, release, 'a mode whose first digit is 0');
  if (append) throw cannotSay(owner, `${field}.append`, release, 'a separate file');
  const source = `${field}.${file.contentFrom === undefined ? 'content' : 'contentFrom'}`;
  const content = textOf(claimedFile(file, index, owner), source, release, owner);
  return { path, content, mode: parseInt(mode, 8) };
}

function textOf({ bytes }: HostFile, field: string, release: string, owner: string): string {
  const text = bytes.toString('utf8');
  if (!Buffer.from(text).equals(bytes)) throw cannotSay(owner, field, release, 'text in UTF-8');
  return text;
}

function refuseDuplicates(files: readonly TalosFile[], owner: string): void {
  const twice = files.find(({ path }, index) => files.findIndex((one) => one.path === path) !== index);
  if (twice !== undefined) throw refusal(owner, 'spec.provisioning.files', twice.path, 'each path once');
}
