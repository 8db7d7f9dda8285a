import { describe, expect, test } from 'vitest';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { TestTime } from '../../test/support/test-time.ts';
import type { KubeClient } from './client.ts';
import type { Bounds } from './connections.ts';
import { Lease } from './lease.ts';
import { KubeRefusal, Unreachable } from './refusal.ts';

const NAME = { namespace: 'system', name: 'leader' };

/** The Lease of an API server, and the connections of replicas to it. */
class Shared {
  lease: KubeObject | undefined;
  #version = 0;

  write(spec: JsonObject, version: unknown): KubeObject {
    if (version !== this.lease?.metadata?.resourceVersion) throw new KubeRefusal(409, 'cannot write: it changed');
    this.#version += 1;
    const metadata = { ...NAME, resourceVersion: String(this.#version) };
    this.lease = { apiVersion: 'v1', kind: 'Lease', metadata, spec: { ...this.lease?.spec, ...spec } };
    return this.lease;
  }
}

class Replica {
  readonly time = new TestTime();
  readonly lease: Lease;
  readonly errors: unknown[] = [];
  /** The network: requests arrive, fail at once, or hang. */
  network: 'fine' | 'refused' | 'hanging' = 'fine';
  isHeld = false;
  isLost = false;
  requests = 0;

  constructor(holder: string, shared: Shared) {
    this.lease = new Lease({
      client: this.#client(shared, {}),
      timing: this.time,
      name: NAME,
      holder,
      manager: holder,
      onError: (thrown) => this.errors.push(thrown),
    });
    void this.lease.lost.then(() => (this.isLost = true));
  }

  begin(): void {
    void this.lease.acquire().then(() => (this.isHeld = true));
  }

  /** A process that is killed: nothing of it runs any more. */
  kill(): void {
    this.network = 'hanging';
    replicas.delete(this);
  }

  #client(shared: Shared, bounds: Bounds): KubeClient {
    const arrive = async <Value>(act: () => Value): Promise<Value> => {
      this.requests += 1;
      await Promise.resolve();
      if (this.network === 'refused') throw new Unreachable('cannot ask', { kind: 'NoConnection', why: 'refused' });
      if (this.network === 'hanging') await this.#hang(bounds);
      return act();
    };
    const client = {
      bounded: (more: Bounds) => this.#client(shared, { ...bounds, ...more }),
      find: () => arrive(() => shared.lease),
      create: (_kind: unknown, { spec = {} }: KubeObject) => arrive(() => shared.write(spec, undefined)),
      patch: (_kind: unknown, _name: unknown, { metadata, spec }: { metadata: JsonObject; spec: JsonObject }) =>
        arrive(() => shared.write(spec, metadata['resourceVersion'])),
    };
    return client as unknown as KubeClient;
  }

  #hang({ within = 30, signal }: Bounds): Promise<never> {
    const { promise, reject } = Promise.withResolvers<never>();
    const fail = (): void => reject(new Unreachable('cannot ask', { kind: 'Timeout', why: 'no answer' }));
    this.time.after(within, fail);
    signal?.addEventListener('abort', fail, { once: true });
    return promise;
  }
}

const replicas = new Set<Replica>();

function made(...holders: readonly string[]): { readonly shared: Shared; readonly all: readonly Replica[] } {
  const shared = new Shared();
  replicas.clear();
  const all = holders.map((holder) => new Replica(holder, shared));
  for (const replica of all) replicas.add(replica);
  return { shared, all };
}

/** Passes time for all that live, in steps short enough that their order does not matter. */
async function pass(seconds: number, check: () => void = () => undefined): Promise<void> {
  for (let step = 0; step < seconds * 4; step += 1) {
    for (const replica of replicas) replica.time.pass(0.25);
    for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
    check();
  }
}

/** Until the fact, at most so many seconds; how many it took. */
async function secondsUntil(fact: () => boolean, most = 300): Promise<number> {
  let seconds = 0;
  for (; !fact() && seconds < most; seconds += 0.25) await pass(0.25);
  return seconds;
}

const holderOf = ({ lease }: Shared): unknown => lease?.spec?.['holderIdentity'];

/** Two replicas, of which the first acts. */
async function begun() {
  const { shared, all } = made('first', 'second');
  const [first, second] = all as readonly [Replica, Replica];
  first.begin();
  await pass(1);
  second.begin();
  await pass(20);
  expect([first.isHeld, second.isHeld, holderOf(shared)]).toEqual([true, false, 'first']);
  return { shared, first, second };
}

describe('a lease', () => {
  test('is renewed every ten seconds, and kept', async () => {
    const { shared, first, second } = await begun();
    const before = first.requests;
    await pass(600);
    expect(first.requests - before, 'a write each: nobody else may write it').toBe(60);
    expect([first.isLost, first.lease.isHeld, second.isHeld]).toEqual([false, true, false]);
    expect(shared.lease?.spec).toMatchObject({ leaseDurationSeconds: 60, leaseTransitions: 0 });
    expect(shared.lease?.spec?.['renewTime']).toMatch(/^2026-01-01T00:10:\d\d\.\d{6}Z$/);
  });

  test('is released by a replica that stops, and another acts at once', async () => {
    const { shared, first, second } = await begun();
    await first.lease.stop();
    expect([holderOf(shared), first.lease.isHeld, first.isLost]).toEqual(['', false, false]);
    expect(await secondsUntil(() => second.isHeld)).toBeLessThanOrEqual(4);
    expect(shared.lease?.spec).toMatchObject({ holderIdentity: 'second', leaseTransitions: 1 });
  });

  test.for([0, 1, 3, 5, 7, 9])(
    'of a replica that was killed is taken over within 65 seconds, not before 50: %i seconds after a write',
    async (offset) => {
      const { first, second } = await begun();
      await pass(offset);
      first.kill();
      const seconds = await secondsUntil(() => second.isHeld);
      expect(seconds).toBeGreaterThanOrEqual(50);
      expect(seconds).toBeLessThan(65);
    },
  );

  test.for(['refused', 'hanging'] as const)(
    'that cannot be renewed is lost before another replica acts: requests are %s',
    async (network) => {
      for (const offset of [0, 2, 4, 6, 8, 9.5]) {
        const { first, second } = await begun();
        await pass(offset);
        first.network = network;
        const lost = await secondsUntil(() => first.isLost);
        expect(lost).toBeLessThanOrEqual(50);
        expect([first.lease.isHeld, second.isHeld]).toEqual([false, false]);
        expect(await secondsUntil(() => second.isHeld)).toBeGreaterThanOrEqual(9);
      }
    },
  );

  test('is kept when the API is gone for forty seconds', async () => {
    const { first, second } = await begun();
    for (const replica of [first, second]) replica.network = 'hanging';
    await pass(40);
    for (const replica of [first, second]) replica.network = 'fine';
    await pass(120);
    expect([first.isLost, first.lease.isHeld, second.isHeld]).toEqual([false, true, false]);
    expect(first.errors.length).toBeGreaterThan(1);
  });

  test('is lost by a replica that finds another holder', async () => {
    const { shared, first } = await begun();
    shared.write({ holderIdentity: 'third' }, shared.lease?.metadata?.resourceVersion);
    expect(await secondsUntil(() => first.isLost)).toBeLessThanOrEqual(10);
    await first.lease.stop();
    expect(holderOf(shared), 'it is not taken away from its holder').toBe('third');
  });
});

describe('a clock that is set', () => {
  test.for([3600, -3600, 1_000_000_000])('by %i seconds makes nobody lose or take the lease', async (seconds) => {
    for (const who of [0, 1]) {
      const { first, second } = await begun();
      [first, second][who]!.time.setClock(seconds);
      await pass(300);
      expect([first.isLost, first.lease.isHeld, second.isHeld]).toEqual([false, true, false]);
    }
  });

  test('back does not make a replica act that cannot renew', async () => {
    const { first, second } = await begun();
    first.time.setClock(-3600);
    first.network = 'hanging';
    await secondsUntil(() => second.isHeld);
    expect([first.isLost, first.lease.isHeld, second.isHeld]).toEqual([true, false, true]);
  });

  test('forwards stops acting until the next renewal: the machine may have been asleep', async () => {
    const { first } = await begun();
    first.time.setClock(3600);
    expect(first.lease.isHeld).toBe(false);
    await pass(10);
    expect([first.lease.isHeld, first.isLost]).toEqual([true, false]);
  });
});

test('of three replicas whose network comes and goes at most one acts at any time', async () => {
  const { all } = made('first', 'second', 'third');
  for (const replica of all) replica.begin();
  let most = 0;
  const check = (): void => {
    most = Math.max(most, all.filter(({ lease }) => lease.isHeld).length);
  };
  for (const [nth, replica] of [...all, ...all, ...all].entries()) {
    replica.network = nth % 2 === 0 ? 'hanging' : 'refused';
    replica.time.setClock(nth % 2 === 0 ? -500 : 500);
    await pass(35, check);
    replica.network = 'fine';
    await pass(40, check);
  }
  expect(most).toBe(1);
});
