/**
 * Fake providers of a cloud on a real API server: the simulated cloud of simulator behind watches and patches of
 * `@kubernetes/client-node`. It counts the objects it creates, so that a case can check that none was created twice.
 */
import type { KubeObject } from '#lib/api/json.ts';
import { CloudStandIn, cloudKinds } from '#simulator/cloud-stand-in.ts';
import type { CloudModel } from '#simulator/cloud/machine.ts';
import { type Api, ApiRefusal, type Ref, refOf } from '../lab/api.ts';
import { pause } from '../lab/waiting.ts';
import type { WorkloadClusters } from '../workload/workload-clusters.ts';
import { type Replica, isNewer, outstanding, rebased } from './replica.ts';

export interface StandInOptions {
  readonly api: Api;
  readonly seed: number;
  readonly speedup: number;
  readonly clouds: readonly CloudModel[];
  /** Of the machines that it boots. */
  readonly workloads: WorkloadClusters;
}

/** Its field manager, which distinguishes its writes from those of others. */
const MANAGER = 'provider';
const TICK_MS = 20;
const RETRY_MS = 500;

/** What happened to a machine in the cloud. */
export interface Happened {
  /** Of its managed resource. */
  readonly name: string;
  readonly change: 'running' | 'stopped' | 'gone';
  /** UTC. */
  readonly at: string;
}

interface Entry {
  readonly ref: Ref;
  replica: Replica;
  /** An object that the server sent while a write was in progress. */
  shown: KubeObject | undefined;
  writing: boolean;
}

export class StandIn {
  readonly front: CloudStandIn;
  /** In the order of time. */
  readonly machines: Happened[] = [];
  readonly #api: Api;
  readonly #entries = new Map<string, Entry>();
  readonly #stopped = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor({ api, seed, speedup, clouds, workloads }: StandInOptions) {
    this.#api = api;
    this.front = new CloudStandIn({
      clouds,
      start: new Date(),
      seed,
      speedup,
      onNodes: (cluster) => workloads.changed(cluster, (id) => this.front.isRunning(id)),
    });
    this.front.onMachine(({ change, machine }) =>
      this.machines.push({ name: machine.owner.name, change, at: new Date().toISOString() }),
    );
    this.front.onWritten((object, isNew) => (isNew ? void this.#create(object) : this.#written(object)));
    for (const kind of cloudKinds(clouds))
      api.watch(
        kind,
        ({ type, object }) => (type === 'gone' ? this.#gone(object) : this.#shown(object)),
        this.#stopped.signal,
      );
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#stopped.signal.aborted) {
      await this.front.runTo(new Date());
      await pause(TICK_MS);
    }
  }

  #gone(object: KubeObject): void {
    const key = keyOf(object);
    if (this.#entries.get(key)?.replica.base.metadata?.uid !== object.metadata?.uid) return;
    this.#entries.delete(key);
    this.front.gone(storeRef(object));
  }

  #shown(object: KubeObject): void {
    const entry = this.#entries.get(keyOf(object));
    const same = entry?.replica.base.metadata?.uid === object.metadata?.uid;
    if (entry === undefined || !same) {
      if (entry !== undefined) this.front.gone(storeRef(object));
      const replica = { base: object, own: object };
      this.#entries.set(keyOf(object), { ref: refOf(object), replica, shown: undefined, writing: false });
      this.front.present(object);
      return;
    }
    if (entry.writing) {
      entry.shown = object;
      return;
    }
    this.#take(entry, object);
  }

  #take(entry: Entry, object: KubeObject): void {
    if (!isNewer(object, entry.replica.base)) return;
    entry.replica = rebased(entry.replica, object);
    this.front.present(entry.replica.own);
    this.#flush(entry);
  }

  /** The watch replaces it by the object of the server. One that could not be created is forgotten, and made again. */
  async #create(object: KubeObject): Promise<void> {
    const { uid: _uid, resourceVersion: _version, creationTimestamp: _time, ...metadata } = object.metadata ?? {};
    try {
      await this.#api.apply({ ...object, metadata });
    } catch {
      await pause(RETRY_MS);
      if (!this.#entries.has(keyOf(object))) this.front.gone(storeRef(object));
    }
  }

  #written(object: KubeObject): void {
    const entry = this.#entries.get(keyOf(object));
    if (entry === undefined) return;
    entry.replica = { ...entry.replica, own: object };
    this.#flush(entry);
  }

  #flush(entry: Entry): void {
    if (entry.writing) return;
    const { body, status } = outstanding(entry.replica);
    if (body === undefined && status === undefined) return;
    entry.writing = true;
    void this.#write(entry).finally(() => {
      entry.writing = false;
      if (this.#entries.get(keyOf(entry.replica.base)) !== entry || this.#stopped.signal.aborted) return;
      const { shown } = entry;
      entry.shown = undefined;
      if (shown !== undefined) this.#take(entry, shown);
      this.#flush(entry);
    });
  }

  async #write(entry: Entry): Promise<void> {
    const sent = entry.replica;
    const { body, status } = outstanding(sent);
    try {
      let latest = sent.base;
      // Status first: the object may be gone after a finalizer is removed.
      if (status !== undefined) latest = await this.#api.patchStatus(entry.ref, status, MANAGER);
      if (body !== undefined) latest = await this.#api.patch(entry.ref, withVersionOf(body, latest), MANAGER);
      // The sent changes are on the server now; what the providers wrote meanwhile is still pending.
      const since = { base: sent.own, own: entry.replica.own };
      entry.replica = rebased(since, latest);
      // The watch may have told of its end before the answer to the write came.
      if (this.#entries.get(keyOf(sent.base)) === entry) this.front.present(entry.replica.own);
    } catch (thrown) {
      if (thrown instanceof ApiRefusal && thrown.status === 404) return this.#gone(sent.base);
      await this.#refresh(entry);
    }
  }

  /** After a conflict, or if the server is unavailable: read again before the next attempt. */
  async #refresh(entry: Entry): Promise<void> {
    await pause(RETRY_MS);
    try {
      const latest = await this.#api.get(entry.ref);
      entry.replica = rebased(entry.replica, latest);
    } catch {
      // The changes stay pending.
    }
  }
}

function withVersionOf(body: Readonly<Record<string, unknown>>, latest: KubeObject): unknown {
  const metadata = body['metadata'] as Readonly<Record<string, unknown>> | undefined;
  if (metadata?.['resourceVersion'] === undefined) return body;
  return { ...body, metadata: { ...metadata, resourceVersion: latest.metadata?.resourceVersion } };
}

function keyOf({ apiVersion, kind, metadata }: KubeObject): string {
  return [apiVersion, kind, metadata?.namespace ?? '', metadata?.name ?? ''].join('/');
}

function storeRef({ apiVersion, kind, metadata }: KubeObject) {
  return { apiVersion, kind, namespace: metadata?.namespace ?? '', name: metadata?.name ?? '' };
}
