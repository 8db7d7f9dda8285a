/** write_files. All content is base64, so that every byte is kept; the script sets who may read a file. */
import { refuseDuplicates } from '../contents.ts';
import { claimedFile, type HostFile, plannedFile, rootFile } from '../host-file.ts';
import type { Order } from '../provisioner.ts';
import { onDriveC } from './paths.ts';
import { powerShell, SCRIPT_PATH } from './script.ts';

interface WriteFile {
  readonly path: string;
  readonly encoding: 'b64';
  readonly content: string;
  readonly permissions: string;
  readonly append?: true;
}

const HOSTS = '/Windows/System32/drivers/etc/hosts';

export function writeFiles(order: Order<'scripted'>): readonly WriteFile[] {
  const { plan, customisation, owner } = order;
  const { hosts } = customisation;
  const lines = hosts.map(({ address, names }) => `${[address, ...names].join(' ')}\r\n`).join('');
  const claimed: readonly HostFile[] = customisation.files.map((file, index) => claimedFile(file, index, owner));
  const wanted: readonly HostFile[] = [
    ...claimed,
    ...plan.files.map(plannedFile),
    // The last line of the file in the image may have no line end.
    ...(hosts.length === 0 ? [] : [rootFile(HOSTS, `\r\n${lines}`, '0644', true)]),
    rootFile(SCRIPT_PATH, powerShell(order), '0700'),
  ];
  // Windows paths are case-insensitive.
  refuseDuplicates(
    wanted.map(({ path, append }) => ({ path: path.toLowerCase(), append })),
    owner,
  );
  return wanted.map(entry);
}

function entry({ path, bytes, mode, append }: HostFile): WriteFile {
  return {
    path: onDriveC(path),
    encoding: 'b64',
    content: bytes.toString('base64'),
    permissions: mode,
    ...(append ? { append: true } : {}),
  };
}
