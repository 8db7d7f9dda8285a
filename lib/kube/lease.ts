/**
 * One of several replicas acts: the one that holds a Lease and renews it. The others take it over once it was not
 * renewed for its whole duration, measured by their own time since they last saw it change: clocks that differ, or that
 * are set, make no two replicas act.
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
 * Seconds. Crossplane's providers use the same duration: 15 seconds were lost under load. `renewFor`: one that could not
 * renew for so long stops acting, ten seconds before anybody else may begin. `look`: one that does not hold it looks so
 * often that another one acts within 65 seconds after a crash. `within`: for each request, so that a dead connection
 * leaves time for others.
 */
const TIMES = { duration: 60, renewFor: 50, every: 10, again: 2, look: 4, within: 5 } as const;

export class Lease {
  readonly #parts: LeaseParts;
  readonly #client: KubeClient;
  readonly #stopped = new AbortController();
  readonly #held = Promise.withResolvers<void>();
  readonly #lost = Promise.withResolvers<void>();
  /** As it was when this replica last wrote it: one that holds it need not read it, because nobody else may write it. */
  #own: KubeObject | undefined;
  /** The Lease of another replica, and when this one first saw it so. */
  #seen: { readonly version: string; readonly at: number } | undefined;
  /** When the last request that renewed it was sent, by both times; undefined: it is not held. */
  #renewed: { readonly elapsed: number; readonly clock: number } | undefined;
  #end: (() => void) | undefined;
  #running: Promise<void> | undefined;

  constructor(parts: LeaseParts) {
    this.#parts = parts;
    this.#client = parts.client.bounded({ signal: this.#stopped.signal, within: TIMES.within });
  }

  /** Resolves once it is held; never, when it is stopped before. */
  acquire(): Promise<void> {
    this.#running ??= this.#run();
    return this.#held.promise;
  }

  /** Resolves when it could not be renewed: the process has to end, because another one may begin. */
  get lost(): Promise<void> {
    return this.#lost.promise;
  }

  /**
   * Whether this replica may act now. It is false before `lost` resolves where the machine was asleep: then time went on
   * only by the clock.
   */
  get isHeld(): boolean {
    const { timing } = this.#parts;
    if (this.#renewed === undefined) return false;
    const passed = Math.max(timing.elapsed() - this.#renewed.elapsed, timing.now() - this.#renewed.clock);
    return passed < TIMES.renewFor * 1000;
  }

  /** Releases it, so that another replica begins at once: for the time when this one no longer acts. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#running;
    this.#end?.();
    this.#renewed = undefined;
    const { client, name, manager, holder, onError } = this.#parts;
    const last = client.bounded({ within: TIMES.within });
    try {
      const lease = await last.find(LEASES, name);
      if (lease === undefined || holderOf(lease) !== holder) return;
      const { resourceVersion } = lease.metadata ?? {};
      await last.patch(LEASES, name, { metadata: { resourceVersion }, spec: { holderIdentity: '' } }, { manager });
    } catch (thrown) {
      onError(thrown);
    }
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopped;
    const { timing, onError } = this.#parts;
    while (!signal.aborted) {
      let seconds: number = TIMES.again;
      try {
        seconds = await this.#round();
      } catch (thrown) {
        if (!signal.aborted) onError(thrown);
      }
      await pause(timing, seconds, signal);
    }
  }

  /** Seconds until the next one. */
  async #round(): Promise<number> {
    const { timing, name, manager, holder } = this.#parts;
    const asked = { elapsed: timing.elapsed(), clock: timing.now() };
    const own = this.#own;
    const lease = own ?? (await this.#client.find(LEASES, name));
    this.#own = undefined; // until it is written
    const other = holderOf(lease);
    if (lease !== undefined && other !== undefined && other !== holder) {
      if (this.#renewed !== undefined) return this.#lose();
      const left = this.#secondsLeft(lease);
      if (left > 0) return Math.min(TIMES.look, left);
    }
    try {
      if (lease === undefined) this.#own = await this.#client.create(LEASES, this.#newLease(), { manager });
      else this.#own = await this.#client.patch(LEASES, name, this.#patchOf(lease), { manager });
    } catch (thrown) {
      // Somebody wrote in between: the next look tells who holds it.
      if (KubeRefusal.has(thrown, 409)) return own === undefined ? TIMES.again : 0;
      throw thrown;
    }
    this.#renew(asked);
    return TIMES.every;
  }

  #renew(asked: { readonly elapsed: number; readonly clock: number }): void {
    const { timing } = this.#parts;
    if (this.#stopped.signal.aborted) return;
    this.#renewed = asked;
    this.#end?.();
    this.#end = timing.after(TIMES.renewFor - (timing.elapsed() - asked.elapsed) / 1000, () => void this.#lose());
    this.#held.resolve();
  }

  #lose(): 0 {
    this.#renewed = undefined;
    this.#end?.();
    this.#stopped.abort();
    this.#lost.resolve();
    return 0;
  }

  /** Until another replica has not renewed it for its whole duration. */
  #secondsLeft(lease: KubeObject): number {
    const now = this.#parts.timing.elapsed();
    const version = lease.metadata?.resourceVersion ?? '';
    if (this.#seen?.version !== version) this.#seen = { version, at: now };
    const seconds = Number(at(lease, 'spec', 'leaseDurationSeconds') ?? TIMES.duration);
    return seconds - (now - this.#seen.at) / 1000;
  }

  #newLease(): KubeObject {
    const { namespace = '', name } = this.#parts.name;
    const spec = { ...this.#renewal(), acquireTime: this.#now, leaseTransitions: 0 };
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

/** Undefined, also when it was released. */
function holderOf(lease: KubeObject | undefined): string | undefined {
  return stringAt(lease, 'spec', 'holderIdentity');
}
