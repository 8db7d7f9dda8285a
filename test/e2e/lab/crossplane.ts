/**
 * Crossplane core and its RBAC manager with the permissions of a Helm installation: their own service accounts and the
 * roles of the chart, never those of an administrator. The package runtime of this lab runs the packages with code; those
 * of providers as the Deployments say that Crossplane makes.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { type KubeObject, at, stringAt } from '#lib/api/json.ts';
import type { Binaries } from '../binaries/find.ts';
import { type Authority, newAuthority } from './authority.ts';
import type { Kubernetes } from './kubernetes.ts';
import { freePorts } from './ports.ts';
import type { Processes, Running } from './processes.ts';
import { until } from './waiting.ts';

export const NAMESPACE = 'crossplane-system';
const VALIDATING_WEBHOOKS = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
} as const;
const NO_USAGES = 'crossplane-no-usages';

export interface Crossplane {
  /** Issues the certificates of packages. */
  readonly authority: Authority;
  readonly metricsUrl: string;
  readonly core: () => Running;
  /** Arguments in addition to those needed here. */
  readonly settings: () => readonly string[];
  /**
   * After it ended, or instead of the running one.
   * @param settings  the same as before by default
   */
  restartCore(settings?: readonly string[]): Promise<void>;
  /** As an upgrade of the Helm chart does it, with the settings of before. @param next  another version */
  upgrade(next: Binaries): Promise<void>;
}

export async function startCrossplane(
  binaries: Binaries,
  processes: Processes,
  kubernetes: Kubernetes,
  folder: string,
): Promise<Crossplane> {
  const { api } = kubernetes;
  const ports = await freePorts('webhook', 'metrics', 'probe');
  const authority = await newAuthority('Crossplane of this lab');
  await api.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
  let programs = binaries;
  await api.apply(...chart(join(programs.manifests, 'chart.yaml')));
  await api.apply(...(await certificates(authority)));
  const kubeconfig = kubernetes.kubeconfigFor(
    'crossplane',
    await token(binaries.kubectl, kubernetes.kubeconfig, 'crossplane'),
  );
  const env = environment(kubeconfig, folder, ports.webhook);
  await initialize(binaries, env);
  await pointWebhookHere(kubernetes, ports.webhook);
  await writeSecret(kubernetes, 'crossplane-tls-server', env.TLS_SERVER_CERTS_DIR);
  await writeSecret(kubernetes, 'crossplane-tls-client', env.TLS_CLIENT_CERTS_DIR);
  mkdirSync(join(folder, 'xpkg'), { recursive: true });
  let current: readonly string[] = [];
  const start = (): Running =>
    processes.start({
      name: 'crossplane',
      program: programs['crossplane-core'],
      args: [
        'core',
        'start',
        '--package-runtime=Provider=Deployment;Function=External',
        `--xpkg-cache-dir=${join(folder, 'xpkg')}`,
        `--webhook-port=${ports.webhook}`,
        `--metrics-port=${ports.metrics}`,
        `--health-probe-port=${ports.probe}`,
        ...current,
      ],
      env,
    });
  let core = start();
  await ready(ports.probe);
  const rbac = kubernetes.kubeconfigFor(
    'rbac-manager',
    await token(binaries.kubectl, kubernetes.kubeconfig, 'rbac-manager'),
  );
  const startRbacManager = (): Running =>
    processes.start({
      name: 'crossplane-rbac-manager',
      program: programs['crossplane-core'],
      args: ['rbac', 'start', '--provider-clusterrole=crossplane:allowed-provider-permissions'],
      env: { KUBECONFIG: rbac, LEADER_ELECTION: 'false' },
    });
  let manager = startRbacManager();
  return {
    authority,
    metricsUrl: `http://127.0.0.1:${ports.metrics}/metrics`,
    core: () => core,
    settings: () => current,
    async restartCore(settings = current) {
      await core.kill();
      current = settings;
      core = start();
      await ready(ports.probe);
    },
    async upgrade(next) {
      programs = next;
      await api.apply(...chart(join(next.manifests, 'chart.yaml')));
      await initialize(next, env);
      await pointWebhookHere(kubernetes, ports.webhook);
      await Promise.all([core.kill(), manager.kill()]);
      [core, manager] = [start(), startRbacManager()];
      await ready(ports.probe);
    },
  };
}

/** All objects of the chart except those that need machines: Deployments, and the Service before them. */
function chart(file: string): readonly KubeObject[] {
  return parseAllDocuments(readFileSync(file, 'utf8'))
    .map((document) => document.toJS() as KubeObject | null)
    .filter((object) => object !== null)
    .filter(({ kind }) => kind !== 'Deployment' && kind !== 'Service' && kind !== 'Secret')
    .map((object) =>
      object.kind === 'ServiceAccount' ? { ...object, metadata: { ...object.metadata, namespace: NAMESPACE } } : object,
    );
}

/** The Secret of the client stays empty: `core init` fills it from the root certificate. */
async function certificates(authority: Authority): Promise<readonly KubeObject[]> {
  const server = await authority.issue('crossplane', {
    dns: ['localhost', `crossplane-webhooks.${NAMESPACE}.svc`],
    ip: ['127.0.0.1'],
  });
  return [
    secret('crossplane-root-ca', { 'tls.crt': authority.cert, 'tls.key': authority.key }),
    secret('crossplane-tls-server', { 'tls.crt': server.cert, 'tls.key': server.key, 'ca.crt': authority.cert }),
    secret('crossplane-tls-client', {}),
  ];
}

export function secret(name: string, content: Readonly<Record<string, string>>): KubeObject {
  const data = Object.fromEntries(
    Object.entries(content).map(([key, text]) => [key, Buffer.from(text).toString('base64')]),
  );
  return { apiVersion: 'v1', kind: 'Secret', type: 'Opaque', metadata: { name, namespace: NAMESPACE }, data };
}

/** A token of a service account in Crossplane's namespace, for a day. */
export async function token(kubectl: string, kubeconfig: string, account: string): Promise<string> {
  return until(`a token of service account ${account}`, { seconds: 30 }, () => {
    const args = ['--kubeconfig', kubeconfig, '-n', NAMESPACE, 'create', 'token', account, '--duration', '24h'];
    return { found: execFileSync(kubectl, args, { encoding: 'utf8', stdio: 'pipe' }).trim() };
  });
}

function environment(kubeconfig: string, folder: string, webhookPort: number) {
  return {
    KUBECONFIG: kubeconfig,
    POD_NAMESPACE: NAMESPACE,
    POD_SERVICE_ACCOUNT: 'crossplane',
    LEADER_ELECTION: 'false',
    WEBHOOK_SERVICE_NAME: 'crossplane-webhooks',
    WEBHOOK_SERVICE_NAMESPACE: NAMESPACE,
    WEBHOOK_SERVICE_PORT: String(webhookPort),
    TLS_CA_SECRET_NAME: 'crossplane-root-ca',
    TLS_SERVER_SECRET_NAME: 'crossplane-tls-server',
    TLS_CLIENT_SECRET_NAME: 'crossplane-tls-client',
    TLS_SERVER_CERTS_DIR: join(folder, 'tls-server'),
    TLS_CLIENT_CERTS_DIR: join(folder, 'tls-client'),
  };
}

/** The first run may fail, because discovery does not have the new definitions yet. */
async function initialize(binaries: Binaries, env: Readonly<Record<string, string>>): Promise<void> {
  const { PATH = '' } = process.env;
  await until('crossplane core init', { seconds: 60 }, () => {
    const paths = [
      `--cr-ds-path=${join(binaries.manifests, 'crds')}`,
      `--webhook-configurations-path=${join(binaries.manifests, 'webhookconfigurations')}`,
    ];
    execFileSync(binaries['crossplane-core'], ['core', 'init', ...paths], { env: { PATH, ...env }, stdio: 'pipe' });
    return { found: true };
  });
}

/** There is no Service, so the API server gets the address. Without this webhook a Usage protects nothing. */
async function pointWebhookHere({ api }: Kubernetes, port: number): Promise<void> {
  const configuration = await api.get({ ...VALIDATING_WEBHOOKS, name: NO_USAGES });
  const list = configuration['webhooks'];
  const webhooks = (Array.isArray(list) ? list : []).map((webhook: object) => {
    const { service: _service, ...clientConfig } = (at(webhook, 'clientConfig') ?? {}) as Record<string, unknown>;
    const path = stringAt(webhook, 'clientConfig', 'service', 'path') ?? '';
    return { ...webhook, clientConfig: { ...clientConfig, url: `https://127.0.0.1:${port}${path}` } };
  });
  await api.patch({ ...VALIDATING_WEBHOOKS, name: NO_USAGES }, { webhooks });
}

/** Secrets as they would be mounted in a pod. */
async function writeSecret({ api }: Kubernetes, name: string, folder: string): Promise<void> {
  const found = await api.get({ apiVersion: 'v1', kind: 'Secret', namespace: NAMESPACE, name });
  mkdirSync(folder, { recursive: true });
  for (const [file, text] of Object.entries(found['data'] ?? {}))
    writeFileSync(join(folder, file), Buffer.from(String(text), 'base64'), { mode: 0o600 });
}

async function ready(port: number): Promise<void> {
  await until('Crossplane core is ready', { seconds: 60 }, async () => {
    const { status } = await fetch(`http://127.0.0.1:${port}/readyz`);
    return status === 200 ? { found: true } : { yet: `status ${status}` };
  });
}
