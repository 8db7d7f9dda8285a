/** The whole engine: the same seed gives the same bytes, other seeds the same result; and its news while it runs. */
import { SIMULATED_CLOUDS } from '#clouds/simulated.ts';
import { describe, expect, test } from 'vitest';
import { isManagedReady } from '#lib/api/conditions.ts';
import { type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import { type Engine, type Faults, type Happening, createEngine } from './engine.ts';
import { type Decision, FakeFunctions, aComposition, anXr, anXrd, want } from './fake-functions.fixture.ts';

const mr = (kind: string, name: string, forProvider: JsonObject): KubeObject => ({
  apiVersion: 'ec2.aws.m.upbound.io/v1beta1',
  kind,
  metadata: { name },
  spec: { forProvider: { region: 'eu-west-1', ...forProvider } },
});

/** A network and, once it is ready, a nested XR per zone that composes a machine. */
const site: Decision = ({ observed }) => {
  const zones = ['a', 'b', 'c'];
  const network: readonly (readonly [string, KubeObject])[] = [
    ['vpc', mr('VPC', 'vpc', { cidrBlock: '10.0.0.0/16' })],
    ...zones.map(
      (zone, i) =>
        [
          `subnet-${zone}`,
          mr('Subnet', `subnet-${zone}`, { cidrBlock: `10.0.${i}.0/24`, vpcIdRef: { name: 'vpc' } }),
        ] as const,
    ),
  ];
  const isReady = (key: string): boolean => isManagedReady(observed.resources.get(key)?.resource);
  const machines = zones
    .filter((zone) => isReady(`subnet-${zone}`) || observed.resources.has(`host-${zone}`))
    .map((zone) => [`host-${zone}`, anXr('Host', `host-${zone}`, { zone })] as const);
  return {
    resources: Object.fromEntries(
      [...network, ...machines].map(([key, resource]) => [key, want(resource, isReady(key))]),
    ),
    compositeReady: machines.length === 3 && machines.every(([key]) => isReady(key)) ? 'True' : 'False',
    ttl: 10,
  };
};

const host: Decision = ({ observed }) => {
  const { name = '' } = observed.composite.metadata ?? {};
  const zone = stringAt(observed.composite, 'spec', 'zone') ?? '';
  const instance = mr('Instance', name, {
    ami: 'a',
    instanceType: 'm6i.large',
    subnetIdRef: { name: `subnet-${zone}` },
  });
  return {
    resources: { instance: want(instance, isManagedReady(observed.resources.get('instance')?.resource)) },
    ttl: 600,
  };
};

const FAULTS: Faults = { rateLimits: 0.2, failedCreates: 0.3, slowObjects: 0.2, providerRestarts: [40, 120] };

function anEngine(seed: number, faults: Faults = FAULTS): { engine: Engine; functions: FakeFunctions } {
  const functions = new FakeFunctions({ site, host });
  const engine = createEngine({
    clouds: SIMULATED_CLOUDS,
    start: new Date('2026-01-01T00:00:00Z'),
    seed,
    faults,
    functions: functions.caller,
  });
  engine.load([aComposition('Site', 'site'), anXrd('Site'), anXrd('Host'), aComposition('Host', 'host')]);
  engine.apply(anXr('Site', 'one'));
  return { engine, functions };
}

const untilReady = (engine: Engine) => engine.runUntil(() => engine.snapshot().ready, { limitSeconds: 3600 });

/** What exists at the end, without what depends on chance. */
const shape = (engine: Engine): unknown => {
  const { composites, counters, violations } = engine.snapshot();
  return {
    composites: composites.map(({ kind, name, ready, synced, composed, conditions }) => ({
      kind,
      name,
      ready,
      synced,
      conditions,
      composed: composed.map(({ key, kind, name, ready }) => ({ key, kind, name, ready })),
    })),
    created: counters.created,
    cloudCreated: counters.cloudCreated,
    violations,
  };
};

describe('a simulation', () => {
  test('with the same seed gives the same bytes', async () => {
    const bytes = await Promise.all(
      [3, 3].map(async (seed) => {
        const { engine } = anEngine(seed);
        const news: Happening[] = [];
        engine.subscribe((happening) =>
          news.push(happening.type === 'call' ? { ...happening, milliseconds: 0 } : happening),
        );
        await untilReady(engine);
        return JSON.stringify([engine.snapshot(), news]);
      }),
    );
    expect(bytes[0]).toBe(bytes[1]);
  });

  test.for([1, 2, 4, 8, 16])('with seed %i ends like every other, though not at the same time', async (seed) => {
    const calm = anEngine(0, {});
    await untilReady(calm.engine);
    const { engine } = anEngine(seed);
    const { reached, seconds } = await untilReady(engine);
    expect(reached).toBe(true);
    expect(shape(engine)).toEqual(shape(calm.engine));
    expect(seconds).not.toBe(calm.engine.seconds);
  });

  test('continues after a function was unavailable', async () => {
    const calm = anEngine(5);
    await untilReady(calm.engine);
    const { engine, functions } = anEngine(5);
    engine.at(5, () => void functions.down.add('site'));
    engine.at(60, () => void functions.down.delete('site'));
    const { reached } = await untilReady(engine);
    expect(reached).toBe(true);
    expect(shape(engine)).toEqual(shape(calm.engine));
    expect(engine.snapshot().counters.failedCalls).toBeGreaterThan(2);
  });

  test('leaves nothing behind once the claim is deleted', async () => {
    const { engine } = anEngine(1);
    await untilReady(engine);
    engine.delete({ apiVersion: 'example.org/v1', kind: 'Site', namespace: 'team-a', name: 'one' });
    const { reached } = await engine.runUntil(
      () => engine.snapshot().composites.length === 0 && engine.snapshot().counters.cloudObjects === 0,
      {
        limitSeconds: engine.seconds + 1800,
      },
    );
    expect(reached).toBe(true);
    await engine.runUntil(() => false, { limitSeconds: engine.seconds + 5 });
    const { created, deleted } = engine.snapshot().counters;
    expect(deleted).toMatchObject({ Host: created['Host'], Instance: 3, Subnet: 3, VPC: 1, Site: 1 });
  });

  test('stops at its limit and reports whether work was left', async () => {
    const { engine } = anEngine(1);
    expect(await engine.runUntil(() => false, { limitSeconds: 7 })).toEqual({
      reached: false,
      seconds: 7,
      idle: false,
    });
    const empty = createEngine({
      clouds: SIMULATED_CLOUDS,
      start: new Date(0),
      seed: 1,
      functions: () => expect.fail('not called'),
    });
    expect(await empty.runUntil(() => false, { limitSeconds: 5 })).toEqual({ reached: false, seconds: 5, idle: true });
  });
});

test('has a snapshot with parents before their children and what each composed', async () => {
  const { engine } = anEngine(1, {});
  await untilReady(engine);
  const { composites, timeline } = engine.snapshot();
  expect(composites.map(({ kind, name, parent }) => [kind, name, parent?.name])).toEqual([
    ['Site', 'one', undefined],
    ['Host', 'host-a', 'one'],
    ['Host', 'host-b', 'one'],
    ['Host', 'host-c', 'one'],
  ]);
  expect(composites[1]?.composed).toEqual([
    expect.objectContaining({
      key: 'instance',
      kind: 'Instance',
      name: 'host-a',
      ready: true,
      externalName: expect.stringMatching(/^i-/),
    }),
  ]);
  expect(timeline.map(({ ref, text }) => `${ref.name}: ${text}`)).toEqual(
    expect.arrayContaining(['one: created', 'host-a: created', 'host-a: Ready', 'one: Ready']),
  );
});

test('sends no more news after unsubscribing', async () => {
  const { engine } = anEngine(1, {});
  let news = 0;
  const unsubscribe = engine.subscribe(() => news++);
  await engine.runUntil(() => false, { limitSeconds: 5 });
  const before = news;
  unsubscribe();
  await engine.runUntil(() => false, { limitSeconds: 20 });
  expect(before).toBeGreaterThan(10);
  expect(news).toBe(before);
});
