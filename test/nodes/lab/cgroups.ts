/**
 * Control groups of one machine. Its containers and its kubelet think they own everything, so that each machine needs
 * a group of its own in every hierarchy of the host; one hierarchy in version 2, one per controller in version 1.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitNow } from './wait-now.ts';

const MOUNTS = '/sys/fs/cgroup';
const PATIENCE_MS = 5000;

/** Makes the group below our own, in every hierarchy; gives the folders. */
export function makeGroups(name: string): readonly string[] {
  return hierarchies().map(({ mount, own }) => {
    const folder = join(mount, own, name);
    mkdirSync(folder, { recursive: true });
    // A new group of cpuset takes nobody in until it says on which processors and memory.
    for (const setting of mount.endsWith('cpuset') ? ['cpuset.cpus', 'cpuset.mems'] : [])
      writeFileSync(join(folder, setting), readFileSync(join(mount, own, setting)));
    return folder;
  });
}

/** Removes them with all groups below, as soon as nobody is in them any more. */
export function removeGroups(folders: readonly string[]): void {
  for (const folder of folders) waitNow(() => isRemoved(folder), PATIENCE_MS);
}

function isRemoved(folder: string): boolean {
  if (!existsSync(folder)) return true;
  const below = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  if (!below.every(({ name }) => isRemoved(join(folder, name)))) return false;
  try {
    rmdirSync(folder);
    return true;
  } catch {
    return false; // a process that has not quite gone yet
  }
}

function hierarchies(): readonly { readonly mount: string; readonly own: string }[] {
  return readFileSync('/proc/self/cgroup', 'utf8')
    .trim()
    .split('\n')
    .map((line) => /^\d+:(?<controllers>[^:]*):(?<own>.*)$/.exec(line)?.groups ?? {})
    .map(({ controllers = '', own = '/' }) => ({ mount: mountOf(controllers), own }))
    .filter(({ mount }) => existsSync(join(mount, 'cgroup.procs')));
}

function mountOf(controllers: string): string {
  if (controllers !== '') return join(MOUNTS, controllers.replace(/^name=/, ''));
  return existsSync(join(MOUNTS, 'unified')) ? join(MOUNTS, 'unified') : MOUNTS;
}
