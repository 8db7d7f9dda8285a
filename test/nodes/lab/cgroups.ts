/**
 * Control groups of one machine. Its containers and its kubelet assume that they own all groups, so each machine needs
 * a group of its own in every hierarchy of the host: one hierarchy in version 2, one per controller in version 1.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitNow } from './wait-now.ts';

const MOUNTS = '/sys/fs/cgroup';
const REMOVAL_MS = 5000;

/** Creates the group below that of this process, in every hierarchy; returns the folders. */
export function makeGroups(name: string): readonly string[] {
  return hierarchies().map(({ mount, own }) => {
    const folder = join(mount, own, name);
    mkdirSync(folder, { recursive: true });
    // A new cpuset group accepts no process until its processors and memory are set.
    for (const setting of mount.endsWith('cpuset') ? ['cpuset.cpus', 'cpuset.mems'] : [])
      writeFileSync(join(folder, setting), readFileSync(join(mount, own, setting)));
    return folder;
  });
}

/** Removes them with all groups below, as soon as they have no processes. */
export function removeGroups(folders: readonly string[]): void {
  for (const folder of folders) waitNow(() => isRemoved(folder), REMOVAL_MS);
}

function isRemoved(folder: string): boolean {
  if (!existsSync(folder)) return true;
  const below = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  if (!below.every(({ name }) => isRemoved(join(folder, name)))) return false;
  try {
    rmdirSync(folder);
    return true;
  } catch {
    return false; // a process that has not ended yet
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
