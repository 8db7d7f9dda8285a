/** Processor time that the processes of a lab used, in seconds, from the kernel. */
import { readFileSync } from 'node:fs';
import type { Processes } from './processes.ts';

/** Clock ticks of Linux in a second, on every architecture. */
const TICKS = 100;

/** By name of the process; a process that ended is left out. */
export function cpuSeconds(processes: Processes): ReadonlyMap<string, number> {
  return new Map(processes.running.flatMap(({ name, pid }) => entry(name, pid)));
}

/** The processes that used most, most first: `kube-apiserver 120 s`. */
export function cpuSince(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): readonly string[] {
  return [...after]
    .map(([name, seconds]): [string, number] => [name, seconds - (before.get(name) ?? 0)])
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, 6)
    .map(([name, seconds]) => `${name} ${seconds.toFixed(0)} s`);
}

function entry(name: string, pid: number): readonly [string, number][] {
  try {
    // User and system time are fields 14 and 15; the name of the program before them may have spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return [[name, (Number(fields[11]) + Number(fields[12])) / TICKS]];
  } catch {
    return [];
  }
}
