/**
 * Nothing is written twice. At every call for the AWS example, from the claim through a scale-up and a roll-out until
 * it is settled, each function is called twice: the replies are equal byte for byte, even if Crossplane passes the
 * objects in another order, because a list in another order is a write. And once all is ready, whole rounds of
 * reconciles write nothing.
 */
import { SIMULATED_CLOUDS } from '#clouds/simulated.ts';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { conditionOf } from '#lib/api/conditions.ts';
import { at, type KubeObject, stringAt } from '#lib/api/json.ts';
import { CONTEXT, TTL } from '#lib/api/words.ts';
import { writtenKinds } from '#simulator/cloud-stand-in.ts';
import { type Engine, type FunctionCaller } from '#simulator/engine.ts';
import { readObjects } from '../../cli/files/read-objects.ts';
import { ROOT } from '../../cli/files/repository.ts';
import { FUNCTIONS } from '../../cli/files/repository.ts';
import { inProcess } from '../support/in-process.ts';
import { exampleEngine } from '../support/example.ts';

type Asked = Parameters<FunctionCaller['run']>[0];
type Answer = Awaited<ReturnType<FunctionCaller['run']>>;

const SLIPWAY = 'slipway.dev/v1alpha1';
const KINDS = [
  ...['Cluster', 'NodePool', 'Machine'].map((kind) => ({ apiVersion: SLIPWAY, kind })),
  { apiVersion: 'protection.crossplane.io/v1beta1', kind: 'Usage' },
  ...writtenKinds(SIMULATED_CLOUDS),
];

const calls = new Map<string, number>();
const unstable = new Set<string>();

/** A function that is called three times for each reply. */
function thrice(name: string): FunctionCaller {
  const { run } = inProcess(name);
  return {
    async run(request, options) {
      const answer = await run(request, options);
      calls.set(name, (calls.get(name) ?? 0) + 1);
      if (makesKeys(request, answer)) return answer;
      const text = textOf(answer);
      if (textOf(await run(request, options)) !== text) unstable.add(`${name} ${who(request)}: asked again`);
      if (textOf(await run(backwards(request), options)) !== text) unstable.add(`${name} ${who(request)}: other order`);
      return answer;
    },
  };
}

/** New keys and tokens differ each time; they are created once. */
function makesKeys({ observed }: Asked, { desired, context }: Answer): boolean {
  if (at(context, CONTEXT.nodeJoin, 'token') !== undefined) return true;
  return [...desired.resources].some(
    ([key, { resource }]) => resource.kind === 'Secret' && !observed.resources.has(key),
  );
}

function backwards(request: Asked): Asked {
  const required = [...request.required].map(([name, objects]) => [name, objects.toReversed()] as const);
  const resources = new Map([...request.observed.resources].toReversed());
  return { ...request, observed: { ...request.observed, resources }, required: new Map(required.toReversed()) };
}

/** Crossplane reads desired resources by name and sorts them; it writes the order within objects. */
function textOf(answer: Answer): string {
  return JSON.stringify(answer, (_key, value: unknown) =>
    value instanceof Map ? [...(value as Map<string, unknown>)].toSorted(([a], [b]) => (a < b ? -1 : 1)) : value,
  );
}

function who({ observed }: Asked): string {
  return `${observed.composite.kind} ${stringAt(observed.composite, 'metadata', 'name') ?? ''}`;
}

let engine: Engine;

const edit = (name: string): void => {
  for (const object of readObjects([join(ROOT, `examples/aws/edits/${name}.yaml`)])) engine.apply(object);
};

/** Ready, with no machine being deleted, for longer than any wait between two steps. */
async function settled(what: string): Promise<void> {
  let since = engine.seconds;
  const rested = (): boolean => {
    if (!isAtRest()) since = engine.seconds;
    return engine.seconds > since + TTL.settled;
  };
  const { reached } = await engine.runUntil(rested, { limitSeconds: engine.seconds + 7200 });
  expect(reached, what).toBe(true);
}

function isAtRest(): boolean {
  const [pools, machines] = ['NodePool', 'Machine'].map((kind) => engine.list({ apiVersion: SLIPWAY, kind }));
  const upToDate = pools!.every((pool) => conditionOf(pool, 'MachinesUpToDate')?.status === 'True');
  const going = machines!.some(({ metadata }) => metadata?.deletionTimestamp !== undefined);
  return engine.snapshot().ready && upToDate && !going;
}

beforeAll(async () => {
  engine = exampleEngine({ functions: thrice });
  await settled('claimed');
  edit('scale-up');
  await settled('scaled up');
  edit('image');
  await settled('rolled out');
});

describe('the example, at every call from the claim through a scale-up and a roll-out until it is settled', () => {
  it.for(FUNCTIONS.map((name) => [name]))('%s returns the same response for the same observation', ([name]) => {
    expect(calls.get(`slipway-function-${name}`)).toBeGreaterThan(10);
    expect([...unstable].filter((what) => what.startsWith(`slipway-function-${name} `))).toEqual([]);
  });

  it('causes no writes once nothing changes', async () => {
    const [before, callsBefore] = [versions(), total()];
    await engine.runUntil(() => false, { limitSeconds: engine.seconds + 3 * TTL.settled });
    const xrs = KINDS.slice(0, 3).flatMap((kind) => engine.list(kind));
    expect(total() - callsBefore, 'every XR was reconciled again').toBeGreaterThanOrEqual(2 * xrs.length);
    expect([...versions()].filter(([who, version]) => before.get(who) !== version)).toEqual([]);
  });
});

function total(): number {
  return [...calls.values()].reduce((sum, count) => sum + count, 0);
}

function versions(): ReadonlyMap<string, string | undefined> {
  const objects: readonly KubeObject[] = KINDS.flatMap((kind) => engine.list(kind));
  return new Map(objects.map(({ kind, metadata }) => [`${kind} ${metadata?.name}`, metadata?.resourceVersion]));
}
