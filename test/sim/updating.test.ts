import { describe, expect, it } from 'vitest';
import { at, type JsonObject, stringAt } from '#lib/api/json.ts';
import { Play } from './play.ts';
import { resized as RESIZE, SYSCTL, TAINTED } from './scenarios/scenario.ts';

const BIGGER = { machine: { class: 'standard-16' } };
const budget = (maxSurge: number, maxUnavailable: number, more: JsonObject = {}): JsonObject => ({
  update: { maxSurge, maxUnavailable, ...more },
});
const idsOf = (play: Play): readonly string[] => play.results.flatMap(({ ordered }) => ordered.map(({ id }) => id));

describe('updates in place', () => {
  it('run one after the other when one may be unavailable, and replace nothing', async () => {
    const play = await Play.up(budget(0, 1));
    const { names } = play;
    await play.edit(RESIZE).settle();
    expect(play.each('machine', 'class')).toEqual(Array(3).fill('standard-8'));
    expect(play.names).toEqual(names);
    expect(play.ordered).toEqual(names);
  });

  it('replace exactly one when none may be unavailable: the old one is kept as a temporary replacement until the others are done', async () => {
    const play = await Play.up(budget(1, 0));
    const { names } = play;
    await play.edit(RESIZE).settle();
    expect(play.each('machine', 'class')).toEqual(Array(3).fill('standard-8'));
    expect(play.names.filter((name) => names.includes(name))).toHaveLength(2);
    expect(play.ordered).toHaveLength(2);
    expect(play.deleted).toEqual([names[0]]);
  });

  it('need no budget when they leave the node available', async () => {
    const play = await Play.up(budget(1, 0));
    const { names } = play;
    await play.edit(SYSCTL).settle();
    expect(play.each('provisioning', 'sysctls')).toEqual(Array(3).fill(SYSCTL.provisioning.sysctls));
    expect(play.names).toEqual(names);
  });

  it('are held when none may be unavailable and none may be replaced', async () => {
    const play = await Play.up({ replicas: 2, ...budget(1, 0, { fallback: 'Hold' }) });
    await play.edit(RESIZE).settle();
    expect(play.ordered).toEqual([]);
    expect(play.plan).toMatchObject({ held: 2, created: 0, updating: 0 });
    expect(play.plan['changes']).toHaveLength(1);
    expect(play.changes).toContain('blocked by update.maxUnavailable');
  });

  it('wait like a replacement with OnDelete, while patches are applied', async () => {
    const play = await Play.up({ replicas: 2, ...budget(1, 0, { strategy: 'OnDelete' }) });
    const { names } = play;
    for (const change of [RESIZE, { machine: { class: 'standard-8', image: 'ubuntu-26.04' } }]) {
      await play.edit({ ...change, labels: { team: 'a' } }).step(5);
      expect(play.names).toEqual(names);
      expect(play.ordered).toEqual([]);
      expect(play.each('labels')).toEqual([{ team: 'a' }, { team: 'a' }]);
      expect(play.plan).toMatchObject({ held: 2 });
      expect(play.changes).toContain('blocked by update.strategy');
    }
  });

  it('that fail stop the rest, are not tried again, and continue with another target', async () => {
    const play = await Play.up(budget(0, 1));
    await play.fail({ failedUpdates: 1 }).edit(RESIZE).step(20);
    expect(play.ordered).toHaveLength(1);
    expect(play.condition('Updating')).toMatchObject({ status: 'False', reason: 'InPlaceUpdateFailed' });
    expect(play.condition('Updating').message).toContain('its update failed');
    await play.fail({}).step(20);
    expect(play.ordered, 'the same target is not tried again').toHaveLength(1);
    await play.edit(BIGGER).settle();
    expect(play.each('machine', 'class')).toEqual(Array(3).fill('standard-16'));
    expect(play.serving).toBe(3);
  });

  it('include the changes of an update request that did not begin', async () => {
    const play = await Play.up({ replicas: 1, ...budget(0, 1) });
    await play.edit(RESIZE).call();
    await play.edit(SYSCTL).call();
    expect(at(play.machines[0], 'spec', 'update', 'updaters')).toMatchObject([
      { name: 'node-configuration', fields: ['spec.provisioning.sysctls["vm.swappiness"]'] },
      { name: 'resize', fields: ['spec.machine.class'] },
    ]);
    await play.settle();
    expect(play.each('machine', 'class')).toEqual(['standard-8']);
    expect(play.each('provisioning', 'sysctls')).toEqual([SYSCTL.provisioning.sysctls]);
  });

  it('that began are completed before a newer target follows', async () => {
    const play = await Play.up({ replicas: 1, ...budget(0, 1) });
    const { names } = play;
    await play.edit(RESIZE).step(3);
    expect(play.lives[0]?.update?.phase).toBe('Draining');
    const [id] = idsOf(play);
    await play.edit({ machine: { class: 'standard-16', image: 'ubuntu-26.04' } }).call();
    expect(play.names).toEqual(names);
    expect(play.each('machine', 'class')).toEqual(['standard-8']);
    expect(stringAt(play.machines[0], 'spec', 'update', 'id')).toBe(id);
    expect(play.changes).toContain(`blocked by update ${id}`);
    await play.settle();
    expect(play.world.updates.get(`${names[0]} ${id}`)).toBe(1);
    expect(play.each('machine', 'image')).toEqual(['ubuntu-26.04']);
  });
});

describe('a value that a patch removed and that is set again', () => {
  it('is applied again, one machine after the other, with the same disruption', async () => {
    const play = await Play.up({ replicas: 2, ...budget(0, 1) });
    await play.edit(TAINTED).settle();
    await play.edit({ taints: [] }).settle();
    expect(play.ordered).toHaveLength(2);
    await play.edit(TAINTED).settle();
    expect(play.ordered).toHaveLength(4);
    expect(play.world.updates.size, 'an id is used once').toBe(4);
  });

  it('is tried again when it failed', async () => {
    const play = await Play.up({ replicas: 1, ...budget(0, 1) });
    await play.fail({ failedUpdates: 1 }).edit(TAINTED).step(20);
    play.fail({});
    await play.edit({ taints: [] }).step(5);
    await play.edit(TAINTED).step(20);
    // The failed request, the one that took it back, and the one that is tried again.
    expect(new Set(idsOf(play)).size).toBe(3);
    expect(play.condition('MachinesUpToDate').status).toBe('True');
    expect(play.serving).toBe(1);
  });

  it('releases the machine that failed when it is not wanted any more: a request without disruption ends it', async () => {
    const play = await Play.up({ replicas: 2, ...budget(0, 1) });
    await play.fail({ failedUpdates: 1 }).edit(TAINTED).step(20);
    expect(play.plan).toMatchObject({ held: 1, waiting: 1 });
    await play.fail({}).edit({ taints: [] }).call();
    expect(play.machines[0]?.spec).toMatchObject({ taints: [], update: { disruptive: false } });
    await play.settle();
    expect(play.serving).toBe(2);
    expect(play.condition('MachinesUpToDate').status).toBe('True');
  });
});
