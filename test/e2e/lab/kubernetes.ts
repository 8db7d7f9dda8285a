/** etcd, kube-apiserver and kube-controller-manager on loopback ports: a Kubernetes API with RBAC and no machines. */
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { Binaries } from '../binaries/find.ts';
import { auditing, MANAGEMENT_RULES } from '../audit/policy.ts';
import { Api } from './api.ts';
import { freePorts } from './ports.ts';
import type { Processes, Running } from './processes.ts';
import { until } from './waiting.ts';

export interface Kubernetes {
  readonly api: Api;
  /** Of the administrator. */
  readonly kubeconfig: string;
  /** Address of etcd, which anybody may ask. */
  readonly etcd: string;
  /** A kubeconfig file for another token. */
  kubeconfigFor(name: string, token: string): string;
  /** Where processes of this host reach the API, as pods reach it by the Service `kubernetes`. */
  readonly service: { readonly host: string; readonly port: number; readonly ca: string };
  /** File of what Crossplane and providers asked of it. */
  readonly audit: string;
  readonly server: () => Running;
  /** Starts the API server again on the same port after it was killed. */
  restartServer(): Promise<void>;
}

/** The controllers of a real cluster that matter to Crossplane; none that needs nodes. */
const CONTROLLERS = [
  'namespace-controller',
  'garbage-collector-controller',
  'serviceaccount-controller',
  'clusterrole-aggregation-controller',
];

export async function startKubernetes(binaries: Binaries, processes: Processes, folder: string): Promise<Kubernetes> {
  const ports = await freePorts('etcd', 'peers', 'api', 'manager');
  const file = (name: string): string => join(folder, name);
  const token = randomBytes(16).toString('hex');
  writeFileSync(file('tokens.csv'), `${token},admin,admin,"system:masters"\n`);
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  writeFileSync(file('service-accounts.key'), privateKey.export({ type: 'pkcs1', format: 'pem' }));
  writeFileSync(file('service-accounts.pub'), publicKey.export({ type: 'spki', format: 'pem' }));
  startEtcd(binaries, processes, file('etcd'), ports);
  const { file: audit, flags } = auditing(folder, MANAGEMENT_RULES);
  const startServer = (): Running =>
    processes.start({
      name: 'kube-apiserver',
      program: binaries['kube-apiserver'],
      args: [...serverArguments(file, ports), ...flags],
    });
  let server = startServer();
  const ca = (): string => readFileSync(file('apiserver/apiserver.crt'), 'utf8');
  const kubeconfigFor = (name: string, bearer: string): string =>
    writeKubeconfig(file(`${name}.kubeconfig`), `https://127.0.0.1:${ports.api}`, ca(), bearer);
  const certificate = file('apiserver/apiserver.crt');
  await until('the API server makes its certificate', { seconds: 60 }, () => ({ found: readFileSync(certificate) }));
  const kubeconfig = kubeconfigFor('admin', token);
  const api = new Api(kubeconfig);
  await ready(api);
  processes.start({
    name: 'kube-controller-manager',
    program: binaries['kube-controller-manager'],
    args: [
      `--kubeconfig=${kubeconfig}`,
      `--controllers=${CONTROLLERS.join(',')}`,
      '--leader-elect=false',
      '--secure-port=0',
    ],
  });
  return {
    api,
    kubeconfig,
    etcd: `http://127.0.0.1:${ports.etcd}`,
    kubeconfigFor,
    service: { host: '127.0.0.1', port: ports.api, ca: ca() },
    audit,
    server: () => server,
    async restartServer() {
      server = startServer();
      await ready(api);
    },
  };
}

type Ports = Readonly<Record<'etcd' | 'peers' | 'api', number>>;

function startEtcd(binaries: Binaries, processes: Processes, data: string, ports: Ports): void {
  const [client, peer] = [`http://127.0.0.1:${ports.etcd}`, `http://127.0.0.1:${ports.peers}`];
  processes.start({
    name: 'etcd',
    program: binaries.etcd,
    args: [
      '--unsafe-no-fsync',
      `--data-dir=${data}`,
      `--listen-client-urls=${client}`,
      `--advertise-client-urls=${client}`,
      `--listen-peer-urls=${peer}`,
      `--initial-advertise-peer-urls=${peer}`,
      `--initial-cluster=default=${peer}`,
      '--log-level=warn',
    ],
  });
}

function serverArguments(file: (name: string) => string, ports: Ports): readonly string[] {
  return [
    `--etcd-servers=http://127.0.0.1:${ports.etcd}`,
    `--secure-port=${ports.api}`,
    '--bind-address=127.0.0.1',
    // Without it the server wants a default route, and a network of its own has none.
    '--advertise-address=127.0.0.1',
    `--cert-dir=${file('apiserver')}`,
    `--token-auth-file=${file('tokens.csv')}`,
    '--authorization-mode=RBAC',
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${file('service-accounts.pub')}`,
    `--service-account-signing-key-file=${file('service-accounts.key')}`,
    '--service-cluster-ip-range=10.0.0.0/24',
    '--endpoint-reconciler-type=none',
    '--allow-privileged',
  ];
}

/** @param file  where it is written. @param ca  PEM */
export function writeKubeconfig(file: string, server: string, ca: string, token: string): string {
  const cluster = { server, 'certificate-authority-data': Buffer.from(ca).toString('base64') };
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'lab', cluster }],
    users: [{ name: 'user', user: { token } }],
    contexts: [{ name: 'lab', context: { cluster: 'lab', user: 'user' } }],
    'current-context': 'lab',
  };
  writeFileSync(file, stringify(config), { mode: 0o600 });
  return file;
}

export async function ready(api: Api): Promise<void> {
  await until('the API server is ready', { seconds: 60 }, async () => {
    const answer = await api.raw('/readyz');
    return answer.includes('ok') ? { found: true } : { yet: answer };
  });
}
