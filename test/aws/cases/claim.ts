/** The claims of examples/aws become Ready: every machine is created once, and none of what AWS is asked for is refused. */
import { hold } from '../../e2e/cases/case.ts';
import { clusterRef, documents, isReady, machinesOf, nameOf, poolSettles } from '../../e2e/cases/scene.ts';
import { until } from '../../e2e/lab/waiting.ts';
import { PROVIDER_VERSION } from '../parts.ts';
import type { Case } from './case.ts';
import { runsOf } from './seen.ts';

const LIMIT_SECONDS = 400;

export const claimCase: Case = {
  name: 'claim',
  async run(lab, log) {
    const files = ['examples/aws/cluster.yaml', 'examples/aws/node-pools.yaml'];
    await lab.api.apply(...files.flatMap(documents));
    for (const [pool, replicas] of [
      ['prod-control-plane', 3],
      ['prod-general', 3],
      ['prod-memory', 2],
    ] as const) {
      await poolSettles(lab, pool, replicas, LIMIT_SECONDS);
      log(`${pool} is ready`);
    }
    await until('the Cluster is Ready', { seconds: LIMIT_SECONDS }, async () => {
      const cluster = await lab.api.get(clusterRef('prod'));
      return isReady(cluster) ? { found: true } : { yet: JSON.stringify(cluster.status?.['conditions']) };
    });
    const names = (await machinesOf(lab)).map(nameOf);
    const runs = runsOf(lab.proxy.calls);
    const wrong = names.filter((name) => runs.get(name) !== 1);
    hold('every Machine has one RunInstances', wrong.length === 0, JSON.stringify([...runs]));
    const split = lab.machines.journal.violations;
    hold('machines saw nothing impossible', split.length === 0, split.join());
    const refused = lab.proxy.calls.filter(({ error }) => error !== undefined);
    const codes = [...Map.groupBy(refused, ({ action, error }) => `${action} ${error ?? ''}`)];
    return `${names.length} machines of provider-aws ${PROVIDER_VERSION} Ready, ${runs.size} RunInstances, ${lab.proxy.calls.length} calls, refused: ${codes.map(([what, all]) => `${what} ${all.length}`).join(', ') || 'nothing'}`;
  },
};
