/** The reconciler with small in-process functions: the order of its actions, and what must not happen. */
import { describe, expect, test } from 'vitest';
import type { Condition } from '#lib/api/conditions.ts';
import { type JsonObject, type KubeObject, at } from '#lib/api/json.ts';
import { ControlPlane } from '../control-plane.ts';
import {
  type Decision,
  FakeFunctions,
  aComposition,
  aConfigMap,
  anXr,
  anXrd,
  conditionText,
  run,
  want,
} from '../fake-functions.fixture.ts';
import { loadAll } from '../store/loader.ts';
import { metaOf } from '../store/object.ts';
import type { ObjectRef } from '../store/ref.ts';

const XR = { apiVersion: 'example.org/v1', kind: 'App', namespace: 'team-a', name: 'one' };
const configMap = (name: string): ObjectRef => ({ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'team-a', name });

interface World {
  readonly plane: ControlPlane;
  readonly functions: FakeFunctions;
}

function aWorld(decisions: Readonly<Record<string, Decision>>, ...more: readonly KubeObject[]): World {
  const functions = new FakeFunctions(decisions);
  const plane = new ControlPlane({ start: new Date('2026-01-01T00:00:00Z'), seed: 1, functions: functions.caller });
  loadAll(plane.store, [anXrd('App'), aComposition('App', ...Object.keys(decisions)), ...more]);
  return { plane, functions };
}

/** Applies the XR and waits until everything is settled. */
async function claim({ plane }: World, spec: JsonObject = {}, seconds = 20): Promise<void> {
  plane.store.apply(anXr('App', 'one', spec), { manager: 'kubectl' });
  await run(plane, seconds);
}

const xrOf = ({ plane }: World): KubeObject => plane.store.get(XR);
const configMaps = ({ plane }: World): readonly string[] =>
  plane.store.list({ apiVersion: 'v1', kind: 'ConfigMap' }).map((object) => metaOf(object).name ?? '');
const specOf = (xr: KubeObject, key: string): unknown => xr.spec?.[key];

describe('an XR', () => {
  test('becomes Ready with names, labels and owners as with Crossplane', async () => {
    const world = aWorld({
      compose: () => ({
        resources: { named: want(aConfigMap('mine', { a: '1' })), unnamed: want(aConfigMap(undefined)) },
        status: { said: 'hello' },
      }),
    });
    await claim(world);
    const xr = xrOf(world);
    expect(conditionText(xr, 'Ready')).toBe('True Available');
    expect(conditionText(xr, 'Synced')).toBe('True ReconcileSuccess');
    expect(conditionText(xr, 'Responsive')).toBe('True WatchCircuitClosed');
    expect(at(xr, 'status', 'said')).toBe('hello');
    expect(at(xr, 'spec', 'crossplane')).toMatchObject({
      compositionRef: { name: 'app' },
      resourceRefs: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'mine' }, { kind: 'ConfigMap' }],
    });
    expect(xr.metadata).toMatchObject({
      labels: { 'crossplane.io/composite': 'one' },
      finalizers: ['composite.apiextensions.crossplane.io'],
    });
    expect(world.plane.store.get(configMap('mine')).metadata).toMatchObject({
      labels: { 'crossplane.io/composite': 'one' },
      annotations: { 'crossplane.io/composition-resource-name': 'named' },
      ownerReferences: [{ kind: 'App', name: 'one', controller: true, blockOwnerDeletion: true }],
    });
    expect(configMaps(world)).toEqual(['mine', expect.stringMatching(/^one-[0-9a-f]{12}$/)]);
  });

  test('keeps the name of an existing object, whatever name its function desires later', async () => {
    const world = aWorld({
      compose: ({ observed }) => ({
        resources: { cm: want(aConfigMap(observed.resources.size === 0 ? 'first' : 'other')) },
      }),
    });
    await claim(world);
    expect(configMaps(world)).toEqual(['first']);
  });

  test('loses status fields that no function sets any more', async () => {
    const world = aWorld({
      compose: ({ observed }) => ({ status: specOf(observed.composite, 'quiet') === true ? { a: 1 } : { a: 1, b: 2 } }),
    });
    await claim(world);
    expect(xrOf(world).status).toMatchObject({ a: 1, b: 2 });
    await claim(world, { quiet: true });
    expect(xrOf(world).status).not.toHaveProperty('b');
    expect(conditionText(xrOf(world), 'Ready')).toBe('True Available');
  });

  test('is ignored while it is paused', async () => {
    const world = aWorld({ compose: () => ({ resources: { cm: want(aConfigMap('cm')) } }) });
    const paused = anXr('App', 'one');
    const annotations = { 'crossplane.io/paused': 'true' };
    world.plane.store.apply({ ...paused, metadata: { ...paused.metadata, annotations } }, { manager: 'kubectl' });
    await run(world.plane, 20);
    expect(configMaps(world)).toEqual([]);
    expect(conditionText(xrOf(world), 'Synced')).toMatch(/^False ReconcilePaused/);
    await claim(world);
    expect(configMaps(world)).toEqual(['cm']);
  });

  test('is deleted with its composed objects, and no pipeline runs for it', async () => {
    const world = aWorld({ compose: () => ({ resources: { cm: want(aConfigMap('cm')) } }) });
    await claim(world);
    const calls = world.functions.calls['compose'];
    world.plane.store.delete(XR);
    await run(world.plane, 20);
    expect(world.plane.store.find(XR)).toBeUndefined();
    expect(configMaps(world)).toEqual([]);
    expect(world.functions.calls['compose']).toBe(calls);
  });
});

describe('a reconcile', () => {
  test('deletes objects that are no longer desired before it creates new ones', async () => {
    const world = aWorld({
      compose: ({ observed }) => {
        const name = specOf(observed.composite, 'name') === 'new' ? 'new' : 'old';
        return { resources: { [name]: want(aConfigMap(name)) } };
      },
    });
    const order: string[] = [];
    world.plane.store.onChange(({ type, object }) => {
      if (object.kind === 'ConfigMap' && type !== 'changed') order.push(`${type} ${metaOf(object).name ?? ''}`);
    });
    await claim(world);
    await claim(world, { name: 'new' });
    // Foreground deletion ends a moment after the creation that follows, but it is requested first.
    expect(order).toEqual(['created old', 'created new', 'deleted old']);
    const asked: string[] = [];
    world.plane.store.onChange(({ object }) => {
      if (object.kind === 'ConfigMap')
        asked.push(
          `${metaOf(object).deletionTimestamp === undefined ? 'apply' : 'delete'} ${metaOf(object).name ?? ''}`,
        );
    });
    await claim(world, { name: 'old' });
    expect(asked.indexOf('delete new')).toBeLessThan(asked.indexOf('apply old'));
  });

  test('saves references before it creates any object', async () => {
    const world = aWorld({
      compose: () => ({ resources: { a: want(aConfigMap('a')), b: want(aConfigMap(undefined)) } }),
    });
    const known: boolean[] = [];
    world.plane.store.onChange(({ type, object }) => {
      if (object.kind !== 'ConfigMap' || type !== 'created') return;
      const refs = JSON.stringify(at(xrOf(world), 'spec', 'crossplane', 'resourceRefs'));
      known.push(refs.includes(`"${metaOf(object).name ?? ''}"`));
    });
    await claim(world);
    expect(known).toEqual([true, true]);
  });

  test('reverts edits of applied fields, and keeps fields that it did not apply', async () => {
    const world = aWorld({ compose: () => ({ resources: { cm: want(aConfigMap('cm', { ours: '1' })) } }) });
    await claim(world);
    const made = world.plane.store.get(configMap('cm'));
    world.plane.store.update({ ...made, data: { ours: '2', theirs: '3' } }, 'somebody');
    await run(world.plane, 5);
    expect(world.plane.store.get(configMap('cm'))['data']).toEqual({ ours: '1', theirs: '3' });
  });

  test('does not change objects of another XR', async () => {
    const world = aWorld({ compose: () => ({ resources: { cm: want(aConfigMap('shared')) } }) });
    await claim(world);
    world.plane.store.apply(anXr('App', 'two'), { manager: 'kubectl' });
    await run(world.plane, 5);
    const second = world.plane.store.get({ ...XR, name: 'two' });
    expect(conditionText(second, 'Synced')).toBe('False ReconcileError – Unsynced resources: cm');
    expect(world.plane.store.get(configMap('shared')).metadata).toMatchObject({ ownerReferences: [{ name: 'one' }] });
  });

  test('applies the rest when one resource is invalid, and reports which', async () => {
    const bad: KubeObject = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, data: { a: 'not base64!' } };
    const world = aWorld({ compose: () => ({ resources: { bad: want(bad), good: want(aConfigMap('good')) } }) });
    await claim(world);
    expect(configMaps(world)).toEqual(['good']);
    expect(conditionText(xrOf(world), 'Synced')).toBe('False ReconcileError – Unsynced resources: bad');
    expect(world.plane.recorder.events.map(({ message }) => message)).toContainEqual(
      expect.stringMatching(/^cannot apply composed resource "bad": Secret "s" is invalid: data\["a"\]: is not base64/),
    );
  });

  test('refuses kinds without a namespace and corrects a wrong namespace', async () => {
    const clusterWide = aWorld({
      compose: () => ({ resources: { ns: want({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'x' } }) } }),
    });
    await claim(clusterWide);
    expect(conditionText(xrOf(clusterWide), 'Synced')).toMatch(/cannot apply cluster scoped composed resource "ns"/);

    const elsewhere = { ...aConfigMap('cm'), metadata: { name: 'cm', namespace: 'team-b' } };
    const wrong = aWorld({ compose: () => ({ resources: { cm: want(elsewhere) } }) });
    await claim(wrong);
    expect(wrong.plane.store.find(configMap('cm'))).toBeDefined();
    expect(wrong.plane.recorder.events.map(({ reason }) => reason)).toContain('NamespaceOverridden');
  });
});

const unready = (...keys: readonly string[]): Decision => {
  return () => ({ resources: Object.fromEntries(keys.map((key) => [key, want(aConfigMap(key), false)])) });
};

const late: Decision = (_request, now) => ({
  compositeReady: now.getTime() > Date.parse('2026-01-01T00:00:10Z') ? 'True' : 'False',
  ttl: 2,
});

describe('readiness', () => {
  test.for([
    [['b', 'a'], 'a, b'],
    [['c', 'b', 'a'], 'a, b, and c'],
    [['e', 'd', 'c', 'b', 'a'], 'a, b, c, and 2 more'],
  ] as const)('of %j is reported as "%s"', async ([keys, text]) => {
    const world = aWorld({ compose: unready(...keys) });
    await claim(world);
    expect(conditionText(xrOf(world), 'Ready')).toBe(`False Creating – Unready resources: ${text}`);
  });

  test('that the functions set has priority over that of the resources', async () => {
    const no = aWorld({ compose: () => ({ compositeReady: 'False', resources: { a: want(aConfigMap('a')) } }) });
    await claim(no);
    expect(conditionText(xrOf(no), 'Ready')).toBe('False Creating');
    const yes = aWorld({ compose: () => ({ compositeReady: 'True', resources: { a: want(aConfigMap('a'), false) } }) });
    await claim(yes);
    expect(conditionText(xrOf(yes), 'Ready')).toBe('True Available');
  });

  test('of a nested XR is visible to its parent', async () => {
    const inner = anXr('Inner', 'inner');
    const world = aWorld(
      {
        outer: ({ observed }) => {
          const child = observed.resources.get('inner')?.resource;
          const ready = child !== undefined && conditionText(child, 'Ready') === 'True Available';
          return { resources: { inner: want(inner, ready) } };
        },
      },
      anXrd('Inner'),
      aComposition('Inner', 'inner'),
    );
    Object.assign(world.functions.decisions, { inner: late });
    await claim(world, {}, 5);
    expect(conditionText(xrOf(world), 'Ready')).toMatch(/^False/);
    await run(world.plane, 20);
    expect(conditionText(xrOf(world), 'Ready')).toBe('True Available');
    expect(world.plane.store.get({ ...XR, kind: 'Inner', name: 'inner' }).metadata?.labels).toMatchObject({
      'crossplane.io/composite': 'one',
    });
  });
});

describe('a pipeline', () => {
  test('passes desired state and context from step to step', async () => {
    const seen: unknown[] = [];
    const world = aWorld({
      first: () => ({ context: { word: 'hello' }, resources: { a: want(aConfigMap('a')) }, status: { first: true } }),
      second: ({ context, desired }) => {
        seen.push(context['word'], [...desired.resources.keys()], desired.composite?.status);
        return { resources: { b: want(aConfigMap('b')) }, status: { second: true } };
      },
    });
    await claim(world);
    expect(seen.slice(0, 3)).toEqual(['hello', ['a'], { first: true }]);
    expect(xrOf(world).status).toMatchObject({ first: true, second: true });
    expect(configMaps(world)).toEqual(['a', 'b']);
  });

  test('calls a function again with the resources it requires: found, absent and listed', async () => {
    const rounds: unknown[] = [];
    const selector = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'team-a' };
    const world = aWorld({
      compose: ({ required }) => {
        rounds.push(
          Object.fromEntries([...required].map(([name, found]) => [name, found.map(({ metadata }) => metadata?.name)])),
        );
        return {
          requirements: {
            one: { ...selector, matchName: 'yes' },
            none: { ...selector, matchName: 'no' },
            labelled: { ...selector, matchLabels: { kind: 'fruit' } },
          },
        };
      },
    });
    for (const name of ['pear', 'apple', 'yes'])
      world.plane.store.create(
        {
          ...aConfigMap(name),
          metadata: { name, namespace: 'team-a', labels: { kind: name === 'yes' ? 'word' : 'fruit' } },
        },
        't',
      );
    await claim(world, {}, 1);
    expect(rounds.slice(0, 2)).toEqual([{}, { one: ['yes'], none: [], labelled: ['apple', 'pear'] }]);
  });

  test('stops calling a function that always requires something else', async () => {
    let round = 0;
    const world = aWorld({
      compose: () => ({ requirements: { [`r${round++}`]: { apiVersion: 'v1', kind: 'ConfigMap' } } }),
    });
    await claim(world, {}, 0.9);
    expect(round).toBe(6);
    expect(conditionText(xrOf(world), 'Synced')).toBe(
      'False ReconcileError – cannot compose resources: cannot run Composition pipeline step "compose": requirements didn\'t stabilize after the maximum number of iterations (5)',
    );
  });

  test('runs again after the shortest time-to-live of its steps, and not earlier', async () => {
    const world = aWorld({ first: () => ({ ttl: 600 }), second: () => ({ ttl: 10 }) });
    await claim(world, {}, 8);
    const before = world.functions.calls['first'] ?? 0;
    await run(world.plane, 5);
    expect(world.functions.calls['first']).toBe(before + 1);
  });

  test('without a time-to-live does not run again while nothing changes', async () => {
    const world = aWorld({ compose: () => ({}) });
    await claim(world, {}, 20);
    const before = world.functions.calls['compose'];
    await run(world.plane, 10_000);
    expect(world.functions.calls['compose']).toBe(before);
  });
});

const custom = (type: string): Condition => ({ type, status: 'True', reason: 'Fine' });

/** A pipeline whose second step refuses the claim while `spec.bad` is true. */
const refusing = (): World =>
  aWorld({
    first: () => ({ conditions: [custom('First')], resources: { a: want(aConfigMap('a')) } }),
    second: ({ observed }) =>
      specOf(observed.composite, 'bad') === true
        ? {
            conditions: [custom('Reason')],
            results: [{ severity: 'Fatal', message: 'spec.bad: true is not accepted' }],
          }
        : { conditions: [custom('Second')], resources: { b: want(aConfigMap('b', { v: '1' })) } },
  });

describe('a failure', () => {
  test('that is fatal changes nothing, keeps earlier conditions and marks what is unknown', async () => {
    const world = refusing();
    await claim(world);
    const before = [configMap('a'), configMap('b')].map((ref) => world.plane.store.get(ref));
    await claim(world, { bad: true }, 5);
    expect([configMap('a'), configMap('b')].map((ref) => world.plane.store.get(ref))).toEqual(before);
    const xr = xrOf(world);
    expect(conditionText(xr, 'Synced')).toBe(
      'False ReconcileError – cannot compose resources: pipeline step "second" returned a fatal result: spec.bad: true is not accepted',
    );
    expect(conditionText(xr, 'Ready')).toBe('True Available');
    expect(conditionText(xr, 'First')).toBe('True Fine');
    expect(conditionText(xr, 'Reason')).toBe('True Fine');
    expect(conditionText(xr, 'Second')).toMatch(/^Unknown FatalError – A fatal error occurred before/);
    await claim(world, { bad: false });
    expect(conditionText(xrOf(world), 'Synced')).toBe('True ReconcileSuccess');
    expect(conditionText(xrOf(world), 'Second')).toBe('True Fine');
  });

  test('of an unavailable function is tried again with growing delays, and nothing is lost', async () => {
    const world = refusing();
    await claim(world);
    world.functions.down.add('second');
    await claim(world, { edited: true }, 120);
    const calls = world.functions.calls['second'] ?? 0;
    expect(conditionText(xrOf(world), 'Synced')).toMatch(
      /cannot run Composition pipeline step "second": cannot call function/,
    );
    expect(configMaps(world)).toEqual(['a', 'b']);
    expect(calls).toBeLessThan(15);
    world.functions.down.delete('second');
    await run(world.plane, 35);
    expect(conditionText(xrOf(world), 'Synced')).toBe('True ReconcileSuccess');
  });

  test('to fetch a required resource names the unknown kind', async () => {
    const world = aWorld({
      compose: () => ({ requirements: { x: { apiVersion: 'nobody.org/v1', kind: 'Thing', matchName: 'a' } } }),
    });
    await claim(world, {}, 1);
    expect(conditionText(xrOf(world), 'Synced')).toMatch(
      /fetching resources for x: cannot get required resource by name: no matches for kind "Thing"/,
    );
  });

  test('never lets a function set conditions of Crossplane', async () => {
    const world = aWorld({
      compose: () => ({ conditions: [{ type: 'UpToDate', status: 'True', reason: 'X' }, custom('Ours')] }),
    });
    await claim(world);
    expect(conditionText(xrOf(world), 'UpToDate')).toBeUndefined();
    expect(conditionText(xrOf(world), 'Ours')).toBe('True Fine');
  });
});

const labelled = (name: string, flavor: string): KubeObject => {
  const composition = aComposition('App', name);
  return { ...composition, metadata: { name, labels: { flavor } } };
};

const compose =
  (name: string): Decision =>
  () => ({ resources: { cm: want(aConfigMap(name)) } });

const selecting = (flavor: string): JsonObject => ({
  crossplane: { compositionSelector: { matchLabels: { flavor } } },
});

describe('a Composition', () => {
  test('is selected by the labels of an XR', async () => {
    const functions = new FakeFunctions({ sweet: compose('sweet'), sour: compose('sour') });
    const plane = new ControlPlane({ start: new Date(0), seed: 1, functions: functions.caller });
    loadAll(plane.store, [anXrd('App'), labelled('sweet', 'sweet'), labelled('sour', 'sour')]);
    plane.store.apply(anXr('App', 'one', selecting('sour')), { manager: 'kubectl' });
    plane.store.apply(anXr('App', 'two', selecting('salty')), { manager: 'kubectl' });
    await run(plane, 5);
    expect(configMaps({ plane, functions })).toEqual(['sour']);
    expect(conditionText(plane.store.get({ ...XR, name: 'two' }), 'Synced')).toBe(
      'False ReconcileError – cannot select Composition: no compatible Compositions found',
    );
  });

  test('has a new revision after an edit, which XRs follow unless they are configured not to', async () => {
    const world = aWorld({ compose: compose('a'), other: () => ({ resources: { extra: want(aConfigMap('extra')) } }) });
    loadAll(world.plane.store, [aComposition('App', 'compose')]);
    await claim(world);
    const revision = at(xrOf(world), 'spec', 'crossplane', 'compositionRevisionRef', 'name');
    expect(configMaps(world)).toEqual(['a']);
    loadAll(world.plane.store, [aComposition('App', 'compose', 'other')]);
    await run(world.plane, 5);
    expect(configMaps(world)).toEqual(['a', 'extra']);
    expect(at(xrOf(world), 'spec', 'crossplane', 'compositionRevisionRef', 'name')).not.toBe(revision);
  });
});
