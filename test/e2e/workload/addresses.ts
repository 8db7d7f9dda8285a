/**
 * Addresses of workload clusters, on the loopback device of this network: a kubeconfig that names one is accepted,
 * because it is no address of loopback. Names in kubeconfigs lead to them by a hosts file. A cloud whose load balancers
 * have no names gives an address, which then is on that device itself.
 */
import { execFileSync } from 'node:child_process';
import { isIP } from 'node:net';

/** No other range of the lab overlaps with it. */
const RANGE = '10.255.0';

export class Addresses {
  readonly #names = new Map<string, string>();
  readonly #announced = new Set<string>();
  readonly #listeners: ((hosts: string) => void)[] = [];
  #last = 0;

  /** A new address for the name, which leads to it once it is announced; an address is its own. */
  add(name: string): string {
    this.#last += 1;
    const address = isIP(name) === 0 ? `${RANGE}.${this.#last}` : name;
    execFileSync('ip', ['address', 'replace', `${address}/32`, 'dev', 'lo']);
    this.#names.set(name, address);
    return address;
  }

  announce(name: string): void {
    this.#announced.add(name);
    this.#tell();
  }

  /** Undefined: the name leads nowhere yet, or no longer. */
  find(name: string): string | undefined {
    return this.#announced.has(name) ? this.#names.get(name) : undefined;
  }

  remove(name: string): void {
    const address = this.#names.get(name);
    if (address === undefined) return;
    execFileSync('ip', ['address', 'delete', `${address}/32`, 'dev', 'lo']);
    this.#names.delete(name);
    this.#announced.delete(name);
    this.#tell();
  }

  removeAll(): void {
    for (const name of this.#names.keys()) this.remove(name);
  }

  /** Calls the listener with the content of a hosts file, now and whenever it changed. */
  onHosts(listener: (hosts: string) => void): void {
    this.#listeners.push(listener);
    listener(this.#hosts);
  }

  get #hosts(): string {
    const announced = [...this.#names].filter(([name]) => this.#announced.has(name) && isIP(name) === 0);
    return [['localhost', '127.0.0.1'] as const, ...announced]
      .map(([name, address]) => `${address} ${name}\n`)
      .join('');
  }

  #tell(): void {
    for (const listener of this.#listeners) listener(this.#hosts);
  }
}
