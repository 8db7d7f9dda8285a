/** The machine configuration of Talos 1.13: nearly all of it is one document. */
import type { JsonObject } from '#lib/api/json.ts';
import { asPair, type Part } from '../parts.ts';
import { BUNDLE, CA, ETCD_CA, PROXY_CA, SERVICE_ACCOUNT, TALOS_CA } from './bundle.ts';
import { AUDIT_POLICY, componentImage, KUBE_PRISM_PORT, POD_SECURITY } from './defaults.ts';
import { endpointUrl, type TalosFacts, isControlPlane } from './facts.ts';
import { extraArgsOf, hasNoOwnTaint, kubeletArgs, kubeletFields, kubeletImage, nodeIP, nodeLabels } from './kubelet.ts';
import type { Document } from './patches.ts';

export function documents113(facts: TalosFacts): readonly Document[] {
  return [
    { version: 'v1alpha1', machine: machineOf(facts), cluster: clusterOf(facts) },
    { apiVersion: 'v1alpha1', kind: 'HostnameConfig', auto: 'off', hostname: facts.machine.metadata.name },
  ];
}

function machineOf(facts: TalosFacts): JsonObject {
  const { config, secrets } = facts;
  const labels = nodeLabels(facts);
  const extraConfig = kubeletFields(facts);
  return {
    type: isControlPlane(facts) ? 'controlplane' : 'worker',
    token: secrets.of(BUNDLE)['trustdtoken'],
    ca: authority(facts, TALOS_CA),
    certSANs: config.certSANs,
    kubelet: {
      image: kubeletImage(facts),
      ...kubeletArgs(facts),
      ...(Object.keys(extraConfig).length === 0 ? {} : { extraConfig }),
      ...nodeIP(facts),
      defaultRuntimeSeccompProfileEnabled: true,
      disableManifestsDirectory: true,
    },
    ...(config.install === undefined ? {} : { install: { ...config.install } }),
    features: {
      diskQuotaSupport: true,
      kubePrism: { enabled: true, port: KUBE_PRISM_PORT },
      hostDNS: { enabled: true, forwardKubeDNSToHost: true },
    },
    ...(Object.keys(labels).length === 0 ? {} : { nodeLabels: labels }),
  };
}

function clusterOf(facts: TalosFacts): JsonObject {
  const { cluster, config, secrets } = facts;
  const { pods, services, dnsDomain } = cluster.spec.network;
  const bundle = secrets.of(BUNDLE);
  return {
    id: bundle['id'],
    secret: bundle['secret'],
    controlPlane: { endpoint: endpointUrl(facts) },
    clusterName: cluster.metadata.name,
    network: { dnsDomain, podSubnets: [pods], serviceSubnets: [services], ...cniOf(facts) },
    token: bundle['bootstraptoken'],
    ca: authority(facts, CA),
    discovery: { enabled: config.discovery.enabled, registries: { kubernetes: { disabled: true }, service: {} } },
    ...(isControlPlane(facts) ? controlPlaneOf(facts) : {}),
  };
}

/** Fields of control planes only. */
function controlPlaneOf(facts: TalosFacts): JsonObject {
  const { config, machine, secrets, cloudProvider } = facts;
  const { apiServer, controllerManager, scheduler, proxy, etcd, coreDNS, extraManifests, inlineManifests } = config;
  const image = (component: string): string => componentImage(component, machine.spec.version);
  const cloud = cloudProvider === 'external' ? { 'cloud-provider': 'external' } : {};
  return {
    secretboxEncryptionSecret: secrets.of(BUNDLE)['secretboxencryptionsecret'],
    aggregatorCA: authority(facts, PROXY_CA),
    serviceAccount: { key: base64(asPair(secrets.of(SERVICE_ACCOUNT)).key) },
    apiServer: {
      image: image('kube-apiserver'),
      ...(apiServer.certSANs.length === 0 ? {} : { certSANs: apiServer.certSANs }),
      ...extraArgsOf(apiServer.extraArgs),
      admissionControl: [{ name: 'PodSecurity', configuration: POD_SECURITY }],
      auditPolicy: AUDIT_POLICY,
    },
    controllerManager: {
      image: image('kube-controller-manager'),
      ...extraArgsOf({ ...cloud, ...controllerManager.extraArgs }),
    },
    scheduler: { image: image('kube-scheduler'), ...extraArgsOf(scheduler.extraArgs) },
    proxy: {
      ...(proxy.disabled ? { disabled: true } : { image: image('kube-proxy') }),
      ...(proxy.mode === undefined ? {} : { mode: proxy.mode }),
      ...extraArgsOf(proxy.extraArgs),
    },
    etcd: { ca: authority(facts, ETCD_CA), ...etcdOf(etcd) },
    ...(coreDNS.disabled ? { coreDNS: { disabled: true } } : {}),
    ...(hasNoOwnTaint(facts) ? { allowSchedulingOnControlPlanes: true } : {}),
    ...(extraManifests.length === 0 ? {} : { extraManifests }),
    ...(inlineManifests.length === 0 ? {} : { inlineManifests }),
  };
}

function cniOf({ config: { cni } }: TalosFacts): JsonObject {
  if (cni.name === 'flannel') return {};
  return { cni: { name: cni.name, ...(cni.name === 'custom' ? { urls: cni.urls } : {}) } };
}

/** The other settings of etcd, which 1.14 still has in this place. */
export function etcdOf({ extraArgs, advertisedSubnets }: TalosFacts['config']['etcd']): JsonObject {
  return { ...extraArgsOf(extraArgs), ...(advertisedSubnets.length === 0 ? {} : { advertisedSubnets }) };
}

/** PEM in base64; a worker only gets certificates of authorities, not their keys. */
export function authority(facts: TalosFacts, part: Part): JsonObject {
  const { cert, key } = asPair(facts.secrets.of(part));
  return { crt: base64(cert), key: isControlPlane(facts) ? base64(key) : '' };
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
