/** The garbage collector of Kubernetes: owners, dependents, and the order of deletion. */
import { beforeEach, expect, test } from 'vitest';
import type { KubeObject } from '#lib/api/json.ts';
import { Dice } from '../clock/dice.ts';
import { Scheduler } from '../clock/scheduler.ts';
import { ApiError } from './api-error.ts';
import { defineBuiltins } from './builtins.ts';
import { Cascade } from './cascade.ts';
import { metaOf, ownersOf, withMeta } from './object.ts';
import { Store } from './store.ts';

let clock: Scheduler;
let store: Store;

beforeEach(() => {
  clock = new Scheduler(new Date('2026-01-01T00:00:00Z'));
  store = new Store(clock, new Dice(1));
  defineBuiltins(store.kinds);
  void new Cascade(store, clock);
});

const refTo = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'ns', name });

/** A ConfigMap with owners; the first one controls it and waits for it. */
function make(name: string, owners: readonly KubeObject[] = [], finalizers: readonly string[] = []): KubeObject {
  const ownerReferences = owners.map((owner, index) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    name: metaOf(owner).name ?? '',
    uid: metaOf(owner).uid ?? '',
    ...(index === 0 ? { controller: true, blockOwnerDeletion: true } : {}),
  }));
  return store.create(
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'ns', ownerReferences, finalizers } },
    't',
  );
}

async function run(seconds: number): Promise<void> {
  const end = clock.seconds + seconds;
  for (let next = clock.next; next !== undefined && next <= end; next = clock.next) await clock.step();
  clock.advanceTo(end);
}

const names = () => store.list({ apiVersion: 'v1', kind: 'ConfigMap' }).map(({ metadata }) => metadata?.name);

test('background deletion removes the owner first, and all its dependents later', async () => {
  const root = make('root');
  const child = make('child', [root]);
  make('grandchild', [child]);
  store.delete(refTo('root'));
  expect(names()).toEqual(['child', 'grandchild']);
  await run(5);
  expect(names()).toEqual([]);
});

test('foreground deletion keeps the owner until its blocking dependents are gone, bottom up', async () => {
  const root = make('root');
  const child = make('child', [root]);
  make('grandchild', [child], ['busy']);
  store.delete(refTo('root'), { propagation: 'Foreground' });
  await run(5);
  expect(names()).toEqual(['child', 'grandchild', 'root']);
  expect(store.get(refTo('child')).metadata?.finalizers).toEqual(['foregroundDeletion']);
  store.update(withMeta(store.get(refTo('grandchild')), { finalizers: [] }), 't');
  await run(5);
  expect(names()).toEqual([]);
});

test('a dependent with a second, existing owner is kept and loses the first', async () => {
  const [first, second] = [make('first'), make('second')];
  make('shared', [first, second]);
  store.delete(refTo('first'));
  await run(5);
  expect(ownersOf(store.get(refTo('shared'))).map(({ name }) => name)).toEqual(['second']);
  store.delete(refTo('second'));
  await run(5);
  expect(names()).toEqual([]);
});

test('a refused deletion is tried again until it is accepted', async () => {
  let refusals = 0;
  let inUse = true;
  store.onDelete((object) => {
    if (object.metadata?.name !== 'child' || !inUse) return;
    refusals++;
    throw new ApiError('InUse', 'in use');
  });
  make('child', [make('root')]);
  store.delete(refTo('root'));
  await run(20);
  expect(refusals).toBeGreaterThan(3);
  expect(refusals).toBeLessThan(8);
  inUse = false;
  await run(60);
  expect(names()).toEqual([]);
});

test('an orphan is kept, and loses its owner', async () => {
  const root = make('root');
  const child = make('child', [root]);
  make('grandchild', [child]);
  store.delete(refTo('root'), { propagation: 'Orphan' });
  await run(5);
  expect(names()).toEqual(['child', 'grandchild']);
  expect(ownersOf(store.get(refTo('child')))).toEqual([]);
  expect(ownersOf(store.get(refTo('grandchild')))).toHaveLength(1);
});
