/** AWS refuses calls for a while because there are too many: the cluster recovers, and its status says why meanwhile. */
import { stringAt } from '#lib/api/json.ts';
import { hold } from '../../e2e/cases/case.ts';
import { clusterRef, machinesOf, nameOf, poolRef, poolSettles, TEAM } from '../../e2e/cases/scene.ts';
import { until } from '../../e2e/lab/waiting.ts';
import { condition } from '../../e2e/packages/install.ts';
import { refusal } from '../cloud/proxy.ts';
import type { AwsLab } from '../lab/aws-lab.ts';
import type { Case } from './case.ts';
import { countOf, notOnce } from './instances.ts';

const POOL = 'prod-memory';
const LIMIT_SECONDS = 400;
const CODE = 'RequestLimitExceeded';
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;

export const throttlingCase: Case = {
  name: 'throttling',
  after: ['claim'],
  async run(lab) {
    const before = (await machinesOf(lab, POOL)).map(nameOf);
    const calls = lab.proxy.calls.length;
    const end = lab.proxy.intervene({
      when: 'before',
      action: /^RunInstances$/,
      act: () => refusal(CODE, 'Request limit exceeded.'),
    });
    await lab.kubectl('-n', TEAM, 'scale', `nodepool.slipway.dev/${POOL}`, `--replicas=${before.length + 1}`);
    const message = await until('the Machine says why', { seconds: LIMIT_SECONDS, every: 1000 }, async () => {
      const fresh = (await machinesOf(lab, POOL)).filter((one) => !before.includes(nameOf(one)));
      const messages = fresh.map((one) => stringAt(condition(one, 'InfrastructureReady'), 'message') ?? '');
      const found = messages.find((one) => one.includes(CODE));
      return found === undefined ? { yet: messages.join() } : { found };
    });
    hold('the message has no id of a request', !UUID.test(message), message);
    const texts = await statuses(lab);
    hold('no status of a claim has one', !UUID.test(texts.replaceAll(/"uid":"[^"]*"/g, '')), UUID.exec(texts)?.[0]);
    end();
    await poolSettles(lab, POOL, before.length + 1, LIMIT_SECONDS);
    const fresh = (await machinesOf(lab, POOL)).map(nameOf).filter((name) => !before.includes(name));
    const seen = lab.proxy.since(calls);
    hold('the machine is made once', notOnce(fresh, seen).length === 0, String(countOf(seen, 'RunInstances')));
    const refused = seen.filter(({ error }) => error === CODE).length;
    await lab.kubectl('-n', TEAM, 'scale', `nodepool.slipway.dev/${POOL}`, `--replicas=${before.length}`);
    await poolSettles(lab, POOL, before.length, LIMIT_SECONDS);
    return `${refused} RunInstances refused with ${CODE}, then one machine; meanwhile: "${message}"`;
  },
};

/** Messages of what a team reads. */
async function statuses(lab: AwsLab): Promise<string> {
  const [cluster, pool] = await Promise.all([lab.api.get(clusterRef('prod')), lab.api.get(poolRef(POOL))]);
  const lists = [cluster, pool, ...(await machinesOf(lab, POOL))].map(({ status }) => status?.['conditions']);
  return JSON.stringify(lists);
}
