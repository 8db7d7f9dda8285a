/**
 * The pod network is an add-on of the claim: without it the first node waited, and the Objects that the functions
 * composed brought it to every node.
 */
import { isManagedReady } from '#lib/api/conditions.ts';
import { type KubeObject, at, stringAt } from '#lib/api/json.ts';
import { hold } from '../../e2e/cases/case.ts';
import { until } from '../../e2e/lab/waiting.ts';
import type { Lab } from '../lab/lab.ts';
import type { Case } from './case.ts';
import { apply, PAUSE_IMAGE } from './provider.ts';

const OBJECTS = 'objects.kubernetes.m.crossplane.io';
const FILE = '/etc/cni/net.d/10-bridge.conflist';

export const addOnsCase: Case = {
  name: 'add-ons',
  async run(lab) {
    const { arrivals, claimed, kubectl, waited } = lab;
    hold('the first node waited for a pod network', waited?.includes('NetworkPluginNotReady') === true, waited ?? '');
    const names = claimed.addOns.filter(({ kind }) => kind === 'Object').map(({ metadata }) => metadata?.name ?? '');
    hold('the functions composed an Object for each manifest', names.length === 2, names.join());
    for (const name of names)
      await until(`Object "${name}" is ready`, { seconds: 120, every: 1000 }, async () => {
        const object = await read(lab, OBJECTS, name, 'team-a');
        return isManagedReady(object) ? { found: true } : { yet: JSON.stringify(object.status) };
      });
    const set = await read(lab, 'daemonset', 'bridge', 'kube-system');
    const ready = at(set, 'status', 'numberReady');
    hold('it runs on every node', ready === arrivals.length, JSON.stringify(ready));
    const config = await read(lab, 'configmap', 'bridge', 'kube-system');
    const text = (config as { readonly data?: Readonly<Record<string, string>> }).data?.['10-bridge.conflist'];
    for (const { machine } of arrivals)
      hold(`${machine.name} has the network of the claim`, (await machine.exec('cat', FILE)) === text);
    const address = await addressOfPod(lab);
    hold('a pod has an address of it', address.startsWith('10.85.'), address);
    await kubectl('delete', 'pod', 'networked', '--grace-period=1');
    return `a node that waited for a pod network got it by provider-kubernetes, and ${arrivals.length} nodes are Ready`;
  },
};

async function read({ kubectl }: Lab, kind: string, name: string, namespace: string): Promise<KubeObject> {
  return JSON.parse(await kubectl('get', kind, name, `--namespace=${namespace}`, '--output=json')) as KubeObject;
}

/** Of one that does not use the network of its host. */
async function addressOfPod(lab: Lab): Promise<string> {
  const worker = lab.arrivals.find(({ machine }) => machine.part === 'worker')!.machine;
  await apply(lab, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'networked', namespace: 'default' },
    spec: {
      nodeName: worker.name,
      tolerations: [{ operator: 'Exists' }],
      containers: [{ name: 'main', image: PAUSE_IMAGE, imagePullPolicy: 'Never' }],
    },
  });
  return until('a pod with an address', { seconds: 120, every: 1000 }, async () => {
    const pod = await read(lab, 'pod', 'networked', 'default');
    const address = stringAt(pod.status, 'podIP');
    return address === undefined ? { yet: stringAt(pod.status, 'phase') ?? 'no phase' } : { found: address };
  });
}
