/**
 * What first-boot data takes at least, by what a claim says alone: known before there is a machine. It is a lower bound,
 * since the plan of a bootstrapper and the script come on top, and so refuses nothing that would fit.
 */
import type { Claimed, File } from '#lib/api/fields/provisioning.ts';
import { unpacked } from '#lib/api/packed.ts';
import { stableGzip } from '#lib/fn/gzip.ts';
import { type Room, type Rooms, tooLarge } from './size.ts';
import type { ProvisionerTraits } from './traits.ts';

/**
 * Throws PayloadTooLarge for what fits into no way of the cloud that the platform may have chosen.
 * @param usesStore whether it is known to choose the secret store wherever a format can be fetched from there
 */
export function refuseTooLarge(
  claimed: Claimed,
  traits: ProvisionerTraits,
  rooms: Rooms,
  owner: string,
  usesStore = false,
): void {
  const { title, limit } = roomOf(traits, rooms, usesStore);
  const { packs = true } = traits;
  let length = Infinity;
  // Of packed files a format writes the one or the other, and what is packed twice may be far smaller.
  for (const bytesOf of [asWritten, asUnpacked]) {
    const contents = Buffer.concat(contentsOf(claimed, bytesOf));
    // Most claims are far below, and gzip takes its time.
    if (contents.length <= limit) return;
    length = Math.min(length, (packs ? stableGzip(contents) : contents).length);
    if (length <= limit) return;
  }
  const size = `at least ${length} bytes${packs ? ' gzipped' : ''}`;
  throw tooLarge(owner, size, `${title} accepts ${limit}`, length - limit);
}

/** The larger one where all of it may be in either, and both where a part of it is in each. */
function roomOf(
  { fetchedWhole, apart = false }: ProvisionerTraits,
  { carrier, store }: Rooms,
  usesStore: boolean,
): Room {
  if (apart) {
    // Data of such a format holds what is gzipped in base64.
    const open = Math.floor((carrier.limit * 3) / 4);
    return { title: `${carrier.title} together with ${store.title}`, limit: open + store.limit };
  }
  return fetchedWhole && (usesStore || store.limit > carrier.limit) ? store : carrier;
}

/** Every byte of these is in the data of every format. Keys that are the same may be there once. */
function contentsOf(
  { files, units, commands, caCertificates, users }: Claimed,
  bytesOf: (file: File) => Buffer,
): readonly Buffer[] {
  const texts = [
    ...units.flatMap(({ contents = '', dropIns }) => [contents, ...dropIns.map((dropIn) => dropIn.contents ?? '')]),
    ...commands.pre,
    ...commands.post,
    ...new Set(caCertificates),
    ...new Set(users.flatMap(({ sshAuthorizedKeys }) => sshAuthorizedKeys)),
  ];
  return [...files.map(bytesOf), ...texts.map((text) => Buffer.from(text))];
}

function asWritten({ content = '', encoding }: File): Buffer {
  return Buffer.from(content, encoding === 'plain' ? 'utf8' : 'base64');
}

function asUnpacked(file: File): Buffer {
  const { content = '', encoding } = file;
  return encoding === 'gzip+base64' ? (unpacked(content) ?? Buffer.alloc(0)) : asWritten(file);
}
