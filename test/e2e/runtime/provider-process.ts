/**
 * One revision of a provider package, with a service account of its own: the RBAC manager of Crossplane gives it the
 * rights of a provider, and no more.
 */
import type { KubeObject } from '#lib/api/json.ts';
import { NAMESPACE, token } from '../lab/crossplane.ts';
import type { Kubernetes } from '../lab/kubernetes.ts';
import type { Processes } from '../lab/processes.ts';
import type { Addresses } from '../workload/addresses.ts';
import { mountFile, PackageProcess } from './package-process.ts';
import type { Root } from './root.ts';

/** Where the kubelet mounts them. */
const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';
const HOSTS = '/etc/hosts';
const METRICS_PORT = 9444;

export interface ProviderParts {
  readonly revision: KubeObject;
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

  private constructor({ revision, address, root, kubernetes, processes }: ProviderParts) {
    const { host, port } = kubernetes.service;
    const { name = '', uid = '', labels = {} } = revision.metadata ?? {};
    super({
      name,
      root,
      // The recommended settings of its DeploymentRuntimeConfig, where they are not about pods.
      args: [`--metrics-address=${address}:${METRICS_PORT}`, '--leader-election'],
      env: {
        POD_NAMESPACE: NAMESPACE,
        PROVIDER_NAME: labels['pkg.crossplane.io/package'] ?? '',
        REVISION_NAME: name,
        REVISION_UID: uid,
        KUBERNETES_SERVICE_HOST: host,
        KUBERNETES_SERVICE_PORT: String(port),
      },
      processes,
    });
    this.address = address;
  }

  static async start(parts: ProviderParts): Promise<ProviderProcess> {
    const { revision, root, kubernetes, kubectl, addresses } = parts;
    const { api, kubeconfig, service } = kubernetes;
    const { name = '' } = revision.metadata ?? {};
    await api.apply(...deployed(revision));
    mountFile(root, `${SERVICE_ACCOUNT}/token`, await token(kubectl, kubeconfig, name));
    mountFile(root, `${SERVICE_ACCOUNT}/ca.crt`, service.ca);
    mountFile(root, `${SERVICE_ACCOUNT}/namespace`, NAMESPACE);
    addresses.onHosts((hosts) => mountFile(root, HOSTS, hosts));
    return new ProviderProcess(parts);
  }

  get metricsUrl(): string {
    return `http://${this.address}:${METRICS_PORT}/metrics`;
  }
}

/** What the package manager of Crossplane makes for a revision. The RBAC manager reads the service account from it. */
function deployed({ apiVersion, kind, metadata }: KubeObject): readonly KubeObject[] {
  const { name = '', uid = '' } = metadata ?? {};
  const owner = { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
  const own = { name, namespace: NAMESPACE, ownerReferences: [owner] };
  const labels = { 'pkg.crossplane.io/revision': name };
  const containers = [{ name: 'package-runtime', image: 'images.example.com/package-runtime' }];
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: own },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: own,
      spec: {
        replicas: 1,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { serviceAccountName: name, containers } },
      },
    },
  ];
}
