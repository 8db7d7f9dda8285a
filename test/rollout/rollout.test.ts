import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { at, type JsonObject, stringAt } from '#lib/api/json.ts';
import { nameOf, Rollout } from './rollout.ts';

const up = (spec: JsonObject = {}): Promise<Rollout> => new Rollout({ replicas: 3, ...spec }).settle();
const alphabetical = (a: string, b: string): number => (a < b ? -1 : 1);
const names = (rollout: Rollout): readonly string[] => rollout.machines.map(nameOf).toSorted();

describe('a pool that is as it should be', () => {
  it('has one machine for each slot, named by itself, and says it is up to date', async () => {
    const rollout = await up();
    const reply = await rollout.step();
    expect([...reply.resources.keys()].toSorted()).toEqual(names(rollout));
    expect(reply.status).toMatchObject({ replicas: 3, readyReplicas: 3, upToDateReplicas: 3, phase: 'Running' });
    expect(reply.conditions).toContainEqual({ type: 'MachinesUpToDate', status: 'True', reason: 'UpToDate' });
    expect(reply.compositeReady).toBe('Unspecified');
  });

  it('is left alone by call after call', async () => {
    const rollout = await up();
    const before = JSON.stringify(rollout.machines);
    await rollout.step();
    await rollout.step();
    expect(JSON.stringify(rollout.machines)).toBe(before);
  });

  it('is not replaced when a newer release knows a field with a default that older machines lack', async () => {
    const rollout = await up();
    const old = rollout.machines.map((machine) => {
      const { drain: _drain, ...spec } = machine.spec ?? {};
      return { ...machine, spec };
    });
    rollout.machines = old;
    await rollout.settle();
    expect(names(rollout)).toEqual(old.map(nameOf).toSorted());
  });
});

describe('a change that may be patched', () => {
  it('reaches every machine in one step and keeps them all', async () => {
    const rollout = await up();
    const before = names(rollout);
    await rollout.edit({ labels: { team: 'a' } }).step();
    expect(names(rollout)).toEqual(before);
    expect(rollout.machines.map((machine) => at(machine, 'spec', 'labels'))).toEqual(Array(3).fill({ team: 'a' }));
  });

  it('takes a label away as well', async () => {
    const rollout = await up({ labels: { team: 'a' } });
    await rollout.edit({ labels: {} }).step();
    expect(rollout.machines.map((machine) => at(machine, 'spec', 'labels'))).toEqual(Array(3).fill({}));
  });

  it('waits with a machine that must be replaced anyway, so that it is not touched twice', async () => {
    const rollout = await up();
    const old = names(rollout);
    await rollout.edit({ labels: { team: 'a' }, machine: { class: 'standard-8' } }).step();
    const kept = rollout.machines.filter((machine) => old.includes(nameOf(machine)));
    expect(kept.map((machine) => at(machine, 'spec', 'labels'))).toEqual(Array(kept.length).fill({}));
  });
});

describe('a change that needs another machine', () => {
  test.for([
    { name: 'surge only', update: { maxSurge: 1, maxUnavailable: 0 } },
    { name: 'unavailable only', update: { maxSurge: 0, maxUnavailable: 1 } },
    { name: 'both', update: { maxSurge: 1, maxUnavailable: 1 } },
    { name: 'percentages', update: { maxSurge: '34%', maxUnavailable: '0%' } },
    { name: 'over-large values', update: { maxSurge: 10, maxUnavailable: 10 } },
  ])('replaces every machine within the budget: $name', async ({ name, update }) => {
    const rollout = await up({ update });
    const old = names(rollout);
    rollout.log.length = 0;
    await rollout.edit({ machine: { class: 'standard-8' } }).settle();
    expect(names(rollout).filter((machine) => old.includes(machine))).toEqual([]);
    expect(rollout.machines.map((machine) => at(machine, 'spec', 'machine', 'class'))).toEqual(
      Array(3).fill('standard-8'),
    );
    await expect(`${rollout.log.join('\n')}\n`).toMatchFileSnapshot(`golden/${name.replaceAll(' ', '-')}.txt`);
  });

  it('keeps the slot’s failure domain, so that a roll-out moves no zone', async () => {
    const rollout = await up();
    const zones = () =>
      rollout.machines.map((machine) => stringAt(machine, 'spec', 'failureDomain') ?? '').toSorted(alphabetical);
    const before = zones();
    await rollout.edit({ machine: { class: 'standard-8' } }).settle();
    expect(zones()).toEqual(before);
  });

  it('stops when the first successor does not become ready', async () => {
    const rollout = await up();
    rollout.edit({ machine: { class: 'standard-8' } });
    const sick = (machine: object): boolean => at(machine, 'spec', 'machine', 'class') === 'standard-8';
    for (let i = 0; i < 10; i += 1) await rollout.step(sick);
    expect(rollout.machines.filter(sick)).toHaveLength(1);
    expect(rollout.ready).toBe(3);
  });

  it('does not take a moment in which no machine is ready for a reason to let them all go', async () => {
    const rollout = await new Rollout({ replicas: 3 }).settle();
    const before = rollout.machines.map(({ metadata }) => metadata?.name);
    rollout.edit({ machine: { class: 'standard-8' } });
    await rollout.step(() => true);
    await rollout.step(() => true);
    await rollout.step(() => true);
    const kept = rollout.machines.map(({ metadata }) => metadata?.name).filter((name) => before.includes(name));
    expect(kept).toEqual(before);
    await rollout.settle();
    expect(rollout.machines.every(({ spec }) => JSON.stringify(spec).includes('standard-8'))).toBe(true);
  });

  it('keeps the old machines when the change is taken back in the middle', async () => {
    const rollout = await up();
    const old = names(rollout);
    await rollout.edit({ machine: { class: 'standard-8' } }).step();
    expect(names(rollout)).toHaveLength(4);
    await rollout.edit({ machine: { class: 'standard-4' } }).settle();
    expect(names(rollout)).toEqual(old);
  });

  it('goes on with the newer one when a second change comes in the middle', async () => {
    const rollout = await up();
    await rollout.edit({ machine: { class: 'standard-8' } }).step();
    await rollout.edit({ machine: { class: 'standard-16' } }).settle();
    expect(rollout.machines.map((machine) => at(machine, 'spec', 'machine', 'class'))).toEqual(
      Array(3).fill('standard-16'),
    );
  });

  it('holds when the claim says so, and names the fields', async () => {
    const rollout = await up({ update: { fallback: 'Hold' } });
    const old = names(rollout);
    await rollout.edit({ machine: { class: 'standard-8' } }).settle();
    expect(names(rollout)).toEqual(old);
    const held = (await rollout.step()).conditions.find(({ type }) => type === 'MachinesUpToDate');
    expect(held).toMatchObject({ status: 'False', reason: 'Held' });
    expect(held?.message).toContain('spec.machine.class');
  });

  it('waits for somebody to delete machines under OnDelete, and then makes the new ones', async () => {
    const rollout = await up({ update: { strategy: 'OnDelete' } });
    const old = names(rollout);
    await rollout.edit({ machine: { class: 'standard-8' } }).settle();
    expect(names(rollout)).toEqual(old);
    rollout.machines = rollout.machines.slice(1);
    await rollout.settle();
    expect(
      rollout.machines.map((machine) => stringAt(machine, 'spec', 'machine', 'class') ?? '').toSorted(alphabetical),
    ).toEqual(['standard-4', 'standard-4', 'standard-8']);
  });
});

describe('input that cannot be accepted', () => {
  test.for([
    {
      name: 'typo in a decision',
      input: { rules: [{ path: 'spec.labels', decision: 'Pach' }] },
      line: 'rules[0].decision: "Pach" is not accepted; accepted: "Patch", "Recreate", "Ignore"',
    },
    {
      name: 'path outside',
      input: {
        rules: [
          { path: 'spec.labels', decision: 'Patch' },
          { path: 'status.phase', decision: 'Patch' },
        ],
      },
      line: 'rules[1].path: "status.phase" is not a field path',
    },
    {
      name: 'unknown field',
      input: { rule: [] },
      line: 'rule: unknown field; accepted: apiVersion, kind, otherwise, ownership, rules, select, ttl',
    },
  ])('is refused with its index: $name', async ({ input, line }) => {
    const rollout = await up();
    rollout.input = { apiVersion: 'fn.slipway.dev/v1alpha1', kind: 'InPlaceUpdateInput', ...input };
    await expect(rollout.reply()).rejects.toThrow(line);
  });
});

const edit = fc.oneof(
  fc.record({ machine: fc.record({ class: fc.constantFrom('a', 'b', 'c') }) }),
  fc.record({ labels: fc.dictionary(fc.constantFrom('x', 'y'), fc.constantFrom('1', '2')) }),
  fc.record({ replicas: fc.integer({ min: 0, max: 6 }) }),
);
const budget = fc
  .record({ maxSurge: fc.integer({ min: 0, max: 3 }), maxUnavailable: fc.integer({ min: 0, max: 3 }) })
  .filter(({ maxSurge, maxUnavailable }) => maxSurge + maxUnavailable > 0);

describe('whatever is edited, whenever', () => {
  it('no ready machine goes below the budget, no machine is made above it, and it ends where the claim says', async () => {
    await fc.assert(
      fc.asyncProperty(
        budget,
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.tuple(edit, fc.integer({ min: 1, max: 4 })), { maxLength: 6 }),
        async (update, replicas, edits) => {
          const rollout = await new Rollout({ replicas, update }).settle();
          for (const [spec, steps] of edits) {
            rollout.edit(spec);
            for (let i = 0; i < steps; i += 1) await stepWithin(rollout, update);
          }
          await rollout.settle(100);
          const wanted = at(rollout.pool, 'spec', 'replicas');
          expect(rollout.machines).toHaveLength(wanted as number);
          expect(rollout.ready).toBe(wanted);
          expect(
            new Set(rollout.machines.map((machine) => at(machine, 'spec', 'machine', 'class'))).size,
          ).toBeLessThanOrEqual(1);
        },
      ),
      { numRuns: 150 },
    );
  });
});

/** One step; nothing that was ready before it goes unless the budget has room for that. */
async function stepWithin(
  rollout: Rollout,
  { maxSurge, maxUnavailable }: { readonly maxSurge: number; readonly maxUnavailable: number },
): Promise<void> {
  const replicas = at(rollout.pool, 'spec', 'replicas') as number;
  const { ready, total } = rollout;
  await rollout.step();
  const gone = rollout.leaving.filter((machine) => at(machine, 'status', 'conditions', '0') !== null);
  const readyGone = gone.filter((machine) =>
    JSON.stringify(machine.status).includes('"status":"True","reason":"Available"'),
  ).length;
  expect(ready - readyGone, rollout.log.join('\n')).toBeGreaterThanOrEqual(Math.min(ready, replicas - maxUnavailable));
  expect(rollout.total, rollout.log.join('\n')).toBeLessThanOrEqual(Math.max(total, replicas + maxSurge));
}
