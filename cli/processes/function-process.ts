/** One function as a separate process: started, watched, and restarted on the same port if it dies. */
import { type ChildProcess, spawn } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import { dirname, join } from 'node:path';
import { SlipwayError } from '#lib/api/errors.ts';
import { stringAt } from '#lib/api/json.ts';
import { type FunctionClient, connectFunction } from '#lib/wire/client.ts';
import { type FunctionFolder, ROOT } from '../files/repository.ts';

export interface ProcessOptions {
  /** 0: a free port, which it then keeps. */
  readonly port: number;
  /** Whether the function takes the time from its caller. */
  readonly clock: 'system' | 'request';
}

const RESTARTS = 20;

export class FunctionProcess {
  readonly name: FunctionFolder;
  readonly #options: ProcessOptions;
  #child: ChildProcess | undefined;
  #client: FunctionClient | undefined;
  #running: Promise<void>;
  #port: number;
  #stopped = false;
  #restarts = 0;

  constructor(name: FunctionFolder, options: ProcessOptions) {
    this.name = name;
    this.#options = options;
    this.#port = options.port;
    this.#running = this.#start();
    this.#running.catch(() => {}); // reported to those who wait for it
  }

  /** Resolves once it listens; rejects when it cannot be started. */
  get running(): Promise<void> {
    return this.#running;
  }

  get address(): string {
    return `127.0.0.1:${this.#port}`;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Calls it; a call that a dying process did not answer is made again once it is back. */
  readonly run: FunctionClient['run'] = async (request, options) => {
    for (;;) {
      await this.#running;
      const before = this.#restarts;
      try {
        this.#client ??= connectFunction(this.address, this.name);
        return await this.#client.run(request, options);
      } catch (thrown) {
        await this.#noticed(before);
        if (this.#stopped || this.#restarts === before) throw thrown;
      }
    }
  };

  stop(): void {
    this.#stopped = true;
    this.#client?.close();
    this.#child?.kill('SIGTERM');
  }

  /** The exit of a process is reported shortly after its last call failed. */
  async #noticed(before: number): Promise<void> {
    for (let i = 0; i < 20 && this.#restarts === before && !this.#stopped; i += 1)
      await new Promise((resolve) => void setTimeout(resolve, 50));
  }

  #start(): Promise<void> {
    const main = join(ROOT, 'functions', this.name, 'main.ts');
    const own = ['--address', this.address, '--metrics-address', '', '--clock', this.#options.clock];
    // Standard input ends with this process, however it ends.
    const env = { ...process.env, ...cacheOf(getCompileCacheDir()) };
    const child = spawn(process.execPath, [main, '--insecure', '--stop-with-stdin', ...own], { stdio: 'pipe', env });
    this.#child = child;
    child.once('exit', () => this.#ended(child));
    return new Promise((resolve, reject) => {
      let errors = '';
      const fail = (cause: string): void =>
        reject(new SlipwayError('Unavailable', `cannot start function "${this.name}": ${cause}`));
      // It listens, or it ends: both are facts, and a machine may be as slow as it likes.
      child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
      child.once('exit', () => fail(errors.trim().split('\n')[0] ?? 'it exited immediately'));
      onLines(child, (line) => {
        const address = listeningAddress(line);
        if (address === undefined) return;
        this.#port = Number(address.slice(address.lastIndexOf(':') + 1));
        resolve();
      });
    });
  }

  #ended(child: ChildProcess): void {
    if (this.#stopped || child !== this.#child || this.#restarts >= RESTARTS) return;
    this.#client?.close();
    this.#client = undefined;
    this.#running = this.#start();
    this.#running.catch(() => {});
    this.#restarts += 1;
  }
}

function onLines(child: ChildProcess, take: (line: string) => void): void {
  let rest = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(line);
  });
}

/** Of the entry of its log that names it: each line of a function's standard output is one JSON object. */
function listeningAddress(line: string): string | undefined {
  const entry: unknown = JSON.parse(line);
  return stringAt(entry, 'msg') === 'listening' ? stringAt(entry, 'address') : undefined;
}

/** Functions reuse the compile cache of this command or of an earlier one. */
function cacheOf(folder: string | undefined): Readonly<Record<string, string>> {
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) };
}
