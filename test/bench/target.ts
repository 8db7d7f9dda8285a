/** A process that answers requests, and what it costs: Linux counts the time of all its threads. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { Client, credentials } from '@grpc/grpc-js';
import { RUN_FUNCTION } from '#lib/wire/method.ts';

const MOST = 64 * 1024 * 1024;

export class Target {
  readonly name: string;
  readonly #child: ChildProcess;
  readonly #client: Client;
  readonly address: string;
  /** Milliseconds of CPU until it listened. */
  readonly start: number;

  private constructor(name: string, child: ChildProcess, address: string) {
    this.name = name;
    this.#child = child;
    this.address = address;
    this.#client = new Client(address, credentials.createInsecure(), {
      'grpc.max_receive_message_length': MOST,
      'grpc.max_send_message_length': MOST,
    });
    this.start = this.cpu();
  }

  /** @param args what makes it listen at an address */
  static async started(name: string, program: string, args: (address: string) => readonly string[]): Promise<Target> {
    const address = `127.0.0.1:${await freePort()}`;
    const child = spawn(program, args(address), { stdio: 'ignore' });
    while (!(await listens(address))) {
      if (child.exitCode !== null) throw new Error(`cannot start ${name}: exit code ${child.exitCode}`);
      await new Promise((resolve) => void setTimeout(resolve, 5));
    }
    return new Target(name, child, address);
  }

  call(bytes: Uint8Array): Promise<Buffer> {
    const own = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return new Promise((resolve, reject) => {
      const asIs = (buffer: Buffer): Buffer => buffer;
      this.#client.makeUnaryRequest(RUN_FUNCTION, asIs, asIs, own, (error, answer) => {
        if (error === null && answer !== undefined) resolve(answer);
        else reject(error ?? new Error('no answer'));
      });
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Milliseconds so far. */
  cpu(): number {
    const folder = `/proc/${this.#child.pid}/task`;
    const times = readdirSync(folder).map((task) =>
      Number(readFileSync(`${folder}/${task}/schedstat`, 'utf8').split(' ')[0]),
    );
    return times.reduce((sum, time) => sum + time, 0) / 1e6;
  }

  /** MiB now, or the most so far. */
  memory(field: 'VmRSS' | 'VmHWM'): number {
    const status = readFileSync(`/proc/${this.#child.pid}/status`, 'utf8');
    return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024;
  }

  stop(): void {
    this.#client.close();
    this.#child.kill('SIGTERM');
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => void server.close(resolve));
  return port;
}

function listens(address: string): Promise<boolean> {
  const [host = '', port = ''] = address.split(':');
  return new Promise((resolve) => {
    const socket = connect(Number(port), host);
    socket.once('connect', () => (socket.destroy(), resolve(true)));
    socket.once('error', () => resolve(false));
  });
}
