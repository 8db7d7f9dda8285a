/** What Crossplane 2.4 knows of the objects that an XR requires and composes, and 2.3 does not. */
import { describe, expect, test } from 'vitest';
import type { KubeObject } from '#lib/api/json.ts';
import type { Request, Selector } from '#lib/fn/request.ts';
import { ControlPlane } from '../control-plane.ts';
import {
  type Decision,
  FakeFunctions,
  aComposition,
  aConfigMap,
  anXr,
  anXrd,
  run,
  want,
} from '../fake-functions.fixture.ts';
import type { CrossplaneMinor } from '../interface.ts';
import { loadAll } from '../store/loader.ts';
import { withMeta } from '../store/object.ts';
import type { ObjectRef } from '../store/ref.ts';

const VERSIONS: readonly CrossplaneMinor[] = ['2.3', '2.4'];
const ONE: Selector = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'team-a', matchName: 'facts' };
const MANY: Selector = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'team-a', matchLabels: { kind: 'fruit' } };
const FACTS: ObjectRef = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'team-a', name: 'facts' };

/** A settled XR whose only step makes the decision. */
class World {
  readonly plane: ControlPlane;
  readonly functions: FakeFunctions;
  /** Names in the requests of all calls, and how many objects each has. */
  readonly given: Readonly<Record<string, number>>[] = [];

  constructor(decide: Decision, crossplane?: CrossplaneMinor) {
    const kept: Decision = (request, now) => {
      this.given.push(Object.fromEntries([...request.required].map(([name, found]) => [name, found.length])));
      return decide(request, now);
    };
    this.functions = new FakeFunctions({ compose: kept });
    this.plane = new ControlPlane({
      start: new Date('2026-01-01T00:00:00Z'),
      seed: 1,
      functions: this.functions.caller,
      ...(crossplane === undefined ? {} : { crossplane }),
    });
    loadAll(this.plane.store, [anXrd('App'), aComposition('App', 'compose')]);
    this.write('facts', 'word');
  }

  async claim(spec = {}): Promise<void> {
    this.plane.store.apply(anXr('App', 'one', spec), { manager: 'kubectl' });
    await run(this.plane, 20);
  }

  write(name: string, kind: string, data: Readonly<Record<string, string>> = {}): void {
    const object = aConfigMap(name, data);
    this.plane.store.apply({ ...object, metadata: { name, namespace: 'team-a', labels: { kind } } }, { manager: 't' });
  }

  /** Calls in the two seconds after something was done. */
  async callsAfter(act: () => void): Promise<number> {
    const before = this.given.length;
    act();
    await run(this.plane, 2);
    return this.given.length - before;
  }
}

const asking =
  (requirements: Readonly<Record<string, Selector>>): Decision =>
  () => ({ requirements });

const specOf = ({ observed }: Request, key: string): unknown => observed.composite.spec?.[key];

describe('what an XR requires', () => {
  test('calls it when it changes, appears, goes, or loses its label', async () => {
    const world = new World(asking({ one: ONE, many: MANY }));
    await world.claim();
    expect(await world.callsAfter(() => world.write('facts', 'word', { a: '1' }))).toBeGreaterThan(0);
    expect(await world.callsAfter(() => world.plane.store.delete(FACTS))).toBeGreaterThan(0);
    expect(await world.callsAfter(() => world.write('facts', 'word'))).toBeGreaterThan(0);
    expect(await world.callsAfter(() => world.write('pear', 'fruit'))).toBeGreaterThan(0);
    expect(await world.callsAfter(() => world.write('pear', 'tree'))).toBeGreaterThan(0);
    expect(await world.callsAfter(() => world.write('pear', 'stone'))).toBe(0);
  });

  test('calls it no longer once it requires something else, or is gone', async () => {
    const world = new World((request) => ({ requirements: specOf(request, 'quiet') === true ? {} : { one: ONE } }));
    await world.claim();
    await world.claim({ quiet: true });
    expect(await world.callsAfter(() => world.write('facts', 'word', { a: '1' }))).toBe(0);
    await world.claim({ quiet: false });
    world.plane.store.delete({ ...FACTS, apiVersion: 'example.org/v1', kind: 'App', name: 'one' });
    await run(world.plane, 5);
    expect(await world.callsAfter(() => world.write('facts', 'word', { a: '2' }))).toBe(0);
  });

  test('is known from the last compose that succeeded: a failed one is not watched', async () => {
    const other: Selector = { ...ONE, matchName: 'other' };
    const world = new World((request) =>
      specOf(request, 'bad') === true
        ? { requirements: { one: other }, results: [{ severity: 'Fatal', message: 'no' }] }
        : { requirements: { one: ONE } },
    );
    await world.claim();
    await world.claim({ bad: true });
    await run(world.plane, 120); // until attempts are 30 s apart
    const calls = world.given.length;
    while (world.given.length === calls) await world.plane.clock.step();
    expect(await world.callsAfter(() => world.write('other', 'word'))).toBe(0);
    expect(await world.callsAfter(() => world.write('facts', 'word', { a: '1' }))).toBe(1);
  });

  test('calls no XR on 2.3', async () => {
    const world = new World(asking({ one: ONE, many: MANY }), '2.3');
    await world.claim();
    expect(await world.callsAfter(() => world.write('facts', 'word', { a: '1' }))).toBe(0);
    expect(await world.callsAfter(() => world.write('pear', 'fruit'))).toBe(0);
  });
});

describe('what a step required before', () => {
  const touch = (world: World, tick: number) => () =>
    world.plane.store.apply(anXr('App', 'one', { tick }), { manager: 'kubectl' });

  test.for([
    ['2.3', [{}, { one: 1, many: 0 }]],
    ['2.4', [{ one: 1, many: 0 }]],
  ] as const)('is in its first call on 2.4, which is then its only one; Crossplane %s', async ([version, calls]) => {
    const world = new World(asking({ one: ONE, many: MANY }), version);
    await world.claim();
    world.given.length = 0;
    await world.callsAfter(touch(world, 1));
    expect(world.given.slice(0, calls.length)).toEqual(calls);
    expect(world.given.length % calls.length).toBe(0);
  });

  test('stays in every call of a reconcile, also what it requires no longer', async () => {
    const world = new World((request) => ({
      requirements: specOf(request, 'tick') === 1 ? { many: MANY } : { one: ONE },
    }));
    await world.claim();
    world.given.length = 0;
    await world.callsAfter(touch(world, 1));
    expect(world.given.slice(0, 3)).toEqual([{ one: 1 }, { one: 1, many: 0 }, { many: 0 }]);
  });
});

describe('a composed object without a controller', () => {
  test.for(VERSIONS)(
    'is deleted on 2.3, and left alone on 2.4, when it is not desired; Crossplane %s',
    async (version) => {
      const compose: Decision = (request) => ({
        resources: specOf(request, 'none') === true ? {} : { cm: want(aConfigMap('cm')) },
      });
      const world = new World(compose, version);
      await world.claim();
      const { store } = world.plane;
      // In one instant, before Crossplane makes itself the controller again.
      store.update(orphan(store.get({ ...FACTS, name: 'cm' })), 'somebody');
      await world.claim({ none: true });
      expect(store.find({ ...FACTS, name: 'cm' }) === undefined).toBe(version === '2.3');
    },
  );
});

const orphan = (object: KubeObject): KubeObject =>
  withMeta(object, { ownerReferences: [], resourceVersion: undefined });
