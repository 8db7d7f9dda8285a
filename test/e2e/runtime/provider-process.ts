/**
 * One revision of a provider package, as the Deployment that Crossplane made for it says: its arguments, environment and
 * service account, to which the RBAC manager gives the rights of a provider. One process, however many replicas.
 */
import { type KubeObject, at, stringAt } from '#lib/api/json.ts';
import { NAMESPACE, token } from '../lab/crossplane.ts';
import type { Kubernetes } from '../lab/kubernetes.ts';
import type { Processes } from '../lab/processes.ts';
import { until } from '../lab/waiting.ts';
import type { Addresses } from '../workload/addresses.ts';
import { mountFile, PackageProcess } from './package-process.ts';
import type { Root } from './root.ts';

/** Where the kubelet mounts them. */
const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';
const HOSTS = '/etc/hosts';
const METRICS_PORT = 9444;

export interface ProviderParts {
  readonly deployment: KubeObject;
  /** Its own loopback address, because processes of this lab share a network. */
  readonly address: string;
  readonly root: Root;
  readonly kubernetes: Kubernetes;
  readonly kubectl: string;
  readonly addresses: Addresses;
  readonly processes: Processes;
}

export class ProviderProcess extends PackageProcess {
  readonly address: string;

  private constructor({ deployment, address, root, kubernetes, processes }: ProviderParts) {
    const { host, port } = kubernetes.service;
    super({
      name: deployment.metadata?.name ?? '',
      root,
      args: [...argsOf(deployment), ...(isOurs(deployment) ? [`--metrics-address=${address}:${METRICS_PORT}`] : [])],
      env: {
        ...environmentOf(deployment),
        KUBERNETES_SERVICE_HOST: host,
        KUBERNETES_SERVICE_PORT: String(port),
      },
      processes,
    });
    this.address = address;
  }

  static async start(parts: ProviderParts): Promise<ProviderProcess> {
    const { deployment, root, kubernetes, kubectl, addresses } = parts;
    const { kubeconfig, service } = kubernetes;
    const account = stringAt(deployment, ...POD, 'spec', 'serviceAccountName') ?? '';
    mountFile(root, `${SERVICE_ACCOUNT}/token`, await token(kubectl, kubeconfig, account));
    mountFile(root, `${SERVICE_ACCOUNT}/ca.crt`, service.ca);
    mountFile(root, `${SERVICE_ACCOUNT}/namespace`, NAMESPACE);
    await mountSecrets(parts);
    addresses.onHosts((hosts) => mountFile(root, HOSTS, hosts));
    return new ProviderProcess(parts);
  }

  get metricsUrl(): string {
    return `http://${this.address}:${METRICS_PORT}/metrics`;
  }
}

const POD = ['spec', 'template'] as const;

/** The container that Crossplane calls `package-runtime`; it is the first. */
export function containerOf(deployment: KubeObject): unknown {
  const containers = at(deployment, ...POD, 'spec', 'containers');
  return Array.isArray(containers) ? containers[0] : undefined;
}

/** Of its pods. */
export function labelsOf(deployment: KubeObject): Readonly<Record<string, string>> {
  return (at(deployment, ...POD, 'metadata', 'labels') ?? {}) as Readonly<Record<string, string>>;
}

/** Others have other flags. */
function isOurs({ metadata }: KubeObject): boolean {
  return metadata?.name?.startsWith('slipway-') === true;
}

/** Certificates, which Crossplane makes with the Deployment or a moment later. */
async function mountSecrets({ deployment, root, kubernetes: { api } }: ProviderParts): Promise<void> {
  const volumes = (at(deployment, ...POD, 'spec', 'volumes') ?? []) as readonly unknown[];
  const mounts = (at(containerOf(deployment), 'volumeMounts') ?? []) as readonly unknown[];
  for (const volume of volumes) {
    const name = stringAt(volume, 'secret', 'secretName');
    const mount = mounts.find((one) => stringAt(one, 'name') === stringAt(volume, 'name'));
    const folder = stringAt(mount, 'mountPath');
    if (name === undefined || folder === undefined) continue;
    const ref = { apiVersion: 'v1', kind: 'Secret', namespace: NAMESPACE, name };
    const data = await until(`Secret ${name} has content`, { seconds: 30 }, async () => {
      const { data: found = {} } = (await api.get(ref)) as { readonly data?: Readonly<Record<string, string>> };
      return Object.keys(found).length > 0 ? { found } : { yet: 'it is empty' };
    });
    for (const [file, text] of Object.entries(data))
      mountFile(root, `${folder}/${file}`, Buffer.from(text, 'base64').toString('utf8'));
  }
}

function argsOf(deployment: KubeObject): readonly string[] {
  return (at(containerOf(deployment), 'args') ?? []) as readonly string[];
}

/** As a kubelet resolves it: values, fields of the pod, and $(variables) that come before. */
function environmentOf(deployment: KubeObject): Readonly<Record<string, string>> {
  const list = (at(containerOf(deployment), 'env') ?? []) as readonly unknown[];
  const found = new Map<string, string>();
  for (const one of list) {
    const value = valueOf(one, deployment).replaceAll(/\$\((\w+)\)/g, (text, name: string) => found.get(name) ?? text);
    found.set(stringAt(one, 'name') ?? '', value);
  }
  return Object.fromEntries(found);
}

function valueOf(variable: unknown, deployment: KubeObject): string {
  const path = stringAt(variable, 'valueFrom', 'fieldRef', 'fieldPath');
  if (path === undefined) return stringAt(variable, 'value') ?? '';
  if (path === 'metadata.namespace') return NAMESPACE;
  const [, label = ''] = /^metadata\.labels\['(.+)'\]$/.exec(path) ?? [];
  return labelsOf(deployment)[label] ?? '';
}
