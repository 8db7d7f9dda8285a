import { Worker } from 'node:worker_threads';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { Threads } from './threads.ts';

/** Answers with the bytes of the request; 1 ends it, 2 is never answered, 8 and 10 need ever more memory, in steps of any size, 9 never ends. */
const CODE = `
const { parentPort } = require('node:worker_threads');
parentPort.postMessage('ready');
parentPort.on('message', ({ bytes }) => {
  if (bytes[0] === 1) process.exit(1);
  const held = [];
  while (bytes[0] === 10) held.push(1.5);
  while (bytes[0] === 8) held.push('k=v:'.repeat(20).slice(held.length % 50));
  while (bytes[0] === 9);
  if (bytes[0] !== 2) parentPort.postMessage({ bytes, outcome: 'accepted' });
});
`;

let started: Worker[] = [];
afterEach(() => Promise.all(started.map((thread) => thread.terminate())));

function threads(limits: {
  threads: number;
  waiting: number;
  patience?: number;
  deadline?: number;
  heap?: number;
}): Threads {
  started = [];
  return new Threads(
    (resourceLimits) => {
      const thread = new Worker(CODE, { eval: true, resourceLimits });
      started.push(thread);
      return thread;
    },
    { patience: 0, deadline: 60_000, heap: 512, ...limits },
  );
}

const call = (first: number, size = 4) => ({ bytes: new Uint8Array(size).fill(first), now: 0 });

test('calls wait for a thread, and no more threads are started than may be', async () => {
  const pool = threads({ threads: 2, waiting: 1000 });
  const answers = await Promise.all([3, 4, 5, 6, 7].map((first) => pool.answer(call(first))));
  expect(answers.map(({ bytes }) => bytes[0])).toEqual([3, 4, 5, 6, 7]);
  expect(started).toHaveLength(2);
});

test('a thread that ends fails its own call only', async () => {
  const pool = threads({ threads: 1, waiting: 1000 });
  const [broken, next] = await Promise.allSettled([pool.answer(call(1)), pool.answer(call(3))]);
  expect(broken).toMatchObject({ reason: { code: 'Unavailable' } });
  expect(next).toMatchObject({ value: { outcome: 'accepted' } });
});

test('what waits is limited, and the bytes of the caller stay its own', async () => {
  const pool = threads({ threads: 1, waiting: 10 });
  const first = call(2);
  void pool.answer(first).catch(() => undefined);
  expect(first.bytes).toHaveLength(4);
  void pool.answer(call(3, 8)).catch(() => undefined);
  await expect(pool.answer(call(4))).rejects.toThrow('requests of 8 bytes wait already');
});

test('a call that cannot be copied fails alone', async () => {
  const pool = threads({ threads: 1, waiting: 100 });
  const gone = call(3);
  structuredClone(gone.bytes, { transfer: [gone.bytes.buffer] });
  await expect(pool.answer(gone)).rejects.toThrow('cannot give a call to a thread');
  expect((await pool.answer(call(5))).bytes[0]).toBe(5);
});

test('a thread that cannot be given a call takes the next one', async () => {
  const pool = threads({ threads: 1, waiting: 100 });
  await pool.answer(call(3));
  const [thread] = started;
  const post = thread!.postMessage.bind(thread);
  thread!.postMessage = () => {
    throw new Error('out of memory');
  };
  await expect(pool.answer(call(4))).rejects.toThrow('cannot give a call to a thread: out of memory');
  thread!.postMessage = post;
  expect((await pool.answer(call(5))).bytes[0]).toBe(5);
  expect(started).toHaveLength(1);
});

test('a call whose client is gone is not made', async () => {
  const pool = threads({ threads: 1, waiting: 100 });
  await expect(pool.answer(call(3), () => false)).rejects.toThrow('nobody waits for it');
  expect((await pool.answer(call(4))).bytes[0]).toBe(4);
});

test('a call that never ends is given up at its deadline, and another thread takes the place of its own', async () => {
  const pool = threads({ threads: 1, waiting: 1000, deadline: 200 });
  await expect(pool.answer(call(9))).rejects.toMatchObject({
    code: 'DeadlineExceeded',
    message: 'cannot answer: it takes more than 0.2 seconds',
  });
  await expect(Promise.allSettled([pool.answer(call(2)), pool.answer(call(2))])).resolves.toMatchObject([
    { reason: { code: 'DeadlineExceeded' } },
    { reason: { code: 'DeadlineExceeded' } },
  ]);
});

test('a call that needs too much memory ends alone, and another thread takes the place of its own', async () => {
  const pool = threads({ threads: 2, waiting: 1000, heap: 32 });
  for (const greedy of [8, 10]) {
    const [ended, beside] = await Promise.allSettled([pool.answer(call(greedy)), pool.answer(call(3))]);
    expect(ended).toMatchObject({
      reason: { code: 'MemoryExceeded', message: 'cannot answer: it takes more than 32 MiB of memory' },
    });
    expect(beside).toMatchObject({ value: { outcome: 'accepted' } });
    expect((await pool.answer(call(5))).bytes[0]).toBe(5);
  }
});

test('short calls share a thread; one that takes long lets none wait for it', async () => {
  // However busy the machine is: only this test moves time.
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const pool = threads({ threads: 2, waiting: 1000, patience: 1000 });
  await pool.begin();
  await Promise.all([3, 4, 5].map((first) => pool.answer(call(first))));
  expect(started).toHaveLength(1);
  const endless = pool.answer(call(9)).catch(() => undefined);
  const next = pool.answer(call(6));
  expect(started).toHaveLength(1);
  vi.advanceTimersByTime(1001);
  expect((await next).bytes[0]).toBe(6);
  expect(started).toHaveLength(2);
  await started[0]!.terminate();
  await endless;
});

test('the first thread takes calls once it has begun, and one that cannot start says why', async () => {
  const pool = threads({ threads: 1, waiting: 1000 });
  await pool.begin();
  await pool.answer(call(3));
  expect(started).toHaveLength(1);
  const broken = new Threads(() => new Worker('throw new Error("no module")', { eval: true }), {
    threads: 1,
    patience: 0,
    waiting: 10,
    deadline: 1000,
    heap: 32,
  });
  await expect(broken.begin()).rejects.toMatchObject({
    code: 'Unavailable',
    message: 'cannot start a thread: no module',
  });
});

test('if no thread can be started, the call fails and nothing is counted for it', async () => {
  let starts = 0;
  const pool = new Threads(
    () => {
      starts += 1;
      if (starts <= 2) throw new Error('no memory');
      const thread = new Worker(CODE, { eval: true });
      started.push(thread);
      return thread;
    },
    { threads: 1, patience: 0, waiting: 10, deadline: 60_000, heap: 32 },
  );
  for (const _time of [1, 2]) await expect(pool.answer(call(3, 8))).rejects.toThrow('cannot start a thread: no memory');
  expect((await pool.answer(call(3, 8))).bytes).toHaveLength(8);
});
