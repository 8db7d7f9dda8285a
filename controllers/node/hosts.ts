/**
 * Gives Hosts to HostClaims: one namespace at a time, on what the API says at that moment, by one replica. Where the
 * kinds are not activated, nothing of this runs.
 */
import { messageOf } from '#lib/api/errors.ts';
import type { KubeObject } from '#lib/api/json.ts';
import { CROSSPLANE } from '#lib/api/words.ts';
import type { Random } from '#lib/kube/backoff.ts';
import type { KubeClient } from '#lib/kube/client.ts';
import { Informer } from '#lib/kube/informer.ts';
import { Queue } from '#lib/kube/queue.ts';
import { isStale, KubeRefusal } from '#lib/kube/refusal.ts';
import type { Timing } from '#lib/kube/timing.ts';
import { CLAIM_FINALIZER, type HostWrite, hostWrites } from '#lib/node/hosts.ts';
import { HOST_CLAIMS, HOSTS, MANAGER } from './kinds.ts';

export interface HostsParts {
  readonly client: KubeClient;
  readonly timing: Timing;
  readonly random: Random;
  readonly log: (message: string, about: Readonly<Record<string, unknown>>) => void;
}

/** Seconds after which a namespace is looked at again where somebody else wrote in the meantime. */
const AGAIN = 1;

export class Hosts {
  readonly #parts: HostsParts;
  readonly #informers: readonly Informer[];
  readonly #queue: Queue;

  constructor(parts: HostsParts) {
    this.#parts = parts;
    const { client, timing, random, log } = parts;
    this.#queue = new Queue({
      timing,
      run: (namespace) => this.#look(namespace),
      onFailure: (namespace, thrown, retryAfter) => log(messageOf(thrown), { namespace, retryAfter }),
    });
    this.#informers = [HOSTS, HOST_CLAIMS].map(
      (resource) =>
        new Informer({
          client,
          timing,
          random,
          resource,
          onChange: (before, after) => this.#queue.add((after ?? before)?.metadata?.namespace ?? ''),
          onError: (thrown) => {
            if (!KubeRefusal.has(thrown, 404)) log(messageOf(thrown), {});
          },
        }),
    );
  }

  start(): void {
    for (const informer of this.#informers) informer.start();
  }

  /** Nothing is being looked at. */
  get isIdle(): boolean {
    return this.#queue.isIdle;
  }

  /** Waits for what is under way. */
  async stop(): Promise<void> {
    await Promise.all(this.#informers.map((informer) => informer.stop()));
    await this.#queue.stop();
  }

  /** What was watched may be from before the last write, and a Host must not be given twice: both kinds are read anew. */
  async #look(namespace: string): Promise<number | undefined> {
    const { client, timing } = this.#parts;
    try {
      const [hosts, claims] = await Promise.all([HOSTS, HOST_CLAIMS].map((kind) => client.list(kind, { namespace })));
      const inventory = { hosts: hosts?.items ?? [], claims: claims?.items ?? [] };
      const versions: Versions = new Map();
      for (const write of hostWrites(inventory, timing.now())) await this.#write(write, versions);
      return undefined;
    } catch (thrown) {
      if (isStale(thrown) || KubeRefusal.has(thrown, 404)) return AGAIN;
      throw thrown;
    }
  }

  /** @param versions  of claims that this pass has changed before */
  async #write(write: HostWrite, versions: Versions): Promise<void> {
    if (write.write === 'Status') return this.#report(write.object, versions);
    const { client } = this.#parts;
    const { namespace, name = '', uid = '', resourceVersion, finalizers = [] } = write.claim.metadata ?? {};
    const others = finalizers.filter((one) => one !== CLAIM_FINALIZER);
    const metadata =
      write.write === 'Release'
        ? { finalizers: others }
        : { finalizers: [...others, CLAIM_FINALIZER], annotations: { [CROSSPLANE.externalName]: write.host } };
    const patch = { metadata: { resourceVersion, ...metadata } };
    const written = await client.patch(HOST_CLAIMS, { namespace, name }, patch, { manager: MANAGER });
    versions.set(uid, written.metadata?.resourceVersion ?? '');
  }

  async #report(object: KubeObject, versions: Versions): Promise<void> {
    const { kind, metadata = {} } = object;
    const { namespace, name = '', uid = '' } = metadata;
    const resource = kind === HOSTS.kind ? HOSTS : HOST_CLAIMS;
    const resourceVersion = versions.get(uid) ?? metadata.resourceVersion ?? '';
    const body = { ...object, metadata: { ...metadata, resourceVersion } };
    const what = `report on ${kind} "${namespace ?? ''}/${name}"`;
    const write = { manager: MANAGER, subresource: 'status' };
    await this.#parts.client.put(resource, { namespace, name }, write, body, what);
  }
}

/** By uid. */
type Versions = Map<string, string>;
