/**
 * One revision of a package with code, run as in its Deployment: from the files of its image, as the user of the image,
 * and restarted when it ends.
 */
import { spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Processes, Running } from '../lab/processes.ts';
import { pause } from '../lab/waiting.ts';
import type { Root } from './root.ts';

const RESTART_MS = 1_000;
/** Takes the name as its host name, as a pod does, and becomes the command: replicas are told apart by it. */
const NAMED = ['unshare', '--uts', 'sh', '-ec', 'hostname "$1"; shift; exec "$@"', 'sh'] as const;
const canBeNamed = spawnSync('unshare', ['--uts', 'true']).status === 0;

export interface Program {
  /** The revision's name. */
  readonly name: string;
  readonly root: Root;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly processes: Processes;
}

export class PackageProcess {
  readonly #program: Program;
  #running: Running | undefined;
  #wanted = true;
  #halted = false;

  constructor(program: Program) {
    this.#program = program;
    void this.#keepRunning();
  }

  get name(): string {
    return this.#program.name;
  }

  /** Of the process that runs now; undefined between two. */
  get pid(): number | undefined {
    return this.#running?.exited === false ? this.#running.pid : undefined;
  }

  /** Without warning; it restarts after a second. */
  async kill(): Promise<void> {
    await this.#running?.kill();
  }

  /** Until `resume`. */
  async halt(): Promise<void> {
    this.#halted = true;
    await this.#running?.kill();
  }

  resume(): void {
    this.#halted = false;
  }

  async stop(): Promise<void> {
    this.#wanted = false;
    await this.#running?.stop();
  }

  async #keepRunning(): Promise<void> {
    while (this.#wanted) {
      if (this.#halted) {
        await pause(RESTART_MS);
        continue;
      }
      this.#running = this.#start();
      await this.#running.gone;
      await pause(RESTART_MS);
    }
  }

  #start(): Running {
    const { name, root, args, env, processes } = this.#program;
    const command = ['chroot', `--userspec=${root.user}:${root.user}`, root.folder, ...root.entrypoint, ...args];
    const [program = '', ...rest] = canBeNamed ? [...NAMED, name, ...command] : command;
    return processes.start({
      name,
      program,
      args: rest,
      env: { ...root.env, ...env },
    });
  }
}

/** A file in the root that only the user of the image can read, as a volume would mount it. */
export function mountFile({ folder, user }: Root, path: string, content: string): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  rmSync(file, { force: true }); // not the file of the layer, which other roots share
  writeFileSync(file, content, { mode: 0o400 });
  chownSync(file, Number(user), Number(user));
}
