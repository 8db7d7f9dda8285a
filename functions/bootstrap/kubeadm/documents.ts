/** Configuration files of kubeadm: for the first machine, and for a joining one. */
import { type Document, type KubeadmFacts, inOrder } from './facts.ts';
import { address, clusterConfiguration } from './cluster-configuration.ts';
import { KUBELET } from './hardening.ts';
import { nodeRegistration } from './registration.ts';
import { PATCH_FOLDER, patchFiles } from './patches.ts';

export const CONFIG_FILE = '/etc/kubernetes/kubeadm.yaml';

/** Port of the Kubernetes API on its machine; a load balancer in front of it may use another port. */
const BIND_PORT = 6443;

export function initDocuments(facts: KubeadmFacts): readonly Document[] {
  const { config, token, api } = facts;
  const { kubeletConfiguration: kubelet, kubeProxyConfiguration: proxy } = config;
  const init: Document = {
    apiVersion: `kubeadm.k8s.io/${api}`,
    kind: 'InitConfiguration',
    bootstrapTokens: [
      {
        token,
        // kubeadm wants one, but every machine that joins has its own (docs/decisions/0008-join-tokens.md).
        ttl: '15m0s',
        usages: ['signing', 'authentication'],
        groups: ['system:bootstrappers:kubeadm:default-node-token'],
      },
    ],
    localAPIEndpoint: { bindPort: BIND_PORT },
    nodeRegistration: nodeRegistration(facts),
    ...skipPhases(config.skipPhases.init),
    ...patches(facts),
  };
  return [
    clusterConfiguration(facts),
    init,
    component('kubelet.config.k8s.io/v1beta1', 'KubeletConfiguration', { ...KUBELET, ...kubelet }),
    ...(proxy === undefined ? [] : [component('kubeproxy.config.k8s.io/v1alpha1', 'KubeProxyConfiguration', proxy)]),
  ];
}

/** The token only discovers the cluster; the pinned public key verifies it. */
export function joinDocuments(facts: KubeadmFacts): readonly Document[] {
  const { machine, endpoint, token, caCertHash, config, api } = facts;
  const discovery = { bootstrapToken: { token, apiServerEndpoint: address(endpoint), caCertHashes: [caCertHash] } };
  const controlPlane = { controlPlane: { localAPIEndpoint: { bindPort: BIND_PORT } } };
  return [
    {
      apiVersion: `kubeadm.k8s.io/${api}`,
      kind: 'JoinConfiguration',
      discovery,
      nodeRegistration: nodeRegistration(facts),
      ...(machine.spec.role === 'control-plane' ? controlPlane : {}),
      ...skipPhases(config.skipPhases.join),
      ...patches(facts),
    },
  ];
}

function component(apiVersion: string, kind: string, fields: Document): Document {
  const { apiVersion: _version, kind: _kind, ...own } = inOrder(fields);
  return { apiVersion, kind, ...own };
}

function skipPhases(phases: readonly string[]): Document {
  return phases.length === 0 ? {} : { skipPhases: phases };
}

function patches(facts: KubeadmFacts): Document {
  return patchFiles(facts).length === 0 ? {} : { patches: { directory: PATCH_FOLDER } };
}
