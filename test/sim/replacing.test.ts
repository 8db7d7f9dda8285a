import { describe, expect, it } from 'vitest';
import { isJsonObject, stringAt } from '#lib/api/json.ts';
import { BROKEN_IMAGE } from './machines.ts';
import { MINUTE, Play } from './play.ts';

const NEW = { machine: { class: 'standard-4', image: 'ubuntu-26.04' } };
const NEWER = { machine: { class: 'standard-4', image: 'ubuntu-26.10' } };
const BROKEN = { machine: { class: 'standard-4', image: BROKEN_IMAGE } };
const alphabetical = (a: string, b: string): number => (a < b ? -1 : 1);

describe('a settled pool', () => {
  it('has one machine for each slot, named by itself, and reports that it is up to date', async () => {
    const play = await Play.up();
    const reply = await play.ask();
    expect([...reply.resources.keys()].toSorted()).toEqual(play.names);
    expect(reply.status).toMatchObject({ replicas: 3, readyReplicas: 3, upToDateReplicas: 3, phase: 'Running' });
    expect(reply.conditions).toContainEqual({ type: 'MachinesUpToDate', status: 'True', reason: 'UpToDate' });
    expect(reply.compositeReady).toBe('Unspecified');
  });

  it('does not change in call after call', async () => {
    const play = await Play.up();
    const before = JSON.stringify(play.machines);
    await play.step(2);
    expect(JSON.stringify(play.machines)).toBe(before);
  });

  it('is not replaced when a newer release knows a field with a default that older machines lack', async () => {
    const play = await Play.up();
    const old = play.names;
    for (const life of play.lives) {
      const { drain: _drain, ...spec } = life.object.spec ?? {};
      life.object = { ...life.object, spec };
    }
    await play.settle();
    expect(play.names).toEqual(old);
  });

  it.each(['previous', 'next'] as const)('is not replaced by a call of the %s release', async (release) => {
    const play = await Play.up();
    const reply = await play.world.ask(play.world.view(), release);
    expect([...reply.resources.keys()].toSorted()).toEqual(play.names);
  });
});

describe('a change that may be patched', () => {
  it('reaches every machine in one step and keeps them all', async () => {
    const play = await Play.up();
    const before = play.names;
    await play.edit({ labels: { team: 'a' } }).step();
    expect(play.names).toEqual(before);
    expect(play.each('labels')).toEqual(Array(3).fill({ team: 'a' }));
  });

  it('removes a label as well', async () => {
    const play = await Play.up({ labels: { team: 'a' } });
    await play.edit({ labels: {} }).step();
    expect(play.each('labels')).toEqual(Array(3).fill({}));
  });

  it('waits for a machine that must be replaced anyway, so that it is changed only once', async () => {
    const play = await Play.up();
    const old = play.names;
    await play.edit({ labels: { team: 'a' }, ...NEW }).step();
    const kept = play.machines.filter(({ metadata }) => old.includes(metadata?.name ?? ''));
    expect(kept.map(({ spec }) => spec?.['labels'])).toEqual(Array(3).fill({}));
  });
});

describe('a change that needs another machine', () => {
  it('keeps the failure domain of the slot, so that a roll-out moves no machine to another zone', async () => {
    const play = await Play.up();
    const zones = () => play.texts('failureDomain').toSorted(alphabetical);
    const before = zones();
    await play.edit(NEW).settle();
    expect(play.each('machine', 'image')).toEqual(Array(3).fill('ubuntu-26.04'));
    expect(zones()).toEqual(before);
  });

  it('stops if the first replacement does not become ready', async () => {
    const play = await Play.up();
    await play.edit(BROKEN).step(10);
    expect(play.created.slice(3)).toHaveLength(1);
    expect(play.serving).toBe(3);
  });

  it('does not delete all machines because for a moment none is ready', async () => {
    const play = await Play.up();
    const before = play.names;
    play.edit(NEW);
    for (let i = 0; i < 3; i += 1) {
      for (const life of play.lives) Object.assign(life, { down: 2, comesUp: life.comesUp + 1 });
      await play.step();
      expect(play.names).toEqual(expect.arrayContaining([...before]));
    }
    await play.settle();
    expect(play.each('machine', 'image')).toEqual(Array(3).fill('ubuntu-26.04'));
  });

  it('keeps the old machines when the change is taken back during the roll-out', async () => {
    const play = await Play.up();
    const old = play.names;
    await play.edit(NEW).step();
    expect(play.names).toHaveLength(4);
    await play.edit({ machine: { class: 'standard-4' } }).settle();
    expect(play.names).toEqual(old);
  });

  it('continues with the newer change when a second one comes during the roll-out', async () => {
    const play = await Play.up();
    await play.edit(NEW).step();
    await play.edit(NEWER).settle();
    expect(play.each('machine', 'image')).toEqual(Array(3).fill('ubuntu-26.10'));
  });

  it('is held when the claim says so, with the names of the fields', async () => {
    const play = await Play.up({ update: { fallback: 'Hold' } });
    const old = play.names;
    await play.edit(NEW).settle();
    expect(play.names).toEqual(old);
    expect(play.condition('MachinesUpToDate')).toMatchObject({ status: 'False', reason: 'Held' });
    expect(play.condition('MachinesUpToDate').message).toContain('spec.machine.image');
  });

  it('waits under OnDelete until machines are deleted, and then creates new ones', async () => {
    const play = await Play.up({ update: { strategy: 'OnDelete' } });
    const old = play.names;
    await play.edit(NEW).settle();
    expect(play.names).toEqual(old);
    play.world.remove(old[0]!);
    await play.settle();
    expect(play.texts('machine', 'image').toSorted(alphabetical)).toEqual(['-', '-', 'ubuntu-26.04']);
  });
});

describe('a restart', () => {
  const times = (play: Play): readonly string[] => play.texts('rolloutAfter');

  it('replaces every machine once its time has come, within the budget, and no machine twice', async () => {
    const play = await Play.up();
    const old = play.names;
    const time = '2026-01-01T00:10:00Z';
    play.edit({ update: { rolloutAfter: time, maxSurge: 1 } });
    while (play.world.tick < 10 * MINUTE - 1) await play.step();
    expect(play.names, 'before its time').toEqual(old);
    for (let minute = 10; minute < 30; minute += 1) {
      await play.step(MINUTE);
      expect(play.world.lives.size).toBeLessThanOrEqual(4);
      expect(play.serving).toBeGreaterThanOrEqual(3);
    }
    expect(play.names.filter((name) => old.includes(name))).toEqual([]);
    expect(times(play)).toEqual([time, time, time]);
    const after = play.names;
    await play.settle();
    expect(play.names).toEqual(after);
  });

  it('replaces nothing when its time is removed from the claim, set back, or before every machine was created', async () => {
    const play = await Play.up({ update: { rolloutAfter: '2025-12-31T00:00:00Z' } });
    expect(times(play)).toEqual(['-', '-', '-']);
    await play.edit({ update: { rolloutAfter: '2026-01-01T00:01:00Z' } }).settle();
    const after = play.names;
    for (const update of [{}, { rolloutAfter: '2025-12-31T00:00:00Z' }]) {
      await play.edit({ update }).settle();
      expect(play.names).toEqual(after);
    }
  });

  it('does not replace a machine that was created after its time', async () => {
    const play = await Play.up();
    await play.step(MINUTE);
    await play.edit({ replicas: 4 }).settle();
    const late = play.lives.find(({ object }) => object.metadata?.labels?.['slipway.dev/slot'] === '3')!;
    const rolloutAfter = new Date(play.world.made(late) - 1000).toISOString().replace('.000Z', 'Z');
    const old = play.names;
    await play.edit({ update: { rolloutAfter } }).settle();
    expect(play.names.filter((name) => old.includes(name))).toEqual([late.object.metadata?.name]);
  });
});

describe('minReadySeconds', () => {
  const FIVE = { minReadySeconds: 300 };
  const fresh = (play: Play): number =>
    play.each('machine', 'image').filter((image) => image === 'ubuntu-26.04').length;

  it('deletes an old machine only when its replacement has been ready for that long', async () => {
    const play = await Play.up({ replicas: 1, update: FIVE });
    await play.step(6 * MINUTE);
    const [old] = play.names;
    await play.edit(NEW).step();
    while (play.serving < 2) await play.step();
    for (let i = 0; i < 5 * MINUTE - 1; i += 1) {
      await play.step();
      expect(play.serving, `step ${i}`).toBe(2);
      expect((await play.ask()).ttl, 'it is reconciled again soon').toBeLessThanOrEqual(10);
    }
    await play.step(2);
    expect(play.names).not.toContain(old);
    expect(play.names).toHaveLength(1);
  });

  it('counts a machine as available only after that time', async () => {
    const play = await Play.up({ update: FIVE });
    expect((await play.ask()).status).toMatchObject({ readyReplicas: 3, availableReplicas: 0 });
    for (let i = 0; i < 5 * MINUTE; i += 1) play.world.pass();
    expect((await play.ask()).status).toMatchObject({ readyReplicas: 3, availableReplicas: 3 });
  });

  it('deletes no machine for machines that are only just ready, because they may fail at once', async () => {
    const play = await Play.up({ update: { ...FIVE, maxSurge: 0, maxUnavailable: 1 } });
    await play.step(6 * MINUTE);
    await play.edit(NEW).step(4 * MINUTE);
    expect(fresh(play)).toBe(1);
    await play.step(5 * MINUTE);
    expect(fresh(play)).toBe(2);
  });
});

describe('an unhealthy machine', () => {
  const successors = (play: Play) =>
    play.machines.flatMap(({ metadata }) => {
      const text = metadata?.annotations?.['slipway.dev/remediation-for'];
      return text === undefined ? [] : [{ name: metadata?.name ?? '', text }];
    });

  it.each([
    { maxSurge: 1, maxUnavailable: 0 },
    { maxSurge: 0, maxUnavailable: 1 },
  ])('gets one replacement, which records the machine it replaced: %j', async (update) => {
    const play = await Play.up({ update });
    const [sick] = play.names;
    play.world.sicken([sick!]);
    await play.step(5 * MINUTE - 2);
    expect(play.names).toContain(sick);
    await play.step(15 * MINUTE);
    expect(play.names).not.toContain(sick);
    expect(play.names).toHaveLength(3);
    expect(successors(play).map(({ text }) => JSON.parse(text) as unknown)).toEqual([{ machine: sick, retryCount: 0 }]);
    expect(play.world.pool.status?.['pendingRemediations']).toBeUndefined();
  });

  it('is replaced less and less often when its replacements fail, too', async () => {
    const play = await Play.up({ replicas: 5 });
    play.world.sicken([play.names[0]!]);
    const made: number[] = [];
    for (let known = play.created.length; play.world.tick < 240 * MINUTE; known = play.created.length) {
      await play.step();
      if (play.created.length > known) made.push(play.world.tick / MINUTE);
      const latest = play.world.lives.get(successors(play).at(-1)?.name ?? '');
      if (latest?.isNode === true && !latest.sick) play.world.sicken([latest.object.metadata?.name ?? '']);
    }
    const waits = made.slice(1).map((minute, index) => Math.round(minute - (made[index] ?? 0)));
    expect(waits).toEqual([10, 20, 40, 80]);
  });

  it('that is healthy with a requested replacement does not prevent the replacement of others', async () => {
    const play = await Play.up({ replicas: 5 });
    const [asked, ...others] = play.names;
    play.world.annotate(asked!, 'slipway.dev/remediate-machine');
    const sick = others.slice(0, 2);
    play.world.sicken(sick);
    await play.step(20 * MINUTE);
    expect(play.names.filter((name) => [asked, ...sick].includes(name))).toEqual([]);
    expect(play.serving).toBe(5);
  });

  it('is not replaced while its pool is paused', async () => {
    const play = await Play.up();
    const before = play.names;
    play.world.sicken([before[0]!]);
    await play.edit({ paused: true }).step(20 * MINUTE);
    expect(play.names).toEqual(before);
    await play.edit({ paused: false }).step(5 * MINUTE);
    expect(play.names).not.toContain(before[0]);
  });
});

describe('a paused pool', () => {
  it.for([
    { name: 'one of workers', spec: { replicas: 4 }, few: 2, many: 5 },
    { name: 'a control plane', spec: { role: 'control-plane', replicas: 5 }, few: 3, many: 5 },
  ])('scales in both ways, within its budget, and changes no machine: $name', async ({ spec, few, many }) => {
    const play = await Play.up({ ...spec, machine: { class: 'standard-4' } });
    const { names } = play;
    await play.edit({ paused: true, labels: { team: 'a' } }).step(MINUTE);
    await play.edit({ replicas: few }).step(20 * MINUTE);
    expect(play.names).toHaveLength(few);
    expect(names).toEqual(expect.arrayContaining([...play.names]));
    const stayed = play.names;
    await play.edit({ replicas: many }).step(20 * MINUTE);
    expect(play.names).toHaveLength(many);
    expect(play.names).toEqual(expect.arrayContaining([...stayed]));
  });

  it('says what runs, what differs, and when the rest is done', async () => {
    const play = await Play.up(TWO_AT_ONCE);
    await play.edit({ machine: { class: 'standard-8' } }).step(2);
    expect(play.condition('Updating')).toMatchObject({ status: 'True' });
    await play.edit({ machine: { class: 'standard-8' }, paused: true }).step(20 * MINUTE);
    expect(play.condition('Updating')).toMatchObject({ status: 'False', reason: 'NotUpdating' });
    expect(play.condition('MachinesUpToDate')).toMatchObject({ status: 'False', reason: 'Paused' });
    expect(play.condition('RollingOut')).toMatchObject({ status: 'False' });
    await play.edit({ machine: { class: 'standard-8' }, paused: false }).settle();
    expect(play.condition('MachinesUpToDate')).toMatchObject({ status: 'True' });
  });
});

const TWO_AT_ONCE = { replicas: 4, update: { maxSurge: 0, maxUnavailable: 2 } };

describe('a directly edited Machine', () => {
  it('is reverted without changing other machines', async () => {
    const play = await Play.up();
    const { names } = play;
    play.world.tamper(names[0]!, 'machine', { class: 'standard-9' });
    await play.settle();
    expect(play.names).toEqual(names);
    expect(play.created).toHaveLength(3);
    expect(
      play
        .each('machine')
        .filter(isJsonObject)
        .map((machine) => stringAt(machine, 'class')),
    ).toEqual(Array(3).fill('standard-4'));
  });
});
