/** Runs one command to its end and returns its output. */
import { spawnSync } from 'node:child_process';

export interface Outcome {
  readonly ok: boolean;
  readonly output: string;
}

export interface Options {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

export function runCommand(command: string, args: readonly string[], options: Options = {}): Outcome {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    ...(options.input === undefined ? {} : { input: options.input }),
    env: { ...process.env, ...options.env },
  });
  if (error !== undefined) return { ok: false, output: error.message };
  return { ok: status === 0, output: `${stdout}${stderr}`.trim() };
}

/** Whether a command is on PATH. */
export function isInstalled(command: string): boolean {
  return runCommand('sh', ['-c', 'command -v "$1"', 'sh', command]).ok;
}
