/**
 * A Machine, a pool and the Cluster are deleted: nodes are drained first, machines are replaced if wanted, and nothing
 * is left.
 */
import { SIMULATED_CLOUDS } from '#clouds/simulated.ts';
import type { Lab } from '../lab/lab.ts';
import { writtenKinds } from '#simulator/cloud-stand-in.ts';
import { until } from '../lab/waiting.ts';
import { claimAddOns, OBJECT, RELEASE } from './addons.ts';
import { type Case, hold } from './case.ts';
import { busy, drainedFirst, history, waitsForItsPod } from './drained.ts';
import { isRefused, protectionHolds, refusalOf } from './refusal.ts';
import { INSTANCE, SLIPWAY, TEAM, clusterRef, machineGoes, machinesOf, nameOf, poolRef, poolSettles } from './scene.ts';

const NO_CHART = { repository: 'https://docs.tigera.io/calico/charts', name: 'missing', version: '9.9.9' };
/** What the providers of add-ons are told. */
const ADD_ONS = [
  RELEASE,
  OBJECT,
  ...[RELEASE, OBJECT].map(({ apiVersion }) => ({ apiVersion, kind: 'ProviderConfig' })),
];
const NODE = { apiVersion: 'node.slipway.dev/v1alpha1', kind: 'WorkloadNode' } as const;

export const deleteCase: Case = {
  name: 'delete',
  after: ['claim'],
  async run(lab, log) {
    log(await isRefused(lab, 'prod-', 'cluster', 'prod'));
    log(await isRefused(lab, 'delete the Cluster instead', 'nodepool', 'prod-control-plane'));
    const [first] = await machinesOf(lab, 'prod-general');
    const name = first === undefined ? '' : nameOf(first);
    const release = await busy(lab, name);
    await lab.kubectl('-n', TEAM, 'delete', 'machine.slipway.dev', name, '--wait=false');
    await waitsForItsPod(lab, name);
    const instance = await lab.api.get({ ...INSTANCE, namespace: TEAM, name });
    hold('its machine is not deleted while a pod runs on it', instance.metadata?.deletionTimestamp === undefined);
    await release();
    await machineGoes(lab, 'prod-general', name);
    await poolSettles(lab, 'prod-general', 3, 180);
    const names = (await machinesOf(lab, 'prod-general')).map(nameOf);
    hold('its successor has a name of its own', !names.includes(name), names.join());
    await drainedFirst(lab, [name]);
    log(`${name} drained and replaced`);

    const workers = [...(await machinesOf(lab, 'prod-memory')), ...(await machinesOf(lab, 'prod-general'))].map(nameOf);
    await lab.kubectl('-n', TEAM, 'delete', 'nodepool.slipway.dev', 'prod-memory', '--wait=false');
    await goneWith(lab, 'NodePool prod-memory', 'prod-memory');
    hold('the pool is gone', (await lab.api.find(poolRef('prod-memory'))) === undefined);
    log('prod-memory gone');

    await lab.kubectl('-n', TEAM, 'delete', 'nodepool.slipway.dev', 'prod-general', '--wait=false');
    await refusedUntilDrained(lab);
    await drainedFirst(lab, workers);
    log('prod-general gone; the Cluster was refused until its last worker was drained');
    await protectionHolds(lab, 'prod');
    await claimAddOns(lab, [{ name: 'missing', chart: NO_CHART }]);
    await until('an add-on waits for ever', { seconds: 60 }, async () => {
      const releases = await lab.api.list({ ...RELEASE, namespace: TEAM });
      return releases.length > 0 ? { found: true } : { yet: 'no Release' };
    });
    const controlPlanes = (await machinesOf(lab, 'prod-control-plane')).map(nameOf);
    await lab.kubectl('-n', TEAM, 'delete', 'cluster.slipway.dev', 'prod', '--cascade=foreground', '--wait=false');
    await until('nothing is left behind', { seconds: 300, every: 1000 }, async () => {
      const left = await leftovers(lab);
      return left.length === 0 ? { found: true } : { yet: `${left.length} left: ${left.slice(0, 5).join(', ')}` };
    });
    hold('the cluster is gone', (await lab.api.find(clusterRef('prod'))) === undefined);
    hold('the cloud is empty', lab.cloud.front.size === 0, lab.cloud.front.left.slice(0, 5).join(', '));
    await notDrained(lab, controlPlanes);
    return 'a Machine, two pools, the Cluster with an add-on that never came; each refused before its turn; cloud empty';
  },
};

/** A control plane that goes with its whole cluster: nobody is there to take its pods. */
async function notDrained(lab: Lab, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const seen = (await history(lab, name)).map(({ what }) => what).join();
    hold(`${name} went with its cluster, and was not drained`, seen === 'released,terminated', seen);
  }
}

/** The pool is gone at once, its nodes are not: the objects that a drain needs stay until the last one ended. */
async function refusedUntilDrained(lab: Lab): Promise<void> {
  let refusals = 0;
  await until('the Cluster may be deleted', { seconds: 240, every: 500 }, async () => {
    const workers = await lab.api.list({ ...NODE, namespace: TEAM, labels: { 'slipway.dev/role': 'worker' } });
    const refusal = await refusalOf(lab, 'prod');
    if (refusal !== undefined) {
      refusals += 1;
      return { yet: refusal };
    }
    hold('no worker is being drained once the Cluster may go', workers.length === 0, workers.map(nameOf).join());
    return { found: true };
  });
  hold('the Cluster was refused while its workers were drained', refusals > 0);
}

async function goneWith(lab: Lab, what: string, pool: string): Promise<void> {
  await until(`${what} and its machines are gone`, { seconds: 180 }, async () => {
    const left = (await machinesOf(lab, pool)).map(nameOf);
    return left.length === 0 ? { found: true } : { yet: left.join() };
  });
}

/** Of the team, and not of its clusters (docs/install.md). */
const CREDENTIALS = 'Secret/aws-credentials';

/** Claims, managed resources, nodes, Usages and Secrets of the team, by kind and name. */
async function leftovers({ api }: Lab): Promise<readonly string[]> {
  const kinds = [
    ...writtenKinds(SIMULATED_CLOUDS),
    ...ADD_ONS,
    ...['Cluster', 'NodePool', 'Machine'].map((kind) => ({ apiVersion: SLIPWAY, kind })),
    { apiVersion: 'protection.crossplane.io/v1beta1', kind: 'Usage' },
  ];
  const lists = await Promise.all(kinds.map((kind) => api.list({ ...kind, namespace: TEAM })));
  const names = lists.flat().map((object) => `${object.kind}/${nameOf(object)}`);
  return names.filter((name) => name !== CREDENTIALS);
}
