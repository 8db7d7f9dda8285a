/** A namespace that is being deleted: all its objects are deleted, refused ones later, and no new ones are accepted. */
import { beforeEach, expect, test } from 'vitest';
import { Dice } from '../clock/dice.ts';
import { Scheduler } from '../clock/scheduler.ts';
import { ApiError } from './api-error.ts';
import { defineBuiltins, NAMESPACE } from './builtins.ts';
import { Namespaces } from './namespaces.ts';
import { Store } from './store.ts';

let clock: Scheduler;
let store: Store;
const aConfigMap = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'ns' } });
const names = () => store.list({ apiVersion: 'v1', kind: 'ConfigMap' }).map(({ metadata }) => metadata?.name);

async function run(seconds: number): Promise<void> {
  const end = clock.seconds + seconds;
  for (let next = clock.next; next !== undefined && next <= end; next = clock.next) await clock.step();
  clock.advanceTo(end);
}

beforeEach(() => {
  clock = new Scheduler(new Date('2026-01-01T00:00:00Z'));
  store = new Store(clock, new Dice(1));
  defineBuiltins(store.kinds);
  void new Namespaces(store, clock);
  store.create({ ...NAMESPACE, metadata: { name: 'ns' } }, 't');
  for (const name of ['a', 'b', 'c']) store.create(aConfigMap(name), 't');
});

test('is deleted after the last object in it', async () => {
  store.delete({ ...NAMESPACE, name: 'ns' });
  await run(20);
  expect(names()).toEqual([]);
  expect(store.find({ ...NAMESPACE, name: 'ns' })).toBeUndefined();
});

test('accepts no new objects meanwhile', () => {
  store.delete({ ...NAMESPACE, name: 'ns' });
  expect(() => store.create(aConfigMap('d'), 't')).toThrow(/namespace ns because it is being terminated/);
});

test('tries a refused deletion again, and the deletions after it', async () => {
  let refused = true;
  store.onDelete(({ metadata }) => {
    if (refused && metadata?.name === 'b') throw new ApiError('InUse', 'in use');
  });
  store.delete({ ...NAMESPACE, name: 'ns' });
  await run(12);
  expect(names()).toEqual(['b', 'c']);
  refused = false;
  await run(12);
  expect(names()).toEqual([]);
});
