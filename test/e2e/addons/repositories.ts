/** Repositories of charts: web servers on this machine, under the names that Compositions and claims have, with an authority of their own. */
import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { join, normalize } from 'node:path';
import { promisify } from 'node:util';
import { type Authority, newAuthority } from '../lab/authority.ts';
import type { Addresses } from '../workload/addresses.ts';
import { type OwnChart, sourceOf } from './charts.ts';

export class ChartRepositories {
  readonly #helm: string;
  readonly #authority: Authority;
  readonly #addresses: Addresses;
  /** Has a folder for each host. */
  readonly #folder: string;
  readonly #servers = new Map<string, Server>();

  private constructor(helm: string, authority: Authority, addresses: Addresses, folder: string) {
    this.#helm = helm;
    this.#authority = authority;
    this.#addresses = addresses;
    this.#folder = folder;
  }

  /** @param helm  the program */
  static async start(helm: string, addresses: Addresses, folder: string): Promise<ChartRepositories> {
    return new ChartRepositories(helm, await newAuthority('charts'), addresses, folder);
  }

  /** PEM, of the authority that its clients trust. */
  get authority(): string {
    return this.#authority.cert;
  }

  async add(charts: readonly OwnChart[]): Promise<void> {
    for (const chart of charts) {
      const { hostname, pathname } = new URL(chart.repository);
      const folder = join(this.#folder, hostname, pathname);
      mkdirSync(folder, { recursive: true });
      const source = sourceOf(chart, join(this.#folder, 'sources'));
      await this.#run('package', source, `--version=${chart.version}`, `--destination=${folder}`);
      await this.#run('repo', 'index', folder);
      await this.#serve(hostname);
    }
  }

  async stop(): Promise<void> {
    const servers = [...this.#servers.values()];
    await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  }

  async #serve(host: string): Promise<void> {
    if (this.#servers.has(host)) return;
    const address = this.#addresses.add(host);
    const server = createServer(await this.#authority.issue(host, { dns: [host] }), (request, response) => {
      void this.#answer(host, request, response);
    });
    this.#servers.set(host, server);
    await new Promise<void>((resolve) => server.listen(443, address, resolve));
    this.#addresses.announce(host);
  }

  async #answer(host: string, { url = '/' }: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(url, `https://${host}`);
    const file = await readFile(join(this.#folder, host, normalize(pathname))).catch(() => undefined);
    response.writeHead(file === undefined ? 404 : 200, { connection: 'close' }).end(file);
  }

  async #run(...args: readonly string[]): Promise<void> {
    const { PATH = '' } = process.env;
    await promisify(execFile)(this.#helm, args, { env: { PATH, HOME: this.#folder }, timeout: 180_000 });
  }
}
