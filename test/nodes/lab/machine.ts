/**
 * One machine: the image, booted by systemd-nspawn with systemd as its first process. Its writes go to memory, except
 * in the folders that its distribution names, and except for its logs, which are kept.
 */
import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Processes, Running } from '../../e2e/lab/processes.ts';
import { until } from '../../e2e/lab/waiting.ts';
import type { ClaimedMachine } from '../claim/machine.ts';
import { tool } from '../image/tools.ts';
import { makeGroups, removeGroups } from './cgroups.ts';
import type { Network } from './network.ts';
import { waitNow } from './wait-now.ts';

export interface Machine extends ClaimedMachine {
  /** Milliseconds since the epoch. */
  readonly bootedAt: number;
  /** Its /var/log, on the host. */
  readonly logs: string;
  /** Runs a command in it; returns its standard output. Throws when it fails. */
  readonly exec: (...command: readonly string[]) => Promise<string>;
  /** The command that opens a shell in it. */
  readonly entry: string;
  /** Whether it ended by itself. */
  readonly gone: boolean;
  /** Turns it off at once. Only its logs are kept. It awaits nothing, so that an exit handler can call it. */
  stop(): void;
}

export interface Place {
  readonly image: string;
  /** What it writes where an overlay would be on top of an overlay, and its logs: names here, and paths in it. */
  readonly folders: Folders;
  /** The parent of the folders of this machine. */
  readonly folder: string;
  readonly network: Network;
  readonly processes: Processes;
}

/** Of a machine, on a file system of the host. */
export type Folders = Readonly<Record<string, string>> & { readonly log: '/var/log' };

/** Without these runc cannot create a key ring for a container. */
const CALLS = 'add_key keyctl request_key bpf @keyring @mount @privileged';

/** Joins the groups, then becomes nspawn: arguments are the groups, a dash, and the command. */
const ENTER = 'while [ "$1" != - ]; do echo $$ >"$1/cgroup.procs"; shift; done; shift; exec "$@"';

export function bootMachine(claimed: ClaimedMachine, place: Place): Machine {
  const { folder, network, processes } = place;
  const logs = join(folder, 'log');
  writeFolders(claimed, place);
  const groups = makeGroups(`slipway-${process.pid}-${claimed.name}`);
  const { program, env } = tool('systemd-nspawn');
  const options = nspawnOptions(claimed.name, place);
  const bootedAt = Date.now();
  const running = processes.start({
    name: claimed.name,
    program: 'sh',
    args: ['-c', ENTER, 'sh', ...groups, '-', 'nsenter', `--net=${network.namespace}`, program, ...options],
    // A machine may change kernel settings; several machines boot one image.
    env: { ...env, SYSTEMD_NSPAWN_API_VFS_WRITABLE: '1', SYSTEMD_NSPAWN_LOCK: '0' },
  });
  return {
    ...claimed,
    bootedAt,
    logs,
    exec: (...command) => execIn(running, command),
    get entry() {
      return `nsenter --target ${firstProcess(running) ?? '(gone)'} --all bash`;
    },
    get gone() {
      return running.exited;
    },
    stop() {
      const first = firstProcess(running);
      if (first !== undefined && !running.exited) endProcess(first);
      removeGroups(groups);
      for (const own of readdirSync(folder).filter((name) => name !== 'log'))
        rmSync(join(folder, own), { recursive: true, force: true });
    },
  };
}

function nspawnOptions(name: string, { image, folder, folders, network }: Place): readonly string[] {
  return [
    '--boot',
    `--machine=${name}`,
    `--directory=${image}`,
    '--volatile=overlay',
    `--network-bridge=${network.bridge}`,
    '--capability=all',
    `--system-call-filter=${CALLS}`,
    // The systemd of the host is not involved.
    '--register=no',
    '--keep-unit',
    '--link-journal=no',
    '--resolv-conf=off',
    '--console=pipe',
    ...Object.entries(folders).map(([own, path]) => `--bind=${join(folder, own)}:${path}`),
    '--bind=/dev/kmsg',
    // nspawn leaves it out; a host has it.
    '--bind-ro=/sys/module',
    `--bind-ro=${join(folder, 'seed')}:/var/lib/cloud/seed/nocloud`,
    // Before the file of Debian for containers, which uses DHCP.
    `--bind-ro=${join(folder, 'host0.network')}:/etc/systemd/network/10-host0.network`,
  ];
}

function writeFolders(claimed: ClaimedMachine, { folder, folders, network: { gateway, prefix } }: Place): void {
  for (const own of [...Object.keys(folders), 'seed', 'log/journal']) mkdirSync(join(folder, own), { recursive: true });
  // As kubeadm makes it where there is none.
  if ('etcd' in folders) chmodSync(join(folder, 'etcd'), 0o700);
  const { name, address, zone, instanceId, userData } = claimed;
  const seed = {
    'user-data': userData,
    'meta-data': `instance-id: ${instanceId}\navailability-zone: ${zone}\nlocal-hostname: ${name}\n`,
  };
  for (const [file, content] of Object.entries(seed))
    writeFileSync(join(folder, 'seed', file), content, { mode: 0o600 });
  writeFileSync(
    join(folder, 'host0.network'),
    `[Match]\nName=host0\n\n[Network]\nAddress=${address}/${prefix}\nGateway=${gateway}\n`,
  );
}

/** The init process of the machine, by its id on the host: the only child of nspawn. */
function firstProcess({ pid }: Running): number | undefined {
  try {
    const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
    return child === undefined || child === '' ? undefined : Number(child);
  } catch {
    return undefined;
  }
}

/** When the first process of a machine ends, all others end, and then nspawn by itself. */
function endProcess(first: number): void {
  try {
    process.kill(first, 'SIGKILL');
  } catch {
    return; // it has ended already
  }
  waitNow(() => !existsSync(`/proc/${first}`), 10_000);
}

async function execIn(running: Running, command: readonly string[]): Promise<string> {
  const first = await until('the first process of the machine', { seconds: 60 }, () => {
    const found = firstProcess(running);
    return found === undefined ? { yet: 'nspawn has not started it' } : { found };
  });
  const { stdout } = await promisify(execFile)('nsenter', ['--target', String(first), '--all', ...command], {
    timeout: 300_000,
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout;
}
