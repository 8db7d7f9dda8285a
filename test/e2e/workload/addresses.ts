/**
 * Addresses of workload clusters, on the loopback device of this network: a kubeconfig that names one is accepted,
 * because it is no address of loopback. Names in kubeconfigs lead to them by a hosts file.
 */
import { execFileSync } from 'node:child_process';

/** No other range of the lab overlaps with it. */
const RANGE = '10.255.0';

export class Addresses {
  readonly #names = new Map<string, string>();
  readonly #listeners: ((hosts: string) => void)[] = [];
  #last = 0;

  /** A new address, which the name leads to from now on. */
  add(name: string): string {
    this.#last += 1;
    const address = `${RANGE}.${this.#last}`;
    execFileSync('ip', ['address', 'replace', `${address}/32`, 'dev', 'lo']);
    this.#names.set(name, address);
    this.#tell();
    return address;
  }

  remove(name: string): void {
    const address = this.#names.get(name);
    if (address === undefined) return;
    execFileSync('ip', ['address', 'delete', `${address}/32`, 'dev', 'lo']);
    this.#names.delete(name);
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
    return [['localhost', '127.0.0.1'] as const, ...this.#names]
      .map(([name, address]) => `${address} ${name}\n`)
      .join('');
  }

  #tell(): void {
    for (const listener of this.#listeners) listener(this.#hosts);
  }
}
