/** A Machine, a pool and the Cluster are deleted; drained first, replaced where wanted, and nothing is left behind. */
import type { Lab } from '../lab/lab.ts';
import { CloudFront } from '#lib/engine/cloud-front.ts';
import { until } from '../lab/waiting.ts';
import { type Case, hold } from './case.ts';
import { SLIPWAY, TEAM, clusterRef, machinesOf, nameOf, poolRef, poolSettles } from './scene.ts';

export const deleteCase: Case = {
  name: 'delete',
  after: ['claim'],
  async run(lab, log) {
    const [first] = await machinesOf(lab, 'prod-general');
    const name = first === undefined ? '' : nameOf(first);
    const drained = lab.cloud.front.counts('nodesDrained')['worker'] ?? 0;
    await lab.kubectl('-n', TEAM, 'delete', 'machine.slipway.dev', name, '--wait=false');
    await until(`Machine ${name} is gone`, { seconds: 120 }, async () => {
      const names = (await machinesOf(lab, 'prod-general')).map(nameOf);
      return names.includes(name) ? { yet: names.join() } : { found: true };
    });
    await poolSettles(lab, 'prod-general', 3, 180);
    const names = (await machinesOf(lab, 'prod-general')).map(nameOf);
    hold('its successor has a name of its own', !names.includes(name), names.join());
    log(`${name} replaced`);
    hold(
      'it was drained first',
      Object.values(lab.cloud.front.counts('nodesDrained')).some((count) => count > drained),
    );

    await lab.kubectl('-n', TEAM, 'delete', 'nodepool.slipway.dev', 'prod-memory', '--wait=false');
    await goneWith(lab, 'NodePool prod-memory', 'prod-memory');
    hold('the pool is gone', (await lab.api.find(poolRef('prod-memory'))) === undefined);
    log('prod-memory gone');

    await lab.kubectl('-n', TEAM, 'delete', 'nodepool.slipway.dev', 'prod-general', '--wait=false');
    await goneWith(lab, 'NodePool prod-general', 'prod-general');
    await lab.kubectl('-n', TEAM, 'delete', 'cluster.slipway.dev', 'prod', '--wait=false');
    await until('nothing is left behind', { seconds: 300, every: 1000 }, async () => {
      const left = await leftovers(lab);
      return left.length === 0 ? { found: true } : { yet: `${left.length} left: ${left.slice(0, 5).join(', ')}` };
    });
    hold('the cluster is gone', (await lab.api.find(clusterRef('prod'))) === undefined);
    hold('the cloud is empty', lab.cloud.front.size === 0, String(lab.cloud.front.size));
    return 'a Machine, two pools, the Cluster; cloud empty';
  },
};

async function goneWith(lab: Lab, what: string, pool: string): Promise<void> {
  await until(`${what} and its machines are gone`, { seconds: 180 }, async () => {
    const left = (await machinesOf(lab, pool)).map(nameOf);
    return left.length === 0 ? { found: true } : { yet: left.join() };
  });
}

/** Claims, managed resources, nodes, Usages and Secrets of the team, by kind and name. */
async function leftovers({ api }: Lab): Promise<readonly string[]> {
  const kinds = [
    ...CloudFront.kinds,
    ...['Cluster', 'NodePool', 'Machine'].map((kind) => ({ apiVersion: SLIPWAY, kind })),
    { apiVersion: 'protection.crossplane.io/v1beta1', kind: 'Usage' },
  ];
  const lists = await Promise.all(kinds.map((kind) => api.list({ ...kind, namespace: TEAM })));
  return lists.flat().map((object) => `${object.kind}/${nameOf(object)}`);
}
