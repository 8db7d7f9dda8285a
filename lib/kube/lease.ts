/**
 * One of several replicas acts: the one that holds a Lease and renews it. The others take it over once it was not
 * renewed for its whole duration, measured by their own clock since they last saw it change.
 */
import { type JsonObject, type KubeObject, at, stringAt } from '#lib/api/json.ts';
import type { KubeClient } from './client.ts';
import { KubeRefusal } from './refusal.ts';
import type { ObjectName, Resource } from './resource.ts';
import { pause, type Timing } from './timing.ts';

export const LEASES: Resource = {
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  plural: 'leases',
  namespaced: true,
};

export interface LeaseParts {
  readonly client: KubeClient;
  readonly timing: Timing;
  readonly name: ObjectName;
  /** Who acts: name of the pod. */
  readonly holder: string;
  readonly manager: string;
  readonly onError: (thrown: unknown) => void;
}

/**
 * Seconds. Crossplane's providers use the same: 15 seconds were lost under load. `renewFor`: one that could not renew
 * for so long stops acting, before anybody else may begin.
 */
const TIMES = { duration: 60, renewFor: 50, every: 10 } as const;

export class Lease {
  readonly #parts: LeaseParts;
  readonly #stopped = new AbortController();
  readonly #lost = Promise.withResolvers<void>();
  /** This replica held it, and another one does now. */
  #isTaken = false;
  /** The Lease of another replica, and when this one first saw it so. */
  #seen: { readonly version: string; readonly at: number } | undefined;
  #renewed: number | undefined;
  #running: Promise<void> | undefined;

  constructor(parts: LeaseParts) {
    this.#parts = parts;
  }

  /** Resolves once it is held; never, when it is stopped before. */
  acquire(): Promise<void> {
    const held = Promise.withResolvers<void>();
    this.#running = this.#run(held.resolve);
    return held.promise;
  }

  /** Resolves when it could not be renewed: the process has to end, because another one may begin. */
  get lost(): Promise<void> {
    return this.#lost.promise;
  }

  /** Releases it, so that another replica begins at once. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#running;
    if (this.#renewed === undefined) return;
    const { client, name, manager } = this.#parts;
    const lease = await client.find(LEASES, name).catch(() => undefined);
    if (holderOf(lease) !== this.#parts.holder) return;
    const { resourceVersion } = lease?.metadata ?? {};
    await client
      .patch(LEASES, name, { metadata: { resourceVersion }, spec: { holderIdentity: '' } }, { manager })
      .catch(this.#parts.onError);
  }

  async #run(held: () => void): Promise<void> {
    const { signal } = this.#stopped;
    const { timing, onError } = this.#parts;
    while (!signal.aborted) {
      try {
        if (await this.#take()) held();
        else if (this.#isTaken) return this.#lost.resolve();
      } catch (thrown) {
        onError(thrown);
      }
      if (this.#renewed !== undefined && timing.now() - this.#renewed > TIMES.renewFor * 1000)
        return this.#lost.resolve();
      await pause(timing, TIMES.every, signal);
    }
  }

  /** True when it is held now. A write that another replica was faster with is no error. */
  async #take(): Promise<boolean> {
    const { client, timing, name, manager } = this.#parts;
    const asked = timing.now();
    const lease = await client.find(LEASES, name);
    if (!this.#isFree(lease)) return false;
    try {
      if (lease === undefined) await client.create(LEASES, this.#newLease(), { manager });
      else await client.patch(LEASES, name, this.#patchOf(lease), { manager });
    } catch (thrown) {
      // Whoever wrote in between: the next look tells who holds it.
      if (KubeRefusal.has(thrown, 409)) return false;
      throw thrown;
    }
    this.#renewed = asked;
    return true;
  }

  #isFree(lease: KubeObject | undefined): boolean {
    const { holder, timing } = this.#parts;
    const other = holderOf(lease);
    if (other === undefined || other === holder) return true;
    this.#isTaken = this.#renewed !== undefined;
    const version = lease?.metadata?.resourceVersion ?? '';
    if (this.#seen?.version !== version) this.#seen = { version, at: timing.now() };
    const seconds = Number(at(lease, 'spec', 'leaseDurationSeconds') ?? TIMES.duration);
    return timing.now() - this.#seen.at > seconds * 1000;
  }

  #newLease(): KubeObject {
    const { namespace = '', name } = this.#parts.name;
    const spec = { ...this.#renewal(), acquireTime: this.#now };
    return { apiVersion: LEASES.apiVersion, kind: LEASES.kind, metadata: { namespace, name }, spec };
  }

  /** It holds only for the Lease that was read. */
  #patchOf(lease: KubeObject): JsonObject {
    const { resourceVersion } = lease.metadata ?? {};
    const isMine = holderOf(lease) === this.#parts.holder;
    const leaseTransitions = Number(at(lease, 'spec', 'leaseTransitions') ?? 0) + 1;
    const taken = isMine ? {} : { acquireTime: this.#now, leaseTransitions };
    return { metadata: { resourceVersion }, spec: { ...this.#renewal(), ...taken } };
  }

  #renewal(): JsonObject {
    return { holderIdentity: this.#parts.holder, leaseDurationSeconds: TIMES.duration, renewTime: this.#now };
  }

  /** With microseconds, as the API wants it. */
  get #now(): string {
    return new Date(this.#parts.timing.now()).toISOString().replace('Z', '000Z');
  }
}

function holderOf(lease: KubeObject | undefined): string | undefined {
  return stringAt(lease, 'spec', 'holderIdentity');
}
