/** What kubeadm on a machine has to do: start a cluster, or join one. */
import { seconds } from '#lib/api/fields/text.ts';
import { type Json, at, stringAt } from '#lib/api/json.ts';
import { BootFailure } from '../first-boot/boot-failure.ts';
import { type BootFile, documentsOf, type FirstBoot } from '../first-boot/format.ts';
import { certificateHash } from './certificate-hash.ts';
import type { Join, JoinPlan, Start, Tool } from './plan.ts';

export const kubeadm: Tool = {
  recognises: ({ files }) => files.some(({ content }) => /^kind: (Init|Join|Cluster)Configuration$/m.test(content)),
  plan: (boot) => {
    const [init] = documentsOf(boot.files, 'InitConfiguration');
    const [join] = documentsOf(boot.files, 'JoinConfiguration');
    const [cluster] = documentsOf(boot.files, 'ClusterConfiguration');
    return join === undefined ? startOf(init, cluster, boot) : joinOf(join, boot);
  },
};

function startOf(init: Json | undefined, cluster: Json | undefined, boot: FirstBoot): Start {
  const endpoint = stringAt(cluster, 'controlPlaneEndpoint');
  if (endpoint === undefined)
    throw new BootFailure('kubeadm init: ClusterConfiguration.controlPlaneEndpoint is not set');
  const tokens = at(init, 'bootstrapTokens');
  const [ttl = ''] = (Array.isArray(tokens) ? tokens : []).flatMap((item) => stringAt(item, 'ttl') ?? []);
  return {
    ...registration(init, boot),
    tool: 'kubeadm init',
    action: 'init',
    network: false,
    endpoint,
    ca: caOf(boot.files),
    tokens: (Array.isArray(tokens) ? (tokens as readonly Json[]) : []).flatMap((item) => stringAt(item, 'token') ?? []),
    ...(seconds(ttl) === 0 ? {} : { tokensFor: seconds(ttl) }),
  };
}

function joinOf(join: Json, boot: FirstBoot): Join {
  const endpoint = stringAt(join, 'discovery', 'bootstrapToken', 'apiServerEndpoint');
  if (endpoint === undefined)
    throw new BootFailure('kubeadm join: discovery.bootstrapToken.apiServerEndpoint is not set');
  const hashes = at(join, 'discovery', 'bootstrapToken', 'caCertHashes');
  const controlPlane = at(join, 'controlPlane') !== undefined;
  if (controlPlane && !boot.files.some(({ path }) => path.endsWith('/pki/ca.key')))
    throw new BootFailure('kubeadm join: control plane: ca.key is not among the files');
  return {
    ...registration(join, boot),
    tool: 'kubeadm join',
    action: 'join',
    endpoint,
    controlPlane,
    token: stringAt(join, 'discovery', 'bootstrapToken', 'token') ?? '',
    trusts: (ca) => Array.isArray(hashes) && hashes.includes(certificateHash(ca)),
  };
}

function registration(
  document: Json | undefined,
  boot: FirstBoot,
): Pick<JoinPlan, 'nodeName' | 'labels' | 'taints' | 'version'> {
  const taints = at(document, 'nodeRegistration', 'taints');
  return {
    nodeName: stringAt(document, 'nodeRegistration', 'name'),
    labels: labelsIn(at(document, 'nodeRegistration', 'kubeletExtraArgs')),
    taints: Array.isArray(taints) ? taints : [],
    version: versionIn(boot),
  };
}

/** The kubelet flag node-labels; flags are a list in v1beta4 and a map in older versions. */
function labelsIn(flags: Json | undefined): Readonly<Record<string, string>> {
  const listed = Array.isArray(flags)
    ? (flags as readonly Json[]).find((flag) => stringAt(flag, 'name') === 'node-labels')
    : undefined;
  const text = stringAt(listed, 'value') ?? stringAt(flags, 'node-labels') ?? '';
  const pairs = text.split(',').filter((pair) => pair !== '');
  return Object.fromEntries(pairs.map((pair) => [pair.split('=')[0] ?? '', pair.split('=')[1] ?? '']));
}

/** The first Kubernetes version in the payload: that of kubeadm, or of the packages it installs. */
function versionIn(boot: FirstBoot): string | undefined {
  const text = [...boot.files.map(({ content }) => content), boot.text].join('\n');
  return /\bv1\.[0-9]+\.[0-9]+\b/.exec(text)?.[0];
}

function caOf(files: readonly BootFile[]): string {
  const ca = files.find(({ path }) => path.endsWith('/pki/ca.crt'));
  if (ca === undefined) throw new BootFailure('kubeadm init: /etc/kubernetes/pki/ca.crt is not among the files');
  certificateHash(ca.content); // refuses anything but a certificate
  return ca.content;
}
