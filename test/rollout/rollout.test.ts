import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { at, type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import { withStatus } from '../support/claims.ts';
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

describe('a restart', () => {
  const restarted = (rollout: Rollout): readonly string[] =>
    rollout.machines.map((machine) => stringAt(machine, 'spec', 'rolloutAfter') ?? '-');

  it('replaces every machine once its time has come, within the budget, and no machine twice', async () => {
    const rollout = await up();
    const old = names(rollout);
    rollout.pace = 60;
    const time = '2026-01-01T00:10:00Z';
    rollout.edit({ update: { rolloutAfter: time, maxSurge: 1 } });
    for (let minute = 1; minute < 10; minute += 1) await rollout.step();
    expect(names(rollout), 'before its time').toEqual(old);
    for (let minute = 10; minute < 30; minute += 1) {
      await rollout.step();
      expect(rollout.total).toBeLessThanOrEqual(4);
      expect(rollout.ready).toBeGreaterThanOrEqual(3);
    }
    expect(names(rollout).filter((name) => old.includes(name))).toEqual([]);
    expect(restarted(rollout)).toEqual([time, time, time]);
    const after = names(rollout);
    await rollout.settle();
    expect(names(rollout)).toEqual(after);
  });

  it('replaces nothing when its time is taken out of the claim, set back, or lies before every machine', async () => {
    const rollout = await up({ update: { rolloutAfter: '2025-12-31T00:00:00Z' } });
    expect(restarted(rollout)).toEqual(['-', '-', '-']);
    rollout.pace = 60;
    await rollout.edit({ update: { rolloutAfter: '2026-01-01T00:01:00Z' } }).settle();
    const after = names(rollout);
    for (const update of [{}, { rolloutAfter: '2025-12-31T00:00:00Z' }]) {
      await rollout.edit({ update }).settle();
      expect(names(rollout)).toEqual(after);
    }
  });

  it('spares a machine that was made after its time', async () => {
    const rollout = await up();
    rollout.pace = 60;
    await rollout.edit({ replicas: 4 }).settle();
    const late = rollout.machines.find(({ metadata }) => metadata?.labels?.['slipway.dev/slot'] === '3');
    const at = Date.parse(late?.metadata?.creationTimestamp ?? '') - 1000;
    const rolloutAfter = new Date(at).toISOString().replace('.000Z', 'Z');
    const old = names(rollout);
    await rollout.edit({ update: { rolloutAfter } }).settle();
    expect(names(rollout).filter((name) => old.includes(name))).toEqual([nameOf(late!)]);
  });
});

describe('an unhealthy machine', () => {
  const fails = (rollout: Rollout, which: (machine: KubeObject) => boolean): void => {
    const since = new Date(rollout.now).toISOString();
    const nodeConditions = [{ type: 'Ready', status: 'Unknown', lastTransitionTime: since }];
    rollout.machines = rollout.machines.map((machine) =>
      which(machine) ? withStatus(machine, { nodeConditions }) : machine,
    );
  };
  const successors = (rollout: Rollout): readonly KubeObject[] =>
    rollout.machines.filter(({ metadata }) => 'slipway.dev/remediation-for' in (metadata?.annotations ?? {}));

  test.for([
    { maxSurge: 1, maxUnavailable: 0 },
    { maxSurge: 0, maxUnavailable: 1 },
  ])('gets one successor, which knows whom it succeeded: %j', async (update) => {
    const rollout = await up({ update });
    rollout.pace = 60;
    const [sick] = rollout.machines;
    fails(rollout, (machine) => machine === sick);
    for (let minute = 1; minute < 5; minute += 1) await rollout.step();
    expect(rollout.machines.map(nameOf)).toContain(nameOf(sick!));
    for (let minute = 5; minute < 20; minute += 1) await rollout.step();
    expect(rollout.machines.map(nameOf)).not.toContain(nameOf(sick!));
    expect(rollout.machines).toHaveLength(3);
    expect(successors(rollout).map(({ metadata }) => metadata?.annotations)).toEqual([
      { 'slipway.dev/remediation-for': JSON.stringify({ machine: nameOf(sick!), retryCount: 0 }) },
    ]);
    expect(rollout.pool.status?.['pendingRemediations']).toBeUndefined();
  });

  it('is replaced ever more rarely when its successors fail, too', async () => {
    const rollout = await up({ replicas: 5 });
    rollout.pace = 60;
    const replaced: number[] = [];
    let before = names(rollout);
    fails(rollout, ({ metadata }) => metadata?.name === before[0]);
    for (let minute = 1; minute < 240; minute += 1) {
      await rollout.step();
      if (names(rollout).some((name) => !before.includes(name))) replaced.push(minute);
      before = names(rollout);
      fails(
        rollout,
        (machine) => successors(rollout).includes(machine) && machine.status?.['nodeConditions'] === undefined,
      );
    }
    const waits = replaced.slice(1).map((minute, index) => minute - (replaced[index] ?? 0));
    expect(waits).toEqual([10, 20, 40, 80]);
  });

  it('is replaced by none of a pool that is paused', async () => {
    const rollout = await up();
    rollout.pace = 60;
    const before = names(rollout);
    fails(rollout, ({ metadata }) => metadata?.name === before[0]);
    rollout.edit({ paused: true });
    for (let minute = 1; minute < 20; minute += 1) await rollout.step();
    expect(names(rollout)).toEqual(before);
    for (let minute = 1; minute < 5; minute += 1) await rollout.edit({ paused: false }).step();
    expect(names(rollout)).not.toContain(before[0]);
  });
});

describe('minReadySeconds', () => {
  const ready = (rollout: Rollout): number => rollout.ready;

  it('lets an old machine go only when its successor has been ready for that long', async () => {
    const rollout = await up({ replicas: 1, update: { minReadySeconds: 300 } });
    rollout.pace = 60;
    for (let minute = 0; minute < 6; minute += 1) await rollout.step();
    const [old] = names(rollout);
    await rollout.edit({ machine: { class: 'standard-8' } }).step();
    await rollout.step();
    for (let minute = 1; minute < 6; minute += 1) {
      expect(ready(rollout), `minute ${minute}`).toBe(2);
      const reply = await rollout.reply();
      expect(reply.compositeReady, 'it is looked at again soon').toBe('False');
      await rollout.step();
    }
    await rollout.step();
    expect(names(rollout)).not.toContain(old);
    expect(rollout.machines).toHaveLength(1);
  });

  it('counts a machine as available only after that time', async () => {
    const rollout = await up({ update: { minReadySeconds: 300 } });
    const early = await rollout.reply();
    expect(early.status).toMatchObject({ readyReplicas: 3, availableReplicas: 0 });
    rollout.now += 300_000;
    expect((await rollout.reply()).status).toMatchObject({ readyReplicas: 3, availableReplicas: 3 });
  });

  it('lets nobody go for the sake of machines that are just ready: they may fail at once', async () => {
    const rollout = await up({ update: { minReadySeconds: 300, maxSurge: 0, maxUnavailable: 1 } });
    rollout.now += 300_000;
    await rollout.edit({ machine: { class: 'standard-8' } }).settle();
    expect(rollout.machines.filter((machine) => at(machine, 'spec', 'machine', 'class') === 'standard-8')).toHaveLength(
      1,
    );
    rollout.now += 300_000;
    await rollout.settle();
    expect(rollout.machines.filter((machine) => at(machine, 'spec', 'machine', 'class') === 'standard-8')).toHaveLength(
      2,
    );
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
