/** Runs one command to its end, or to its limit, and returns its output. */
import { spawnSync } from 'node:child_process';

export interface Outcome {
  readonly ok: boolean;
  readonly output: string;
}

export interface Options {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** After that long, its whole process group is killed. @default 900, which every judge stays far below */
  readonly seconds?: number;
}

/** Downloads and builds take as long as the network and other work on the machine let them. */
export const BUILD_SECONDS = 7200;

/** A group of its own: what the command has started ends with it. Its types do not have this option. */
const GROUP = { detached: true };

export function runCommand(command: string, args: readonly string[], options: Options = {}): Outcome {
  const { seconds = 900 } = options;
  const { pid, status, stdout, stderr, error } = spawnSync(command, args, {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    ...GROUP,
    timeout: seconds * 1000,
    killSignal: 'SIGKILL',
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    ...(options.input === undefined ? {} : { input: options.input }),
    env: { ...process.env, ...options.env },
  });
  if (isTimeout(error)) {
    killGroup(pid);
    const ran = [command, ...args].join(' ');
    return { ok: false, output: `killed after ${seconds} s: ${ran}\n${stdout}${stderr}`.trim() };
  }
  if (error !== undefined) return { ok: false, output: error.message };
  return { ok: status === 0, output: `${stdout}${stderr}`.trim() };
}

function isTimeout(error: Error | undefined): boolean {
  return error !== undefined && 'code' in error && error.code === 'ETIMEDOUT';
}

function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // it had started nothing, or all of it has ended
  }
}

/** Whether a command is on PATH. */
export function isInstalled(command: string): boolean {
  return runCommand('sh', ['-c', 'command -v "$1"', 'sh', command]).ok;
}
