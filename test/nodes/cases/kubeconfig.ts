/** The kubeconfig Secret gives access to the cluster, through the load balancer and through each control plane. */
import { at, stringAt } from '#lib/api/json.ts';
import { hold } from '../../e2e/cases/case.ts';
import { until } from '../../e2e/lab/waiting.ts';
import type { Case } from './case.ts';

const COMPONENTS = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler'];

export const kubeconfigCase: Case = {
  name: 'kubeconfig',
  async run({ arrivals, kubectl }) {
    const names = (await kubectl('get', 'nodes', '--output=name')).trim().split('\n').toSorted();
    const wanted = arrivals.map(({ machine }) => `node/${machine.name}`).toSorted();
    hold('the Nodes are the machines', names.join() === wanted.join(), names.join());
    hold('it may do anything', (await kubectl('auth', 'can-i', '*', '*', '--all-namespaces')).trim() === 'yes');
    const controlPlanes = arrivals.filter(({ machine }) => machine.part !== 'worker').map(({ machine }) => machine);
    for (const { name, address } of controlPlanes) {
      const said = await kubectl('get', '--raw=/readyz', `--server=https://${address}:6443`);
      hold(`the API server of ${name} is ready`, said === 'ok', said);
      for (const component of COMPONENTS) await running(`${component}-${name}`, kubectl);
    }
    return `${names.length} Nodes; ${COMPONENTS.join(', ')} ready on ${controlPlanes.length} machines`;
  },
};

/** Pods report Ready a little later than they serve. */
async function running(pod: string, kubectl: (...args: readonly string[]) => Promise<string>): Promise<void> {
  await until(`pod ${pod} ready`, { seconds: 300, every: 2000 }, async () => {
    const object = JSON.parse(await kubectl('get', 'pod', pod, '--namespace=kube-system', '--output=json')) as unknown;
    const conditions = at(object, 'status', 'conditions');
    const ready =
      Array.isArray(conditions) &&
      conditions.some((one) => stringAt(one, 'type') === 'Ready' && stringAt(one, 'status') === 'True');
    return ready ? { found: true } : { yet: stringAt(object, 'status', 'phase') ?? 'no status' };
  });
}
