/** The real provider-aws as one process for all its services, against the emulated AWS. */
import type { KubeObject } from '#lib/api/json.ts';
import { NAMESPACE, token } from '../../e2e/lab/crossplane.ts';
import type { Kubernetes } from '../../e2e/lab/kubernetes.ts';
import { freePorts } from '../../e2e/lab/ports.ts';
import type { Processes, Running } from '../../e2e/lab/processes.ts';
import { until } from '../../e2e/lab/waiting.ts';
import { PROVIDER } from '../parts.ts';

const ACCOUNT = 'provider-aws';
/** Seconds between two looks of the provider at an object. */
export const POLL = 20;

/** One process has the rights of several packages: which of them suffice is not judged here. */
const RIGHTS: readonly KubeObject[] = [
  { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: ACCOUNT, namespace: NAMESPACE } },
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: ACCOUNT },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ kind: 'ServiceAccount', name: ACCOUNT, namespace: NAMESPACE }],
  },
];

export interface Provider {
  /** Sends SIGKILL. */
  kill(): Promise<void>;
  /** After it ended. */
  start(): Promise<void>;
  /** How often a reconcile panicked since it started. */
  panics(): Promise<number>;
}

/** @param processes  with its log file */
export async function startProvider(kubernetes: Kubernetes, kubectl: string, processes: Processes): Promise<Provider> {
  await kubernetes.api.apply(...RIGHTS);
  const ports = await freePorts('metrics', 'probe', 'webhook');
  const bearer = await token(kubectl, kubernetes.kubeconfig, ACCOUNT);
  const metrics = `http://127.0.0.1:${ports.metrics}/metrics`;
  const start = (): Running =>
    processes.start({
      name: ACCOUNT,
      program: PROVIDER.program,
      args: [
        '--certs-dir=',
        `--poll=${POLL}s`,
        `--webhook-port=${ports.webhook}`,
        `--metrics-bind-address=127.0.0.1:${ports.metrics}`,
        `--health-probe-bind-addr=127.0.0.1:${ports.probe}`,
        '--debug',
      ],
      env: {
        KUBECONFIG: kubernetes.kubeconfigFor(ACCOUNT, bearer),
        AWS_EC2_METADATA_DISABLED: 'true',
      },
    });
  const ready = (): Promise<true> =>
    until('provider-aws answers', { seconds: 300 }, async () => {
      const { status } = await fetch(metrics);
      return status === 200 ? { found: true } : { yet: `status ${status}` };
    });
  let running = start();
  await ready();
  return {
    kill: () => running.kill(),
    async start() {
      running = start();
      await ready();
    },
    panics: async () => panicsIn(await (await fetch(metrics)).text()),
  };
}

const PANICS = /^controller_runtime_reconcile_panics_total\{[^}]*\} (?<count>\S+)$/gm;

export function panicsIn(metrics: string): number {
  const counts = [...metrics.matchAll(PANICS)].map(({ groups }) => Number(groups?.['count']));
  return counts.reduce((sum, count) => sum + count, 0);
}
