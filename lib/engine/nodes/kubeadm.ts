/** What kubeadm on a machine is told to do: start a cluster, or join one. */
import { X509Certificate } from 'node:crypto';
import { type Json, at, stringAt } from '#lib/api/json.ts';
import { sha256 } from '#lib/api/names.ts';
import { type BootFile, BootFailure, type CloudConfig, documentsOf } from './cloud-config.ts';

interface Common {
  /** `host:port` of the Kubernetes API. */
  readonly endpoint: string;
  readonly nodeName: string | undefined;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Json[];
  readonly version: string | undefined;
}

export type KubeadmPlan =
  | (Common & { readonly action: 'init'; readonly caHash: string; readonly tokens: readonly string[] })
  | (Common & {
      readonly action: 'join';
      readonly controlPlane: boolean;
      readonly token: string;
      readonly caHashes: readonly string[];
    });

export function kubeadmPlan(config: CloudConfig): KubeadmPlan {
  const [init] = documentsOf(config.files, 'InitConfiguration');
  const [join] = documentsOf(config.files, 'JoinConfiguration');
  const [cluster] = documentsOf(config.files, 'ClusterConfiguration');
  if (join !== undefined) return joinPlan(join, config);
  if (init !== undefined || cluster !== undefined) return initPlan(init, cluster, config);
  throw new BootFailure('kubeadm: no InitConfiguration and no JoinConfiguration among the files');
}

function initPlan(init: Json | undefined, cluster: Json | undefined, config: CloudConfig): KubeadmPlan {
  const endpoint = stringAt(cluster, 'controlPlaneEndpoint');
  if (endpoint === undefined)
    throw new BootFailure('kubeadm init: ClusterConfiguration.controlPlaneEndpoint is not set');
  const tokens = at(init, 'bootstrapTokens');
  return {
    ...registration(init, config),
    action: 'init',
    endpoint,
    caHash: caHashOf(config.files),
    tokens: (Array.isArray(tokens) ? (tokens as readonly Json[]) : []).flatMap((item) => stringAt(item, 'token') ?? []),
  };
}

function joinPlan(join: Json, config: CloudConfig): KubeadmPlan {
  const endpoint = stringAt(join, 'discovery', 'bootstrapToken', 'apiServerEndpoint');
  if (endpoint === undefined)
    throw new BootFailure('kubeadm join: discovery.bootstrapToken.apiServerEndpoint is not set');
  const hashes = at(join, 'discovery', 'bootstrapToken', 'caCertHashes');
  const controlPlane = at(join, 'controlPlane') !== undefined;
  if (controlPlane && !config.files.some(({ path }) => path.endsWith('/pki/ca.key')))
    throw new BootFailure('kubeadm join: control plane: ca.key is not among the files');
  return {
    ...registration(join, config),
    action: 'join',
    endpoint,
    controlPlane,
    token: stringAt(join, 'discovery', 'bootstrapToken', 'token') ?? '',
    caHashes: Array.isArray(hashes) ? hashes.map(String) : [],
  };
}

function registration(document: Json | undefined, config: CloudConfig): Omit<Common, 'endpoint'> {
  const taints = at(document, 'nodeRegistration', 'taints');
  return {
    nodeName: stringAt(document, 'nodeRegistration', 'name'),
    labels: labelsIn(at(document, 'nodeRegistration', 'kubeletExtraArgs')),
    taints: Array.isArray(taints) ? taints : [],
    version: versionIn(config),
  };
}

/** The kubelet's flag node-labels; flags are a list in v1beta4 and a map before. */
function labelsIn(flags: Json | undefined): Readonly<Record<string, string>> {
  const listed = Array.isArray(flags)
    ? (flags as readonly Json[]).find((flag) => stringAt(flag, 'name') === 'node-labels')
    : undefined;
  const text = stringAt(listed, 'value') ?? stringAt(flags, 'node-labels') ?? '';
  const pairs = text.split(',').filter((pair) => pair !== '');
  return Object.fromEntries(pairs.map((pair) => [pair.split('=')[0] ?? '', pair.split('=')[1] ?? '']));
}

/** The first Kubernetes version the payload names: kubeadm's own, or that of the packages it installs. */
function versionIn(config: CloudConfig): string | undefined {
  const text = [...config.files.map(({ content }) => content), config.text].join('\n');
  return /\bv1\.[0-9]+\.[0-9]+\b/.exec(text)?.[0];
}

function caHashOf(files: readonly BootFile[]): string {
  const ca = files.find(({ path }) => path.endsWith('/pki/ca.crt'));
  if (ca === undefined) throw new BootFailure('kubeadm init: /etc/kubernetes/pki/ca.crt is not among the files');
  return certificateHash(ca.content);
}

/** The hash kubeadm pins a CA by. */
export function certificateHash(pem: string): string {
  try {
    const key = new X509Certificate(pem).publicKey.export({ type: 'spki', format: 'der' });
    return `sha256:${sha256(key)}`;
  } catch {
    throw new BootFailure('kubeadm: the cluster CA is not a certificate');
  }
}
