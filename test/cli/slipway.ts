/** Runs the command line as users do: a process of its own, its output and its exit code. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function start(args: readonly string[]): {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<Ran>;
} {
  const env = { ...process.env, NO_COLOR: '1', COLUMNS: '80' };
  const child = spawn(process.execPath, [join(ROOT, 'cli', 'main.ts'), ...args], { cwd: ROOT, env });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = new Promise<Ran>((resolve) => void child.once('close', (code) => resolve({ code, stdout, stderr })));
  return { child, ended };
}

export function slipway(...args: readonly string[]): Promise<Ran> {
  return start(args).ended;
}

/** Process ids of a process's children whose command line has the text in it; Linux only. */
export function childrenOf(pid: number, text: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((candidate) => {
      try {
        const parent = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${candidate}/status`, 'utf8'))?.[1];
        return Number(parent) === pid && readFileSync(`/proc/${candidate}/cmdline`, 'utf8').includes(text);
      } catch {
        return false; // it ended while we looked
      }
    });
}
