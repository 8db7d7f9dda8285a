/**
 * A larger class for a pool in which one machine may be unavailable: the real Crossplane drains, stops, resizes and
 * starts one after the other, and replaces none. A label that is added meanwhile reaches all of them at once.
 */
import { stringAt } from '#lib/api/json.ts';
import { until } from '../lab/waiting.ts';
import { type Case, hold } from './case.ts';
import { emptyWhenStopped } from './drained.ts';
import { INSTANCE, TEAM, documents, instancesMade, machinesOf, nameOf, poolSettles } from './scene.ts';

const POOL = 'prod-memory';
const REPLICAS = 2;

export const inPlaceCase: Case = {
  name: 'in place',
  after: ['claim'],
  async run(lab, log) {
    const before = (await machinesOf(lab, POOL)).map(nameOf).toSorted();
    const made = instancesMade(lab);
    await lab.api.apply(...documents('examples/aws/edits/instance-type.yaml'));
    await until('the first machine is drained', { seconds: 60 }, async () => {
      const phases = (await machinesOf(lab, POOL)).map((one) => stringAt(one, 'status', 'phase') ?? 'none');
      const updating = phases.filter((phase) => phase === 'Updating').length;
      hold('one machine is updated at a time', updating <= 1, phases.join());
      return updating === 1 ? { found: true } : { yet: phases.join() };
    });
    log('the first machine is drained');
    await poolSettles(lab, POOL, REPLICAS, 180);
    const machines = await machinesOf(lab, POOL);
    hold('no machine was replaced', machines.map(nameOf).toSorted().join() === before.join(), before.join());
    hold('none was made', instancesMade(lab) === made, String(instancesMade(lab) - made));
    const phases = machines.map((one) => stringAt(one, 'status', 'update', 'phase') ?? 'none');
    hold(
      'both updates succeeded',
      phases.every((phase) => phase === 'Succeeded'),
      phases.join(),
    );
    const instances = await lab.api.list({ ...INSTANCE, namespace: TEAM });
    const types = instances
      .filter((one) => before.includes(nameOf(one)))
      .map((one) => stringAt(one, 'status', 'atProvider', 'instanceType') ?? 'none');
    hold(
      'the cloud tells the new type',
      types.every((type) => type === 'r6i.2xlarge'),
      types.join(),
    );
    for (const name of before) await emptyWhenStopped(lab, name);
    return `${REPLICAS} resized, one after the other, none replaced`;
  },
};
