/**
 * A pool of a hundred machines reacts to an edit within thirty seconds, with the default circuit breaker of Crossplane.
 */
import { until } from '../lab/waiting.ts';
import { type Case, hold } from './case.ts';
import { condition } from '../packages/install.ts';
import { TEAM, documents, machinesOf, namespace, poolRef, poolSettles } from './scene.ts';

const POOL = 'prod-hundred';
const REPLICAS = 100;
const LIMIT_SECONDS = 30;

export const hundredCase: Case = {
  name: 'hundred',
  after: ['claim'],
  defaults: true,
  counted: true,
  async run(lab, log) {
    const [example] = documents('examples/aws/node-pools.yaml');
    hold('the example has a NodePool', example?.kind === 'NodePool');
    await lab.api.apply(namespace(TEAM));
    const claim = {
      ...example,
      metadata: { name: POOL, namespace: TEAM },
      spec: { ...example?.spec, replicas: REPLICAS },
    };
    await lab.api.apply(claim as never);
    await poolSettles(lab, POOL, REPLICAS, 420);
    const breaker = condition(await lab.api.get(poolRef(POOL)), 'Responsive');
    log(`a hundred machines; circuit breaker: ${String(breaker?.['reason'])}`);
    const begun = Date.now();
    await lab.api.patch(poolRef(POOL), { spec: { labels: { noticed: 'yes' } } });
    await until(
      'an edit of the pool reaches its machines',
      { seconds: LIMIT_SECONDS, promised: true, every: 200 },
      async () => {
        const machines = await machinesOf(lab, POOL);
        const marked = machines.filter(({ spec }) => JSON.stringify(spec?.['labels'] ?? {}).includes('noticed')).length;
        return marked > 0 ? { found: marked } : { yet: 'no machine carries the label' };
      },
    );
    const noticed = ((Date.now() - begun) / 1000).toFixed(1);
    await lab.api.delete(poolRef(POOL));
    await until('the hundred are gone', { seconds: 300, every: 1000 }, async () => {
      const left = (await machinesOf(lab, POOL)).length;
      return left === 0 ? { found: true } : { yet: `${left} machines left` };
    });
    return `edit noticed after ${noticed} s (${String(breaker?.['reason'])})`;
  },
};
