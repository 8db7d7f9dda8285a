/** Every machine of a pool is rolled, with a surge of one: each is drained first, and what it costs is counted. */
import type { Lab } from '../lab/lab.ts';
import type { Case } from './case.ts';
import { costOf } from './cost.ts';
import { drainedFirst } from './drained.ts';
import { documents, machinesOf, nameOf, poolSettles } from './scene.ts';

const POOL = 'prod-general';
const REPLICAS = 3;

export const requestsCase: Case = {
  name: 'requests',
  after: ['claim'],
  async run(lab, log) {
    const before = (await machinesOf(lab, POOL)).map(nameOf);
    const cost = await costOf(lab, REPLICAS, log, async () => {
      await lab.api.apply(...documents('examples/aws/edits/image.yaml'));
      await poolIsAnother(lab, before);
    });
    await drainedFirst(lab, before);
    return `a machine rolled, with a surge of 1: ${cost}`;
  },
};

async function poolIsAnother(lab: Lab, before: readonly string[]): Promise<void> {
  for (;;) {
    await poolSettles(lab, POOL, REPLICAS, 420);
    const now = (await machinesOf(lab, POOL)).map(nameOf);
    if (!now.some((name) => before.includes(name))) return;
  }
}
