/** kubeadm's configuration files, in the API version that the Kubernetes version understands. */
import { minor } from 'semver';
import { SlipwayError } from '#lib/api/errors.ts';
import type { Cluster } from '#lib/api/kinds/cluster.ts';
import type { Machine } from '#lib/api/kinds/machine.ts';
import type { KubeadmConfig } from './config.ts';

/** Where the Kubernetes API listens on its machine; a load balancer in front of it may answer on another port. */
const BIND_PORT = 6443;

type Version = 'v1beta3' | 'v1beta4';
type Document = Readonly<Record<string, unknown>>;

export interface Facts {
  readonly cluster: Cluster;
  readonly machine: Machine;
  readonly config: KubeadmConfig;
  readonly endpoint: { readonly host: string; readonly port: number };
  readonly token: string;
  readonly caCertHash: string;
  readonly cloudProvider: 'external' | 'none';
  /** With ${…} for what only the machine itself knows; undefined when nobody wrote down how an id looks. */
  readonly providerID: string | undefined;
}

/** v1beta4 since Kubernetes 1.31, v1beta3 since 1.22; nothing older. */
export function apiVersion(version: string, owner: string): Version {
  const number = minor(version);
  if (number >= 31) return 'v1beta4';
  if (number >= 22) return 'v1beta3';
  throw new SlipwayError(
    'Unsupported',
    `cannot bootstrap ${owner}: spec.version: "${version}" is too old for kubeadm; accepted: v1.22 and newer`,
  );
}

export function initDocuments(facts: Facts, version: Version): readonly Document[] {
  const { config, token } = facts;
  const init = {
    apiVersion: `kubeadm.k8s.io/${version}`,
    kind: 'InitConfiguration',
    bootstrapTokens: [
      {
        token,
        ttl: '0s',
        usages: ['signing', 'authentication'],
        groups: ['system:bootstrappers:kubeadm:default-node-token'],
      },
    ],
    localAPIEndpoint: { bindPort: BIND_PORT },
    nodeRegistration: nodeRegistration(facts, version),
    ...skipPhases(config),
  };
  return [
    clusterConfiguration(facts, version),
    init,
    ...(config.kubeletConfiguration === undefined
      ? []
      : [
          { apiVersion: 'kubelet.config.k8s.io/v1beta1', kind: 'KubeletConfiguration', ...config.kubeletConfiguration },
        ]),
    ...(config.kubeProxyConfiguration === undefined
      ? []
      : [
          {
            apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
            kind: 'KubeProxyConfiguration',
            ...config.kubeProxyConfiguration,
          },
        ]),
  ];
}

/** The token is only good for finding the cluster whose public key is pinned. */
export function joinDocuments(facts: Facts, version: Version): readonly Document[] {
  const { machine, endpoint, token, caCertHash, config } = facts;
  const controlPlane = machine.spec.role === 'control-plane';
  return [
    {
      apiVersion: `kubeadm.k8s.io/${version}`,
      kind: 'JoinConfiguration',
      discovery: { bootstrapToken: { token, apiServerEndpoint: address(endpoint), caCertHashes: [caCertHash] } },
      nodeRegistration: nodeRegistration(facts, version),
      ...(controlPlane ? { controlPlane: { localAPIEndpoint: { bindPort: BIND_PORT } } } : {}),
      ...skipPhases(config),
    },
  ];
}

function clusterConfiguration(
  { cluster, machine, config, endpoint, cloudProvider }: Facts,
  version: Version,
): Document {
  const { pods, services, dnsDomain } = cluster.spec.network;
  const cloud: Record<string, string> = cloudProvider === 'external' ? { 'cloud-provider': 'external' } : {};
  const { etcd, apiServer, controllerManager, scheduler } = config;
  return {
    apiVersion: `kubeadm.k8s.io/${version}`,
    kind: 'ClusterConfiguration',
    clusterName: cluster.metadata.name,
    kubernetesVersion: machine.spec.version,
    controlPlaneEndpoint: address(endpoint),
    certificatesDir: '/etc/kubernetes/pki',
    ...(config.imageRepository === undefined ? {} : { imageRepository: config.imageRepository }),
    networking: { podSubnet: pods, serviceSubnet: services, dnsDomain },
    apiServer: {
      certSANs: [...new Set([endpoint.host, ...config.certSANs])],
      ...extraArgs(apiServer.extraArgs, version),
    },
    controllerManager: extraArgs({ ...cloud, ...controllerManager.extraArgs }, version),
    scheduler: extraArgs(scheduler.extraArgs, version),
    etcd: { local: { dataDir: etcd.dataDir, ...extraArgs(etcd.extraArgs, version) } },
    ...(Object.keys(config.featureGates).length === 0 ? {} : { featureGates: config.featureGates }),
    ...(version === 'v1beta4' ? { encryptionAlgorithm: config.encryptionAlgorithm } : {}),
  };
}

function nodeRegistration({ machine, config, cloudProvider, providerID }: Facts, version: Version): Document {
  const { taints, role } = machine.spec;
  const args = {
    ...(cloudProvider === 'external' ? { 'cloud-provider': 'external' } : {}),
    ...(providerID === undefined ? {} : { 'provider-id': providerID }),
    ...config.kubelet.extraArgs,
  };
  const named = kubeletArgs(args, version);
  return {
    name: machine.metadata.name,
    criSocket: 'unix:///run/containerd/containerd.sock',
    imagePullPolicy: config.imagePullPolicy,
    // Left out, kubeadm taints the control plane. A claim's own taints replace that one; [] would take it away.
    ...(taints.length === 0 && role === 'control-plane' ? {} : { taints }),
    ...(config.ignorePreflightErrors.length === 0 ? {} : { ignorePreflightErrors: config.ignorePreflightErrors }),
    ...named,
  };
}

/** v1beta4 takes a list of names and values, v1beta3 a map. */
function extraArgs(args: Readonly<Record<string, string>>, version: Version): Document {
  return Object.keys(args).length === 0 ? {} : { extraArgs: argsOf(args, version) };
}

function kubeletArgs(args: Readonly<Record<string, string>>, version: Version): Document {
  return Object.keys(args).length === 0 ? {} : { kubeletExtraArgs: argsOf(args, version) };
}

function argsOf(args: Readonly<Record<string, string>>, version: Version): unknown {
  if (version === 'v1beta3') return args;
  return Object.entries(args)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => ({ name, value }));
}

function skipPhases({ skipPhases: phases }: KubeadmConfig): Document {
  return phases.length === 0 ? {} : { skipPhases: phases };
}

function address({ host, port }: Facts['endpoint']): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}
