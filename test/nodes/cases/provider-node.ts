/**
 * provider-node on the real cluster, which is its own management cluster here: a worker is drained although a budget
 * stands in the way at first, and a control plane leaves etcd, before their Nodes are deleted.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type KubeObject, at, stringAt } from '#lib/api/json.ts';
import { hold } from '../../e2e/cases/case.ts';
import { until } from '../../e2e/lab/waiting.ts';
import type { Lab } from '../lab/lab.ts';
import type { Machine } from '../lab/machine.ts';
import { apply, TEAM } from '../lab/provider-node.ts';
import type { Case } from './case.ts';

const IMAGE = 'images.example.com/pause:3.10.1';

export const providerNodeCase: Case = {
  name: 'provider-node',
  async run(lab) {
    const { arrivals, kubectl } = lab;
    const machines = arrivals.map(({ machine }) => machine);
    const worker = machines.find(({ part }) => part === 'worker')!;
    const second = machines.find(({ part }) => part === 'joining control plane')!;
    const first = machines.find(({ part }) => part === 'first control plane')!;
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
        containers: [{ name: 'main', image: IMAGE, imagePullPolicy: 'Never' }],
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

/** Waits for the reason of a condition; returns its message. */
async function condition({ kubectl }: Lab, name: string, type: string, reason: string): Promise<string> {
  return until(`${type} of WorkloadNode "${name}" is ${reason}`, { seconds: 120, every: 1000 }, async () => {
    const object = JSON.parse(
      await kubectl('get', 'workloadnode', name, `--namespace=${TEAM}`, '--output=json'),
    ) as unknown;
    const conditions = at(object, 'status', 'conditions');
    const found = Array.isArray(conditions) ? conditions.find((one) => stringAt(one, 'type') === type) : undefined;
    const said = `${stringAt(found, 'reason')}: ${stringAt(found, 'message')}`;
    return stringAt(found, 'reason') === reason ? { found: said } : { yet: said };
  });
}

async function goneWithNode({ kubectl }: Lab, name: string): Promise<void> {
  const left = async (kind: string, ...more: readonly string[]): Promise<boolean> =>
    (await kubectl('get', kind, name, '--ignore-not-found', '--output=name', ...more)).trim() !== '';
  await until(`WorkloadNode "${name}" gone`, { seconds: 180, every: 1000 }, async () =>
    (await left('workloadnode', `--namespace=${TEAM}`)) ? { yet: 'it is there' } : { found: true },
  );
  hold(`Node "${name}" is gone`, !(await left('node')));
}

async function phaseOf({ kubectl }: Lab, pod: string): Promise<string> {
  return kubectl('get', 'pod', pod, '--output=jsonpath={.status.phase}');
}

async function running(lab: Lab, pod: string): Promise<void> {
  await until(`Pod "${pod}" runs`, { seconds: 120, every: 1000 }, async () => {
    const phase = await phaseOf(lab, pod);
    return phase === 'Running' ? { found: true } : { yet: phase };
  });
}

/** Names of the members of etcd, as the one on this machine lists them to the client that kubeadm made for probes. */
async function members({ network }: Lab, { address, exec }: Machine): Promise<string> {
  const read = (file: string): Promise<string> => exec('cat', `/etc/kubernetes/pki/etcd/${file}`);
  const [ca, cert, key] = await Promise.all(['ca.crt', 'healthcheck-client.crt', 'healthcheck-client.key'].map(read));
  const { stdout } = await promisify(execFile)(
    'nsenter',
    [`--net=${network.namespace}`, process.execPath, '--eval', LIST_MEMBERS],
    { env: { TLS: JSON.stringify({ host: address, ca, cert, key }) }, timeout: 30_000 },
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
