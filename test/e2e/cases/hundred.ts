/**
 * A pool of a hundred machines reacts to an edit, with the default circuit breaker of Crossplane. The report has the
 * seconds, which are those of the machine it runs on.
 */
import type { Lab } from '../lab/lab.ts';
import { until } from '../lab/waiting.ts';
import { type Case, hold } from './case.ts';
import { condition } from '../packages/install.ts';
import { TEAM, documents, machinesOf, namespace, poolRef, poolSettles } from './scene.ts';

const POOL = 'prod-hundred';
const REPLICAS = 100;
const LIMIT_SECONDS = 30;
const QUIET_SECONDS = 10;
const REST_SECONDS = 150;

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
    await atRest(lab);
    const breaker = condition(await lab.api.get(poolRef(POOL)), 'Responsive');
    log(`a hundred machines; circuit breaker: ${String(breaker?.['reason'])}`);
    const begun = Date.now();
    await lab.api.patch(poolRef(POOL), { spec: { labels: { noticed: 'yes' } } });
    await until('an edit of the pool reaches its machines', { seconds: LIMIT_SECONDS, every: 200 }, async () => {
      const machines = await machinesOf(lab, POOL);
      const marked = machines.filter(({ spec }) => JSON.stringify(spec?.['labels'] ?? {}).includes('noticed')).length;
      return marked > 0 ? { found: marked } : { yet: 'no machine carries the label' };
    });
    const noticed = ((Date.now() - begun) / 1000).toFixed(1);
    await lab.api.delete(poolRef(POOL));
    await until('the hundred are gone', { seconds: 300, every: 1000 }, async () => {
      const left = (await machinesOf(lab, POOL)).length;
      return left === 0 ? { found: true } : { yet: `${left} machines left` };
    });
    return `edit noticed after ${noticed} s (${String(breaker?.['reason'])})`;
  },
};

/** What a hundred new machines still write would be measured as well. Not for ever: the promise holds without rest, too. */
async function atRest(lab: Lab): Promise<void> {
  const begun = Date.now();
  let seen = '';
  let since = begun;
  await until('the hundred are at rest', { seconds: 2 * REST_SECONDS, every: 1000 }, async () => {
    const now = (await machinesOf(lab, POOL)).map(({ metadata }) => metadata?.resourceVersion ?? '').join();
    if (now !== seen) [seen, since] = [now, Date.now()];
    const isQuiet = Date.now() - since > QUIET_SECONDS * 1000 || Date.now() - begun > REST_SECONDS * 1000;
    return isQuiet ? { found: true } : { yet: 'they still change' };
  });
}
