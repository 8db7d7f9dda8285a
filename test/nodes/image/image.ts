/** An image that machines boot: Debian, the files of root/, and what a distribution lays over them. */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { sha256 } from '#lib/api/names.ts';
import { CACHE } from './cache.ts';
import { debianTar } from './debian.ts';

export interface Layers {
  /** In the name of the folder. */
  readonly of: string;
  /** Another value gives another image; the files of this folder count always. */
  readonly programs: string;
  readonly layOver: (root: string) => void | Promise<void>;
}

/** Path of the root folder, created once. Throws MissingError, in one line, if it is not available. */
export async function imageOf(layers: Layers, progress: (line: string) => void): Promise<string> {
  const tar = debianTar(progress);
  const key = sha256([basename(tar), layers.programs, ...sources()].join('\0')).slice(0, 12);
  const folder = join(CACHE, `image-${layers.of}-${key}`);
  if (existsSync(folder)) return folder;
  const started = Date.now();
  progress(`image of a machine with ${layers.of} …`);
  const draft = `${folder}.part`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  run('tar', '-xpf', tar, '-C', draft);
  cpSync(join(import.meta.dirname, 'root'), draft, { recursive: true });
  await layers.layOver(draft);
  finish(draft);
  renameSync(draft, folder);
  progress(`image of a machine with ${layers.of} made in ${Math.round((Date.now() - started) / 1000)} s`);
  return folder;
}

function finish(root: string): void {
  // Each machine generates its own id at its first boot, and has no DNS server.
  for (const file of ['etc/machine-id', 'etc/resolv.conf']) writeFileSync(join(root, file), '');
  const early = join(root, 'etc/systemd/system/sysinit.target.wants');
  mkdirSync(early, { recursive: true });
  symlinkSync('../machine-cgroups.service', join(early, 'machine-cgroups.service'));
  run('systemctl', `--root=${root}`, 'enable', 'systemd-networkd.service');
}

/** What this folder adds: a changed file gives another image. */
function sources(): readonly string[] {
  const files = readdirSync(import.meta.dirname, { recursive: true, withFileTypes: true }).filter((one) =>
    one.isFile(),
  );
  return files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8')).toSorted();
}

/** Throws when the command fails. */
export function run(program: string, ...args: readonly string[]): void {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`cannot run ${program} ${args.join(' ')}: ${stderr.trim()}`);
}
