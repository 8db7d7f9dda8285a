/**
 * provider-node on the real cluster, which is its own management cluster here: a worker is drained although a budget
 * stands in the way at first, and a control plane leaves etcd, before their Nodes are deleted.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { KubeObject } from '#lib/api/json.ts';
import { hold } from '../../e2e/cases/case.ts';
import { until } from '../../e2e/lab/waiting.ts';
import type { Lab } from '../lab/lab.ts';
import type { Machine } from '../lab/machine.ts';
import type { Case } from './case.ts';
import { apply, condition, install, PAUSE_IMAGE, phaseOf, running, startProvider, TEAM } from './provider.ts';

export const providerNodeCase: Case = {
  name: 'provider-node',
  async run(lab) {
    const { arrivals, kubectl } = lab;
    const machines = arrivals.map(({ machine }) => machine);
    const worker = machines.find(({ part }) => part === 'worker')!;
    const second = machines.find(({ part }) => part === 'joining control plane')!;
    const first = machines.find(({ part }) => part === 'first control plane')!;
    await install(lab, [worker, second]);
    const provider = startProvider(lab);
    for (const { name } of [worker, second]) await condition(lab, name, 'Ready', 'Available');

    await apply(lab, ...guardedOn(worker));
    await running(lab, 'guarded');
    await kubectl('delete', 'workloadnode', worker.name, `--namespace=${TEAM}`, '--wait=false');
    const blocked = await condition(lab, worker.name, 'Drained', 'BlockedByBudget');
    hold('the budget is named', blocked.includes('guard'), blocked);
    hold('the pod that it guards still runs', (await phaseOf(lab, 'guarded')) === 'Running');
    await kubectl('delete', 'poddisruptionbudget', 'guard');
    await goneWithNode(lab, worker.name);

    const before = await members(lab, first);
    await kubectl('delete', 'workloadnode', second.name, `--namespace=${TEAM}`, '--wait=false');
    await goneWithNode(lab, second.name);
    const after = await members(lab, first);
    hold('the control plane has left etcd', before.includes(second.name) && !after.includes(second.name), after);
    hold(
      'the API still answers',
      (await kubectl('get', '--raw=/readyz', `--server=https://${first.address}:6443`)) === 'ok',
    );
    await provider.stop();
    return `a worker waited for its budget and was drained; ${second.name} left etcd, ${first.name} stayed`;
  },
};

/** A pod on the worker that its budget protects, as long as the budget exists. */
function guardedOn({ name }: Machine): readonly KubeObject[] {
  return [
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'guarded', namespace: 'default', labels: { app: 'guarded' } },
      spec: {
        nodeName: name,
        terminationGracePeriodSeconds: 1,
        containers: [{ name: 'main', image: PAUSE_IMAGE, imagePullPolicy: 'Never' }],
      },
    },
    {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'guard', namespace: 'default' },
      spec: { minAvailable: 1, selector: { matchLabels: { app: 'guarded' } } },
    },
  ];
}

async function goneWithNode({ kubectl }: Lab, name: string): Promise<void> {
  const left = async (kind: string, ...more: readonly string[]): Promise<boolean> =>
    (await kubectl('get', kind, name, '--ignore-not-found', '--output=name', ...more)).trim() !== '';
  await until(`WorkloadNode "${name}" gone`, { seconds: 180, every: 1000 }, async () =>
    (await left('workloadnode', `--namespace=${TEAM}`)) ? { yet: 'it is there' } : { found: true },
  );
  hold(`Node "${name}" is gone`, !(await left('node')));
}

/** Names of the members of etcd, as the one on this machine lists them to the client that kubeadm made for probes. */
async function members({ network }: Lab, { address, exec }: Machine): Promise<string> {
  const read = (file: string): Promise<string> => exec('cat', `/etc/kubernetes/pki/etcd/${file}`);
  const [ca, cert, key] = await Promise.all(['ca.crt', 'healthcheck-client.crt', 'healthcheck-client.key'].map(read));
  const { stdout } = await promisify(execFile)(
    'nsenter',
    [`--net=${network.namespace}`, process.execPath, '--eval', LIST_MEMBERS],
    { env: { TLS: JSON.stringify({ host: address, ca, cert, key }) }, timeout: 180_000 },
  );
  return stdout.trim();
}

const LIST_MEMBERS = `
const options = { ...JSON.parse(process.env.TLS), port: 2379, method: 'POST', path: '/v3/cluster/member/list' };
require('node:https').request(options, async (answer) => {
  const members = JSON.parse(Buffer.concat(await answer.toArray())).members;
  console.log(members.map(({ name }) => name).join(' '));
}).end('{}');
`;
