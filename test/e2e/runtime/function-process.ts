/**
 * One revision of a function package, run as in its Deployment: from the files of the image, as the user of the image,
 * with its own address and certificates, and restarted when it ends.
 */
import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Pair } from '../lab/authority.ts';
import type { Processes, Running } from '../lab/processes.ts';
import { pause } from '../lab/waiting.ts';
import type { Root } from './root.ts';

/** Where the Deployment of Crossplane mounts the server certificate. */
const CERTIFICATES = '/tls/server';
const PORT = 9443;
const METRICS_PORT = 9444;
const RESTART_MS = 1_000;

export class FunctionProcess {
  /** The revision's name. */
  readonly name: string;
  /** Its own loopback address, so that every function listens on the same port as in a pod. */
  readonly address: string;
  readonly #root: Root;
  readonly #processes: Processes;
  #running: Running | undefined;
  #wanted = true;
  #halted = false;

  constructor(
    name: string,
    address: string,
    root: Root,
    certificates: Pair & { readonly ca: string },
    processes: Processes,
  ) {
    this.name = name;
    this.address = address;
    this.#root = root;
    this.#processes = processes;
    mount(root, certificates);
    void this.#keepRunning();
  }

  get endpoint(): string {
    return `dns:///${this.address}:${PORT}`;
  }

  get metricsUrl(): string {
    return `http://${this.address}:${METRICS_PORT}/metrics`;
  }

  /** Without warning; it restarts after a second. */
  async kill(): Promise<void> {
    await this.#running?.kill();
  }

  /** Until `resume`: no call is answered. */
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
    const { folder, entrypoint, user, env } = this.#root;
    const address = [`--address=${this.address}:${PORT}`, `--metrics-address=${this.address}:${METRICS_PORT}`];
    return this.#processes.start({
      name: this.name,
      program: 'chroot',
      args: [`--userspec=${user}:${user}`, folder, ...entrypoint, ...address],
      env: { ...env, TLS_SERVER_CERTS_DIR: CERTIFICATES },
    });
  }
}

function mount({ folder, user }: Root, { cert, key, ca }: Pair & { readonly ca: string }): void {
  const target = join(folder, CERTIFICATES);
  mkdirSync(target, { recursive: true });
  for (const [name, text] of Object.entries({ 'tls.crt': cert, 'tls.key': key, 'ca.crt': ca })) {
    writeFileSync(join(target, name), text, { mode: 0o400 });
    chownSync(join(target, name), Number(user), Number(user));
  }
}
