/** Virtual time: ordered by time, then by order of calls; nothing waits in real time. */
import { expect, test } from 'vitest';
import * as fc from 'fast-check';
import { Scheduler } from './scheduler.ts';

const START = new Date('2026-01-01T00:00:00Z');

test('runs actions of one instant in the order they were added, including those added meanwhile', async () => {
  const clock = new Scheduler(START);
  const ran: string[] = [];
  clock.after(2, () => void ran.push('late'));
  clock.after(1, () => {
    ran.push('first');
    clock.after(0, () => void ran.push('third'));
  });
  clock.after(1, () => void ran.push('second'));
  expect(await clock.step()).toBe(true);
  expect(ran).toEqual(['first', 'second', 'third']);
  expect(clock.stamp).toBe('2026-01-01T00:00:01Z');
  await clock.step();
  expect(await clock.step()).toBe(false);
  expect(ran.at(-1)).toBe('late');
});

test('ignores cancelled actions, and stops where none is left', async () => {
  const clock = new Scheduler(START);
  clock.after(5, () => expect.fail('cancelled')).cancel();
  expect(clock.next).toBeUndefined();
  expect(await clock.step()).toBe(false);
  expect(clock.seconds).toBe(0);
});

test('never goes back: an action in the past runs now', async () => {
  const clock = new Scheduler(START);
  clock.advanceTo(10);
  let at = -1;
  clock.at(3, () => {
    at = clock.seconds;
  });
  await clock.step();
  expect(at).toBe(10);
});

test('keeps any number of actions in order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(50), { maxLength: 60 }), async (delays) => {
      const clock = new Scheduler(START);
      const ran: (readonly [number, number])[] = [];
      delays.forEach((delay, index) => clock.after(delay, () => void ran.push([delay, index])));
      while (await clock.step());
      expect(ran).toEqual(
        delays.map((delay, index) => [delay, index] as const).toSorted((a, b) => a[0] - b[0] || a[1] - b[1]),
      );
    }),
  );
});
