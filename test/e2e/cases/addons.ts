/**
 * Add-ons of a claim, by chart and by manifests, reach the workload cluster; a chart that does not exist is one line on
 * the claim; what is taken out stays or goes, as its policy says.
 */
import { type Json, type KubeObject, stringAt } from '#lib/api/json.ts';
import { type Api, type Ref, refOf } from '../lab/api.ts';
import type { Lab } from '../lab/lab.ts';
import { until } from '../lab/waiting.ts';
import { condition } from '../packages/install.ts';
import { type Case, hold } from './case.ts';
import { clusterRef, isReady, machinesOf, nameOf, TEAM } from './scene.ts';

export const RELEASE = { apiVersion: 'helm.m.crossplane.io/v1beta1', kind: 'Release' } as const;
export const OBJECT = { apiVersion: 'kubernetes.m.crossplane.io/v1alpha1', kind: 'Object' } as const;
const CHART = { repository: 'https://docs.tigera.io/calico/charts', name: 'ingress', version: '4.1.0' };
const WAIT = { seconds: 90, every: 500 } as const;

const SECRET: KubeObject = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'ingress-values', namespace: TEAM, labels: { 'slipway.dev/cluster': 'prod' } },
  data: { 'values.yaml': Buffer.from('port: 8443\nreplicas: 1\n').toString('base64') },
};

const INGRESS = {
  name: 'ingress',
  namespace: 'web',
  wait: true,
  policy: 'Delete',
  chart: {
    ...CHART,
    values: { replicas: 2 },
    valuesFrom: [{ secret: { name: 'ingress-values', key: 'values.yaml' } }],
  },
};

const QUOTA = {
  name: 'quota',
  manifests: {
    objects: [
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'apps' } },
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'quota', namespace: 'apps' }, data: { pods: '10' } },
    ],
  },
};

/** No registry has it. */
const MISSING = { name: 'missing', chart: { ...CHART, version: '9.9.9' } };

const DAEMON_SET: Ref = { apiVersion: 'apps/v1', kind: 'DaemonSet', namespace: 'web', name: 'ingress' };
const configMap = (namespace: string, name: string): Ref => ({ apiVersion: 'v1', kind: 'ConfigMap', namespace, name });

export const addonsCase: Case = {
  name: 'addons',
  after: ['claim'],
  async run(lab, log) {
    await lab.charts.add([{ ...CHART, content: 'agent' }]);
    const machines = (await machinesOf(lab)).map(nameOf).join();
    await lab.api.apply(SECRET);
    await claimAddOns(lab, [INGRESS, QUOTA, MISSING]);
    const line = await says(lab, 'False', 'missing: ');
    hold('it is one line that says why', /^missing: [^\n]*not found[^\n]*$/.test(line), line);
    log(`a chart that does not exist: ${line}`);
    const workload = await apiOf(lab);
    await arrives(workload);
    await claimAddOns(lab, [INGRESS, QUOTA]);
    await says(lab, 'True');
    await until('the Cluster is Ready', WAIT, async () => {
      const cluster = await lab.api.get(clusterRef('prod'));
      return isReady(cluster) ? { found: true } : { yet: JSON.stringify(cluster.status?.['conditions']) };
    });
    log('a chart with values of a Secret, and manifests, are in the workload cluster');
    await claimAddOns(lab, []);
    await until('nothing in the management cluster is about add-ons of the claim', WAIT, async () => {
      const left = await ofClaim(lab);
      return left.length === 0 ? { found: true } : { yet: left.join() };
    });
    // It is of whoever made it, and stays when the Cluster is deleted.
    await lab.api.delete(refOf(SECRET));
    hold('Delete uninstalled the chart', (await workload.find(DAEMON_SET)) === undefined);
    hold('Keep left the manifests', (await workload.find(configMap('apps', 'quota'))) !== undefined);
    hold('no machine was touched', (await machinesOf(lab)).map(nameOf).join() === machines);
    return 'a chart and manifests applied; Delete uninstalled, Keep kept; a missing chart is one line';
  },
};

export async function claimAddOns({ api }: Lab, addons: Json): Promise<void> {
  await api.patch(clusterRef('prod'), { spec: { addons } });
}

/** Of AddonsReady. */
async function says({ api }: Lab, status: 'True' | 'False', begin = ''): Promise<string> {
  return until(`AddonsReady=${status} ${begin}`, WAIT, async () => {
    const cluster = await api.get(clusterRef('prod'));
    const ready = condition(cluster, 'AddonsReady');
    const message = stringAt(ready, 'message') ?? '';
    return ready?.['status'] === status && message.startsWith(begin)
      ? { found: message }
      : { yet: JSON.stringify(cluster.status?.['conditions']) };
  });
}

async function apiOf({ workloads }: Lab): Promise<Api> {
  const [first] = await workloads.all();
  if (first === undefined) throw new Error('no workload cluster runs');
  return first.server.api;
}

async function arrives(workload: Api): Promise<void> {
  await until('both add-ons are in the workload cluster', WAIT, async () => {
    const refs = [DAEMON_SET, configMap('web', 'ingress-values'), configMap('apps', 'quota')];
    const [set, values, quota] = await Promise.all(refs.map((ref) => workload.find(ref)));
    if (set === undefined || values === undefined || quota === undefined)
      return { yet: [set, values, quota].map((one) => one?.kind ?? 'nothing').join() };
    return { found: true };
  });
  const { data } = (await workload.get(configMap('web', 'ingress-values'))) as {
    readonly data?: { readonly [key: string]: string };
  };
  const text = data?.['values.json'] ?? '';
  hold('values of the claim win over those of the Secret', text === '{"port":8443,"replicas":2}', text);
}

/** Defaults of the Composition stay. */
async function ofClaim({ api }: Lab): Promise<readonly string[]> {
  const lists = await Promise.all([RELEASE, OBJECT].map((kind) => api.list({ ...kind, namespace: TEAM })));
  const names = new Set([INGRESS, QUOTA, MISSING].map(({ name }) => name));
  const own = lists.flat().filter(({ metadata }) => names.has(metadata?.labels?.['slipway.dev/addon'] ?? ''));
  return own.map((one) => `${one.kind}/${nameOf(one)}`);
}
