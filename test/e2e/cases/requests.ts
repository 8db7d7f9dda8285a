/**
 * How many requests to API servers a machine costs that is created, and one that is rolled: those of provider-node, and
 * those of Crossplane for the objects of the team.
 */
import { requestsIn } from '../audit/log.ts';
import { type Requests, requestsOf } from '../audit/tally.ts';
import type { Lab } from '../lab/lab.ts';
import { type Case, hold } from './case.ts';
import { drainedFirst, workloadRequests } from './drained.ts';
import { TEAM, documents, machinesOf, nameOf, poolSettles } from './scene.ts';

const POOL = 'prod-general';
const REPLICAS = 3;
const MORE = 5;

export const requestsCase: Case = {
  name: 'requests',
  after: ['claim'],
  async run(lab, log) {
    const scale = (replicas: number): Promise<string> =>
      lab.kubectl('-n', TEAM, 'scale', `nodepool.slipway.dev/${POOL}`, `--replicas=${replicas}`);
    const created = await during(lab, MORE, async () => {
      await scale(REPLICAS + MORE);
      await poolSettles(lab, POOL, REPLICAS + MORE, 240);
    });
    log(`created: ${created}`);
    await scale(REPLICAS);
    await poolSettles(lab, POOL, REPLICAS, 240);
    const before = (await machinesOf(lab, POOL)).map(nameOf);
    const rolled = await during(lab, REPLICAS, async () => {
      await lab.api.apply(...documents('examples/aws/edits/image.yaml'));
      await poolIsAnother(lab, before);
    });
    await drainedFirst(lab, before);
    return `a machine created: ${created}; rolled, with a surge of 1: ${rolled}`;
  },
};

async function poolIsAnother(lab: Lab, before: readonly string[]): Promise<void> {
  for (;;) {
    await poolSettles(lab, POOL, REPLICAS, 420);
    const now = (await machinesOf(lab, POOL)).map(nameOf);
    if (!now.some((name) => before.includes(name))) return;
  }
}

/** Requests for each machine, in words. */
async function during(lab: Lab, machines: number, act: () => Promise<void>): Promise<string> {
  const before = await counted(lab);
  await act();
  const after = await counted(lab);
  const each = (of: keyof Requests): number => (after[of] - before[of]) / machines;
  hold('the requests of provider-node and Crossplane are found', each('provider') > 0 && each('crossplane') > 0);
  const [provider, workload, crossplane] = [each('provider'), each('workload'), each('crossplane')];
  return `provider-node ${(provider + workload).toFixed(1)} (${workload.toFixed(1)} of them to the workload cluster), Crossplane ${crossplane.toFixed(1)}`;
}

async function counted(lab: Lab): Promise<Requests> {
  return requestsOf(TEAM, requestsIn(lab.kubernetes.audit), await workloadRequests(lab));
}
