/** `kubectl scale` on a pool: up and down, without changing the remaining machines. */
import { type Case, hold } from './case.ts';
import { follow, INSTALL } from './documented.ts';
import { costOf } from './cost.ts';
import { drainedFirst } from './drained.ts';
import { TEAM, instancesDeleted, instancesMade, machinesOf, nameOf, poolSettles } from './scene.ts';

export const scaleCase: Case = {
  name: 'scale',
  after: ['claim'],
  counted: true,
  async run(lab, log) {
    await follow(lab, INSTALL, 'Change it');
    await poolSettles(lab, 'prod-general', 3, 180);
    const before = new Set((await machinesOf(lab, 'prod-general')).map(nameOf));
    const [made, deleted] = [instancesMade(lab), instancesDeleted(lab)];
    const cost = await costOf(lab, 2, log, async () => {
      await lab.kubectl('-n', TEAM, 'scale', 'nodepool.slipway.dev/prod-general', '--replicas=5');
      await poolSettles(lab, 'prod-general', 5, 180);
    });
    log('five machines');
    hold('two machines were made', instancesMade(lab) - made === 2, String(instancesMade(lab) - made));
    const scaled = (await machinesOf(lab, 'prod-general')).map(nameOf);
    hold(
      'the three stayed',
      [...before].every((name) => scaled.includes(name)),
      scaled.join(),
    );
    await lab.kubectl('-n', TEAM, 'scale', 'nodepool.slipway.dev/prod-general', '--replicas=3');
    await poolSettles(lab, 'prod-general', 3, 180);
    const left = new Set((await machinesOf(lab, 'prod-general')).map(nameOf));
    await drainedFirst(
      lab,
      scaled.filter((name) => !left.has(name)),
    );
    hold('two machines went', instancesDeleted(lab) - deleted === 2, String(instancesDeleted(lab) - deleted));
    hold('none was made for it', instancesMade(lab) - made === 2, String(instancesMade(lab) - made));
    return `3 → 5 → 3; a machine created: ${cost}`;
  },
};
