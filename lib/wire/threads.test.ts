import { Worker } from 'node:worker_threads';
import { afterEach, expect, test } from 'vitest';
import { Threads } from './threads.ts';

/** Answers with the bytes of the request; 1 ends it, 2 is never answered. */
const CODE = `
const { parentPort } = require('node:worker_threads');
parentPort.on('message', ({ bytes }) => {
  if (bytes[0] === 1) process.exit(1);
  if (bytes[0] !== 2) parentPort.postMessage({ bytes, outcome: 'accepted' });
});
`;

let started: Worker[] = [];
afterEach(() => Promise.all(started.map((thread) => thread.terminate())));

function threads(limits: { threads: number; waiting: number }): Threads {
  started = [];
  return new Threads(() => {
    const thread = new Worker(CODE, { eval: true });
    started.push(thread);
    return thread;
  }, limits);
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

test('a call whose client is gone is not made', async () => {
  const pool = threads({ threads: 1, waiting: 100 });
  await expect(pool.answer(call(3), () => false)).rejects.toThrow('nobody waits for it');
  expect((await pool.answer(call(4))).bytes[0]).toBe(4);
});
