/**
 * Runs the command line: as a process of its own, as users do, when a test is about processes; otherwise in this
 * process, which only differs in speed.
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runProgram } from '../../cli/program.ts';

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

/** In this process: its output goes to the result, not to the terminal. One at a time. */
export async function slipway(...args: readonly string[]): Promise<Ran> {
  const printed = { stdout: '', stderr: '' };
  const restore = (['stdout', 'stderr'] as const).map((name) => {
    const write = process[name].write.bind(process[name]);
    process[name].write = (chunk: string | Uint8Array): boolean => {
      printed[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
      return true;
    };
    return () => void (process[name].write = write);
  });
  try {
    const code = await runProgram(args);
    return { code, ...printed };
  } finally {
    for (const undo of restore) undo();
  }
}

/** Ids of the child processes whose command line contains the text; Linux only. */
export function childrenOf(pid: number, text: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((candidate) => {
      try {
        const parent = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${candidate}/status`, 'utf8'))?.[1];
        return Number(parent) === pid && readFileSync(`/proc/${candidate}/cmdline`, 'utf8').includes(text);
      } catch {
        return false; // it ended in the meantime
      }
    });
}

/** What a terminal is like, as far as programs ask. */
export interface Terminal {
  /** Undefined: it is a pipe. */
  readonly columns?: number;
  readonly term?: string;
  readonly noColor?: string;
}

/** The same, on a terminal. */
export async function slipwayOn(
  { columns, term = 'xterm', noColor = '' }: Terminal,
  ...args: readonly string[]
): Promise<Ran> {
  const { TERM, NO_COLOR } = process.env;
  const streams = [process.stdout, process.stderr].map((stream) => ({
    stream,
    isTTY: stream.isTTY,
    was: stream.columns,
  }));
  for (const { stream } of streams) Object.assign(stream, { isTTY: columns !== undefined, columns });
  Object.assign(process.env, { TERM: term, NO_COLOR: noColor });
  try {
    return await slipway(...args);
  } finally {
    for (const { stream, isTTY, was } of streams) Object.assign(stream, { isTTY, columns: was });
    Object.assign(process.env, { TERM: TERM ?? '', NO_COLOR: NO_COLOR ?? '' });
  }
}
