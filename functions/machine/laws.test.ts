import * as fc from 'fast-check';
import { factsFor } from '../../test/support/cluster-facts.ts';
import { expect, test } from 'vitest';
import { at, canonical } from '#lib/api/json.ts';
import {
  expectIdempotent,
  expectNeverSmaller,
  expectOrderBlind,
  expectPure,
} from '../../test/support/function-laws.ts';
import { run } from './fn.ts';
import {
  aCluster,
  after,
  aMachine,
  anInfrastructure,
  anInput,
  answer,
  CONTROL_PLANE,
  HANDED_OVER,
  ID,
  lived,
  play,
  RUNNING,
  type World,
  WORLD,
} from './machine.fixture.ts';

const noise = { infrastructure: { overrides: [{ kind: 'Nothing', patch: {} }] } };
const machines = fc.constantFrom(aMachine(), aMachine(CONTROL_PLANE), aMachine(noise));
const worlds = fc.constantFrom<World>(
  ...Object.values(WORLD),
  { ...WORLD.joined, refused: 'update failed: cannot change the value of the argument "ami"' },
  { ...WORLD.joined, instance: { ...RUNNING, id: 'i-2' } },
  { ...WORLD.joined, instance: { ...RUNNING, instanceState: 'stopped' } },
);
const clusters = fc.constantFrom(
  new Map(),
  new Map([['cluster', []]]),
  new Map([['cluster', [factsFor(aCluster(anInfrastructure({ ready: false })))]]]),
  new Map([['cluster', [factsFor(aCluster())]]]),
);
const hidden = fc.constantFrom('', 'instance', 'node', 'drain', 'target-0');
const inputs = fc.constantFrom(anInput(), HANDED_OVER);
const runs = { numRuns: 60 };

test('the same request gives the same bytes, whatever the order of its keys', async () => {
  await fc.assert(
    fc.asyncProperty(machines, inputs, worlds, clusters, async (machine, input, world, required) => {
      const request = { ...(await lived(world, { machine, input })), required };
      await expectPure(run, request);
      await expect(expectOrderBlind(run, request)).resolves.toBeUndefined();
    }),
    runs,
  );
});

test('a call on its own output changes nothing and repeats no event, at every step of a machine', async () => {
  await fc.assert(
    fc.asyncProperty(machines, inputs, worlds, async (machine, input, world) => {
      const request = await lived(world, { machine, input });
      await expectIdempotent(run, request);
      const reply = await answer(request);
      const again = await answer(after(request, reply, world));
      expect(again.status).toEqual(reply.status);
      expect(again.conditions).toEqual(reply.conditions);
      expect(again.events).toEqual([]);
    }),
    runs,
  );
});

test('whatever cannot be observed or read, no observed object is removed', async () => {
  await fc.assert(
    fc.asyncProperty(machines, worlds, clusters, hidden, async (machine, world, required, unseen) => {
      const request = await lived(world, { machine });
      const resources = new Map([...request.observed.resources].filter(([key]) => key !== unseen));
      const reduced = { ...request, required, observed: { ...request.observed, resources } };
      const reply = await answer(reduced);
      expect([...resources.keys()].filter((key) => !reply.resources.has(key))).toEqual([]);
      await expectNeverSmaller(run, reduced);
    }),
    runs,
  );
});

test('the first id and first-boot data never change, whatever happens to a machine', async () => {
  await fc.assert(
    fc.asyncProperty(
      machines,
      inputs,
      fc.array(worlds, { minLength: 1, maxLength: 8 }),
      async (machine, input, life) => {
        const { replies } = await play({ machine, input }, ...life);
        const ids = replies.map(({ status }) => status['instanceID']).filter((id) => id !== undefined);
        const resource = (key: string) => replies.map(({ resources }) => resources.get(key)?.resource);
        expect(new Set(ids).size).toBeLessThanOrEqual(1);
        expect(new Set(resource('payload').map((secret) => canonical(secret))).size).toBe(1);
        const created = resource('instance').filter((made) => made !== undefined);
        expect(
          new Set(created.map((made) => canonical(at(made, 'spec', 'initProvider', 'userDataBase64')))).size,
        ).toBeLessThanOrEqual(1);
      },
    ),
    runs,
  );
});

test('only a machine that runs with its first id and has a ready node is ready', async () => {
  let ready = 0;
  await fc.assert(
    fc.asyncProperty(machines, inputs, worlds, worlds, async (machine, input, before, world) => {
      const { replies } = await play({ machine, input }, WORLD.handedOver, WORLD.created, before, world);
      const reply = replies.at(-1);
      const allReady = [...(reply?.resources.values() ?? [])].every((desired) => desired.ready === 'True');
      if (reply?.compositeReady === 'False' || !allReady) return;
      ready += 1;
      expect(world.instance).toMatchObject({ id: ID, instanceState: 'running' });
      expect(world.refused).toBeUndefined();
      expect(world.ready).toContain('WorkloadNode');
    }),
    { numRuns: 200 },
  );
  expect(ready, 'some of them are').toBeGreaterThan(0);
});
