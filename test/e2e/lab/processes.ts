/**
 * Child processes of the lab: started with a log file each, identified by id, stopped in reverse order. Only processes
 * that were started here get signals, each by its own id.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';

export interface Command {
  /** Name of the log file. */
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  /** In addition to PATH and HOME; nothing else is inherited. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface Running {
  readonly name: string;
  readonly pid: number;
  readonly exited: boolean;
  /** Resolves when it has ended, for whatever reason. */
  readonly gone: Promise<void>;
  /** Sends SIGTERM and waits; kills after ten seconds. */
  stop(): Promise<void>;
  /** Kills it at once, like a machine that loses power. */
  kill(): Promise<void>;
}

const KILL_AFTER_MS = 10_000;

export class Processes {
  readonly #running: Child[] = [];
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  start(command: Command): Running {
    const child = new Child(command, join(this.folder, `${command.name}.log`));
    this.#running.push(child);
    return child;
  }

  /** Processes that ended by themselves: a reason for a case to fail. */
  get lost(): readonly string[] {
    return this.#running.filter((child) => child.exited && !child.stopRequested).map(({ name }) => name);
  }

  get running(): readonly Running[] {
    return this.#running.filter((child) => !child.exited);
  }

  /** Newest first: a server stops after its clients. */
  async stopAll(): Promise<void> {
    for (const child of this.#running.splice(0).toReversed()) await child.stop();
  }

  /** For the exit handler, which cannot await. */
  killAll(): void {
    for (const child of this.#running.toReversed()) child.signal('SIGKILL');
  }
}

class Child implements Running {
  readonly name: string;
  readonly pid: number;
  stopRequested = false;
  readonly #process: ChildProcess;
  readonly gone: Promise<void>;

  constructor({ name, program, args, env }: Command, log: string) {
    this.name = name;
    const { PATH = '', HOME = '' } = process.env;
    // The file itself, not a pipe, so that a child never waits for this process to read its output.
    const file = openSync(log, 'a');
    this.#process = spawn(program, [...args], { env: { PATH, HOME, ...env }, stdio: ['ignore', file, file] });
    closeSync(file);
    this.pid = this.#process.pid ?? 0;
    this.gone = new Promise((resolve) => {
      const over = (how: string): void => {
        appendFileSync(log, `exited: ${how}\n`);
        resolve();
      };
      this.#process.once('error', (error) => over(error.message));
      this.#process.once('exit', (code, signal) => over(String(code ?? signal)));
    });
  }

  get exited(): boolean {
    return this.#process.exitCode !== null || this.#process.signalCode !== null || this.pid === 0;
  }

  signal(name: 'SIGTERM' | 'SIGKILL'): void {
    this.stopRequested = true;
    if (!this.exited) this.#process.kill(name);
  }

  async stop(): Promise<void> {
    this.signal('SIGTERM');
    const killTimer = setTimeout(() => this.signal('SIGKILL'), KILL_AFTER_MS);
    await this.gone;
    clearTimeout(killTimer);
  }

  async kill(): Promise<void> {
    this.signal('SIGKILL');
    await this.gone;
  }
}
