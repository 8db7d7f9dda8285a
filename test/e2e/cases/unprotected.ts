/**
 * What the other cases assert fails when it should: a Machine is deleted whose Usage was left out. Its virtual machine
 * then goes at once, while a pod runs on it.
 */
import { stringAt } from '#lib/api/json.ts';
import { undrained } from '../audit/history.ts';
import { refOf } from '../lab/api.ts';
import type { Lab } from '../lab/lab.ts';
import { until } from '../lab/waiting.ts';
import { type Case, hold } from './case.ts';
import { busy, history } from './drained.ts';
import { TEAM, machineGoes, machinesOf, nameOf, poolSettles } from './scene.ts';

const POOL = 'prod-memory';
const REPLICAS = 2;

export const unprotectedCase: Case = {
  name: 'unprotected',
  after: ['claim'],
  async run(lab) {
    const [machine] = await machinesOf(lab, POOL);
    const name = machine === undefined ? '' : nameOf(machine);
    const release = await busy(lab, name);
    // Crossplane would compose the Usage again. Of a Machine that is being deleted it composes nothing.
    await lab.crossplane.core().kill();
    await withoutUsages(lab, name);
    await lab.kubectl('-n', TEAM, 'delete', 'machine.slipway.dev', name, '--wait=false');
    await lab.crossplane.restartCore();
    await until(`the virtual machine of ${name} is gone`, { seconds: 120 }, () =>
      lab.cloud.machines.some((one) => one.name === name && one.change === 'gone')
        ? { found: true }
        : { yet: 'it is there' },
    );
    const [seen = ''] = undrained(await history(lab, name))?.split(';') ?? [];
    const isEarly = seen.includes('terminated') && !seen.includes('empty');
    hold('the assertion of the other cases fails', isEarly, seen || 'it was drained first');
    await release();
    await machineGoes(lab, POOL, name);
    await poolSettles(lab, POOL, REPLICAS, 240);
    return `without its Usage: ${seen}, and the pod ran on`;
  },
};

/** Takes away what protects the virtual machine of a Machine. */
async function withoutUsages({ api }: Lab, name: string): Promise<void> {
  const usages = await api.list({ apiVersion: 'protection.crossplane.io/v1beta1', kind: 'Usage', namespace: TEAM });
  const own = usages.filter(
    (usage) =>
      stringAt(usage, 'spec', 'of', 'kind') === 'Instance' &&
      stringAt(usage, 'spec', 'of', 'resourceRef', 'name') === name,
  );
  hold('a Usage protects the virtual machine', own.length > 0, usages.map(nameOf).join());
  for (const usage of own) {
    await api.patch(refOf(usage), { metadata: { finalizers: null } });
    await api.delete(refOf(usage));
  }
}
