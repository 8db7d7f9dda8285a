import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TestTime } from '../../test/support/test-time.ts';
import { Queue, type QueueParts } from './queue.ts';
import { KubeRefusal } from './refusal.ts';

type Outcome = { readonly again?: number } | { readonly failure: Error };

/** A queue whose runs end when the test says so. */
class Desk {
  readonly time = new TestTime();
  readonly queue: Queue;
  /** Keys of all runs, in the order they began. */
  readonly began: string[] = [];
  readonly failures: { readonly key: string; readonly retryAfter: number }[] = [];
  readonly #running = new Map<string, (outcome: Outcome) => void>();
  /** Keys that ran twice at once. */
  readonly twice: string[] = [];

  constructor(parts: Partial<QueueParts> = {}) {
    this.queue = new Queue({
      timing: this.time,
      run: (key) => this.#run(key),
      onFailure: (key, _thrown, retryAfter) => this.failures.push({ key, retryAfter }),
      ...parts,
    });
  }

  get running(): readonly string[] {
    return [...this.#running.keys()];
  }

  async end(key: string, outcome: Outcome = {}): Promise<void> {
    const end = this.#running.get(key);
    this.#running.delete(key);
    end?.(outcome);
    await flushed();
  }

  async add(...keys: readonly string[]): Promise<void> {
    for (const key of keys) this.queue.add(key);
    await flushed();
  }

  async pass(seconds: number): Promise<void> {
    this.time.pass(seconds);
    await flushed();
  }

  #run(key: string): Promise<number | undefined> {
    if (this.#running.has(key)) this.twice.push(key);
    this.began.push(key);
    return new Promise((resolve, reject) => {
      this.#running.set(key, (outcome) => ('failure' in outcome ? reject(outcome.failure) : resolve(outcome.again)));
    });
  }
}

async function flushed(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

const failure = new Error('it failed');

describe('a queue', () => {
  test('runs a key once for all that was added before it began', async () => {
    const desk = new Desk({ most: { all: 1, group: 1 } });
    await desk.add('a', 'b', 'b', 'b');
    await desk.end('a');
    await desk.end('b');
    expect(desk.began).toEqual(['a', 'b']);
  });

  test('runs a key again afterwards, and not at the same time, when it is added while it runs', async () => {
    const desk = new Desk();
    await desk.add('a');
    await desk.add('a', 'a');
    expect(desk.began).toEqual(['a']);
    await desk.end('a');
    expect([desk.began, desk.twice]).toEqual([['a', 'a'], []]);
  });

  test('runs a key once at a time, also when it adds itself while it begins', async () => {
    let [runs, atOnce, most] = [0, 0, 0];
    const desk = new Desk({
      run: async (key) => {
        atOnce += 1;
        most = Math.max(most, atOnce);
        if ((runs += 1) < 3) desk.queue.add(key);
        await Promise.resolve();
        atOnce -= 1;
        return undefined;
      },
    });
    await desk.add('a');
    expect([runs, most]).toEqual([3, 1]);
  });

  test('looks again when a run says so, earlier when something is added, and only once', async () => {
    const desk = new Desk();
    await desk.add('a');
    await desk.end('a', { again: 60 });
    desk.queue.after('a', 90);
    await desk.pass(59);
    expect(desk.began).toHaveLength(1);
    desk.queue.after('a', 0.5);
    await desk.pass(0.5);
    expect(desk.began).toHaveLength(2);
    await desk.end('a');
    await desk.pass(600);
    expect([desk.began.length, desk.time.waits]).toEqual([2, []]);
  });

  test('a clock that is set changes nothing', async () => {
    const desk = new Desk();
    desk.queue.after('a', 60);
    desk.time.setClock(-3600);
    desk.queue.after('a', 300);
    await desk.pass(60);
    expect(desk.began).toEqual(['a']);
    desk.queue.after('b', 60);
    desk.time.setClock(7200);
    desk.queue.after('b', 10);
    await desk.pass(10);
    expect(desk.began).toEqual(['a', 'b']);
  });

  test('forgets a key', async () => {
    const desk = new Desk({ most: { all: 1, group: 1 } });
    await desk.add('a', 'b');
    desk.queue.after('c', 1);
    for (const key of ['b', 'c']) desk.queue.forget(key);
    await desk.end('a');
    await desk.pass(10);
    expect(desk.began).toEqual(['a']);
  });
});

describe('a failed run', () => {
  test('is tried again after 1 second, then twice as long each time, up to 5 minutes; a success begins anew', async () => {
    const desk = new Desk();
    await desk.add('a');
    for (const seconds of [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]) {
      await desk.end('a', { failure });
      expect(desk.failures.at(-1)).toEqual({ key: 'a', retryAfter: seconds });
      expect(desk.time.waits).toEqual([seconds]);
      await desk.pass(seconds);
      expect(desk.running).toEqual(['a']);
    }
    await desk.end('a');
    await desk.add('a');
    await desk.end('a', { failure });
    expect(desk.failures.at(-1)).toEqual({ key: 'a', retryAfter: 1 });
  });

  test('waits at least as long as the API asked for', async () => {
    const desk = new Desk();
    await desk.add('a');
    await desk.end('a', { failure: new KubeRefusal(429, 'cannot do it: later', { retryAfter: 40 }) });
    expect(desk.failures).toEqual([{ key: 'a', retryAfter: 40 }]);
  });

  test('is tried at once when something changed', async () => {
    const desk = new Desk();
    await desk.add('a');
    await desk.end('a', { failure });
    await desk.add('a');
    expect([desk.running, desk.time.waits]).toEqual([['a'], []]);
  });
});

describe('groups', () => {
  const groupOf = (key: string): string => key.slice(0, 1);
  const keys = (group: string, many: number): readonly string[] =>
    Array.from({ length: many }, (_, index) => `${group}${index}`);

  test('have four runs at once each', async () => {
    const desk = new Desk({ groupOf });
    await desk.add(...keys('a', 10), ...keys('b', 2));
    expect(desk.running).toEqual(['a0', 'a1', 'a2', 'a3', 'b0', 'b1']);
    await desk.end('a1');
    expect(desk.running).toEqual(['a0', 'a2', 'a3', 'b0', 'b1', 'a4']);
  });

  test('that hang leave room for the others', async () => {
    const desk = new Desk({ groupOf });
    await desk.add(...'abcdefghijklmnopqrstuvwx'.split('').flatMap((group) => keys(group, 5)), 'y0');
    await desk.pass(10);
    expect(desk.running).toContain('y0');
  });

  test('take turns when runs are rare', async () => {
    const desk = new Desk({ groupOf, rate: { perSecond: 1, burst: 1 } });
    await desk.add(...keys('a', 50), 'b0', 'c0');
    const order: string[] = [...desk.running];
    for (let second = 0; second < 4; second += 1) {
      for (const key of desk.running) await desk.end(key);
      await desk.pass(1);
      order.push(...desk.running);
    }
    expect(order, 'the first one had its turn when it was alone').toEqual(['a0', 'a1', 'b0', 'c0', 'a2']);
  });
});

test('a hundred runs begin at once after a quiet time, then ten each second', async () => {
  const desk = new Desk();
  await desk.add(...Array.from({ length: 200 }, (_, index) => `${index}`));
  expect([desk.began.length, desk.queue.depth]).toEqual([100, 100]);
  await desk.pass(1);
  expect(desk.began).toHaveLength(110);
  await desk.pass(1.05);
  expect(desk.began).toHaveLength(120);
});

test('a queue that stops waits for what runs, and begins nothing more', async () => {
  const desk = new Desk({ most: { all: 1, group: 1 } });
  await desk.add('a', 'b');
  desk.queue.after('c', 1);
  let isStopped = false;
  const stopped = desk.queue.stop().then(() => (isStopped = true));
  await flushed();
  expect(isStopped).toBe(false);
  await desk.end('a', { failure });
  await stopped;
  await desk.add('d');
  await desk.pass(1000);
  expect([desk.began, desk.time.waits]).toEqual([['a'], []]);
});

const KEYS = ['a1', 'a2', 'a3', 'b1', 'b2', 'c'];
const key = fc.constantFrom(...KEYS);
type Step = (desk: Desk, added: Map<string, number>) => Promise<void>;
const noted = (desk: Desk, added: Map<string, number>, key: string): void => void added.set(key, desk.began.length);
const step: fc.Arbitrary<Step> = fc.oneof(
  key.map((key): Step => async (desk, added) => {
    noted(desk, added, key);
    await desk.add(key);
  }),
  fc.tuple(key, fc.integer({ min: 0, max: 20 })).map(([key, seconds]): Step => async (desk, added) => {
    noted(desk, added, key);
    desk.queue.after(key, seconds);
  }),
  fc.integer({ min: 0, max: 30 }).map(
    (seconds): Step =>
      (desk) =>
        desk.pass(seconds),
  ),
  fc.integer({ min: -5000, max: 5000 }).map(
    (seconds): Step =>
      async (desk) =>
        desk.time.setClock(seconds),
  ),
  fc
    .tuple(fc.nat(), fc.constantFrom<Outcome>({}, { again: 5 }, { failure }))
    .map(([nth, outcome]): Step => async (desk) => {
      const { running } = desk;
      if (running.length > 0) await desk.end(running[nth % running.length]!, outcome);
    }),
);

test('in any order of additions, failures and time, every key runs after it was added, never twice at once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const desk = new Desk({
        groupOf: (key) => key.slice(0, 1),
        most: { all: 3, group: 2 },
        rate: { perSecond: 1, burst: 3 },
      });
      /** By key: how many runs had begun when it was last added. */
      const added = new Map<string, number>();
      for (const one of steps) {
        await one(desk, added);
        const groups = desk.running.map((key) => key.slice(0, 1));
        expect(desk.twice).toEqual([]);
        expect(groups.length).toBeLessThanOrEqual(3);
        for (const group of ['a', 'b']) expect(groups.filter((one) => one === group).length).toBeLessThanOrEqual(2);
        expect(desk.began.length).toBeLessThanOrEqual(3 + desk.time.elapsed() / 1000);
      }
      // Everything succeeds from now on.
      for (let round = 0; round < 40; round += 1) {
        for (const key of desk.running) await desk.end(key);
        await desk.pass(20);
      }
      for (const [key, before] of added)
        expect(desk.began.lastIndexOf(key), `${key} ran after it was added`).toBeGreaterThanOrEqual(before);
      expect([desk.running, desk.queue.depth, desk.time.waits]).toEqual([[], 0, []]);
    }),
    { numRuns: 200 },
  );
});
