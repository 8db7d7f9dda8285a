/** A host on which the real cloud-init or Ignition runs a first boot: a separate Debian, isolated from this machine. */
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Specification } from './build-ignition.ts';
import { cached, type Found } from './cache.ts';
import { ROOT } from './debian.ts';
import { isInstalled, runCommand } from './run.ts';

const NEEDS = ['unshare', 'chroot', 'losetup', 'partx', 'base64'];

/** The Debian to run in, or why it is not available. */
export function scratchRoot(): Found {
  const missing = NEEDS.filter((name) => !isInstalled(name));
  if (missing.length > 0) return { missing: `${missing.join(' and ')} is not installed` };
  if (process.getuid?.() !== 0) return { missing: 'only root can make namespaces and loop devices' };
  if (!runCommand('unshare', ['--mount', '--net', 'true']).ok) return { missing: 'namespaces cannot be made here' };
  if (!runCommand('losetup', ['-f']).ok) return { missing: 'there is no loop device' };
  return cached(...ROOT);
}

export interface HostFile {
  readonly bytes: Buffer;
  /** Without leading zero: 644. */
  readonly mode: string;
  readonly owner: string;
}

export interface Boot {
  /** The output of `cloud-init status`: done or error. */
  readonly status: string;
  /** The calls of fake programs, in order. */
  readonly calls: readonly string[];
  /** The whole output of cloud-init. */
  readonly output: string;
  readonly files: ReadonlyMap<string, HostFile>;
  /** Of the second disk: number, bytes, name, filesystem, its label, where it is mounted; what is empty is left out. */
  readonly partitions: readonly string[];
  /** Of the second disk itself: label, filesystem, where it is mounted. */
  readonly whole: readonly string[];
  /** Files that contain the secret, except for cloud-init's own copy of its data. */
  readonly holders: readonly string[];
}

interface Order {
  readonly root: string;
  /** The #cloud-config for a machine with a second disk. */
  readonly text: (disk: string) => string;
  /** Files to read afterwards. */
  readonly asked: readonly string[];
  /** A text to search for afterwards. */
  readonly secret: string;
  /** Where the data is written instead of user data; a link there leads to it. */
  readonly handedOver?: string;
  /** Shell commands before the boot; $DISK is the second disk. */
  readonly before?: string;
  /** Shell commands after the boot. */
  readonly after?: string;
  /** Ignition, if it reads the data; otherwise cloud-init does. */
  readonly ignition?: string;
  /** Of the second disk. @default a quarter */
  readonly gibibytes?: number;
  /** Model of the second disk, as lsblk prints it. */
  readonly model?: string;
  /** Of the specification that Ignition reads; 3 by default. */
  readonly specification?: Specification;
}

export function firstBootOn(order: Order): Boot {
  const {
    root,
    text,
    asked,
    secret,
    handedOver = '',
    before = '',
    after = '',
    ignition = '',
    specification = 3,
    gibibytes = 0.25,
    model = '',
  } = order;
  const folder = mkdtempSync(join(tmpdir(), 'slipway-host-'));
  const { disk, open } = attachDisk(join(folder, 'disk'), gibibytes);
  try {
    writeFileSync(join(folder, 'user-data'), text(disk));
    writeFileSync(join(folder, 'asked'), asked.map((path) => `${path}\n`).join(''));
    const namespaces = ['--mount', '--pid', '--fork', '--kill-child', '--uts', '--net', '--ipc'];
    const script = join(import.meta.dirname, 'scratch-host.sh');
    const given = {
      SECRET: secret,
      HANDED_OVER: handedOver,
      BEFORE: before,
      AFTER: after,
      IGNITION: ignition,
      MODEL: model.replaceAll('\\', '\\\\'),
      SPECIFICATION: `${specification}`,
    };
    const devices = join(import.meta.dirname, 'systemd-of-devices.py');
    const env = { FOLDER: folder, ROOT: root, DISK: disk, DEVICES: devices, ...given };
    const { ok, output } = runCommand('unshare', [...namespaces, 'sh', script], { env });
    if (!ok) throw new Error(output);
    return readBoot(folder);
  } finally {
    runCommand('partx', ['-d', disk]);
    closeSync(open);
    rmSync(folder, { recursive: true });
  }
}

/**
 * The kernel detaches the disk when this process closes it or is killed: a forgotten disk would answer to the labels of the
 * next host.
 */
function attachDisk(file: string, gibibytes: number): { readonly disk: string; readonly open: number } {
  writeFileSync(file, '');
  truncateSync(file, gibibytes * 1024 ** 3);
  const { ok, output: disk } = runCommand('losetup', ['-f', '--show', file]);
  if (!ok) throw new Error(disk);
  runCommand('partx', ['-d', disk]);
  const open = openSync(disk, 'r');
  runCommand('losetup', ['-d', disk]);
  return { disk, open };
}

function readBoot(folder: string): Boot {
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  const lines = (name: string): readonly string[] =>
    read(name)
      .split('\n')
      .filter((line) => line !== '');
  const found = read('found').split('\n');
  const files = new Map<string, HostFile>();
  for (let at = 0; at + 1 < found.length; at += 2) {
    const [path = '', mode = '', owner = ''] = (found[at] ?? '').split(' ');
    files.set(path, { mode, owner, bytes: Buffer.from(found[at + 1] ?? '', 'base64') });
  }
  return {
    status: /^status: (\w+)/m.exec(read('status'))?.[1] ?? '',
    calls: lines('calls'),
    output: read('output'),
    files,
    partitions: lines('partitions'),
    whole: lines('whole'),
    holders: lines('holders').filter((path) => !path.startsWith('/var/lib/cloud/')),
  };
}
