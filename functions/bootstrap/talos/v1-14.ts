/** The machine configuration of Talos 1.14: one document for each topic; the first document has the rest. */
import type { JsonObject } from '#lib/api/json.ts';
import { asPair, type Part } from '../parts.ts';
import { BUNDLE, CA, ETCD_CA, PROXY_CA, SERVICE_ACCOUNT, TALOS_CA } from './bundle.ts';
import * as defaults from './defaults.ts';
import { endpointUrl, type TalosFacts, isControlPlane } from './facts.ts';
import { extraArgsOf, hasNoOwnTaint, kubeletArgs, kubeletFields, kubeletImage, nodeIP, nodeLabels } from './kubelet.ts';
import type { Document } from './patches.ts';
import { authority, etcdOf } from './v1-13.ts';

const CONTROL_PLANE = 'node-role.kubernetes.io/control-plane';
const WEEK = '168h0m0s';

export function documents114(facts: TalosFacts): readonly Document[] {
  const { machine, cluster, config } = facts;
  const { pods, services, dnsDomain } = cluster.spec.network;
  const bundle = facts.secrets.of(BUNDLE);
  return [
    first(facts),
    ...installOf(facts),
    document('HostnameConfig', { auto: 'off', hostname: machine.metadata.name }),
    ...(config.discovery.enabled
      ? [document('DiscoveryServiceConfig', { name: 'default', endpoint: defaults.DISCOVERY_SERVICE })]
      : []),
    document('DiscoveryIdentityConfig', { clusterID: bundle['id'], clusterSecret: bundle['secret'] }),
    document('ResolverConfig', { hostDNS: { enabled: true, forwardKubeDNSToHost: true } }),
    document('VolumeConfig', { name: 'EPHEMERAL', mount: { secure: true } }),
    document('FilesystemTrimConfig', { interval: WEEK }),
    document('SecurityProfileConfig', { workloadIsolation: true }),
    document('KubeClusterConfig', { clusterName: cluster.metadata.name, endpoint: endpointUrl(facts) }),
    document('KubeNodeConfig', nodeOf(facts)),
    document('KubeletConfig', {
      image: kubeletImage(facts),
      config: kubeletFields(facts),
      ...kubeletArgs(facts),
      defaultRuntimeSeccompProfileEnabled: true,
    }),
    document('KubeNetworkConfig', { dnsDomain, podSubnets: [pods], serviceSubnets: [services] }),
    document(
      'KubeAPIServerCAConfig',
      isControlPlane(facts) ? issuing(facts, CA) : { acceptedCAs: [certOf(facts, CA)] },
    ),
    document('KubePrismConfig', { port: defaults.KUBE_PRISM_PORT }),
    ...(isControlPlane(facts) ? controlPlaneOf(facts) : []),
  ];
}

function document(kind: string, fields: JsonObject): Document {
  return { apiVersion: 'v1alpha1', kind, ...fields };
}

function first(facts: TalosFacts): Document {
  const { config, secrets } = facts;
  const bundle = secrets.of(BUNDLE);
  return {
    version: 'v1alpha1',
    machine: {
      type: isControlPlane(facts) ? 'controlplane' : 'worker',
      token: bundle['trustdtoken'],
      ca: authority(facts, TALOS_CA),
      certSANs: config.certSANs,
      features: { diskQuotaSupport: true },
    },
    cluster: {
      token: bundle['bootstraptoken'],
      ...(isControlPlane(facts) ? { etcd: { ca: authority(facts, ETCD_CA), ...etcdOf(config.etcd) } } : {}),
    },
  };
}

function installOf({ config: { install } }: TalosFacts): readonly Document[] {
  if (install === undefined) return [];
  const { disk, image, wipe } = install;
  return [
    document('UnattendedInstallConfig', {
      installer: image === undefined ? {} : { image },
      provisioning: { diskSelector: { match: `disk.dev_path == "${disk}"` }, wipe },
    }),
  ];
}

/** Since 1.14, the label and the taint of control planes must be set explicitly. */
function nodeOf(facts: TalosFacts): JsonObject {
  const labels = { ...(isControlPlane(facts) ? { [CONTROL_PLANE]: '' } : {}), ...nodeLabels(facts) };
  const tainted = isControlPlane(facts) && !hasNoOwnTaint(facts);
  return {
    nodeIP: {},
    ...nodeIP(facts),
    ...(Object.keys(labels).length === 0 ? {} : { labels }),
    ...(tainted ? { taints: { [CONTROL_PLANE]: 'NoSchedule' } } : {}),
  };
}

/** Fields of control planes only. */
function controlPlaneOf(facts: TalosFacts): readonly Document[] {
  const { config, machine, secrets, cloudProvider } = facts;
  const { apiServer, controllerManager, scheduler, proxy, coreDNS } = config;
  const image = (component: string): string => defaults.componentImage(component, machine.spec.version);
  const cloud = cloudProvider === 'external' ? { 'cloud-provider': 'external' } : {};
  return [
    document('KubeAggregatorCAConfig', issuing(facts, PROXY_CA)),
    document('KubeAdmissionControlConfig', { name: 'PodSecurity', configuration: defaults.POD_SECURITY }),
    document('KubeAuditPolicyConfig', { configuration: defaults.AUDIT_POLICY }),
    document('KubeAuthenticationConfig', { configuration: defaults.AUTHENTICATION }),
    document('KubeAuthorizerConfig', { name: 'node', type: 'Node' }),
    document('KubeAuthorizerConfig', { name: 'rbac', type: 'RBAC' }),
    document('KubeEtcdEncryptionConfig', encryptionOf(facts)),
    document('KubeServiceAccountConfig', {
      issuer: { privateKey: asPair(secrets.of(SERVICE_ACCOUNT)).key, issuerURL: endpointUrl(facts) },
    }),
    document('KubeAPIServerConfig', {
      image: image('kube-apiserver'),
      ...(apiServer.certSANs.length === 0 ? {} : { certExtraSANs: apiServer.certSANs }),
      ...extraArgsOf(apiServer.extraArgs),
    }),
    document('KubeControllerManagerConfig', {
      image: image('kube-controller-manager'),
      ...extraArgsOf({ ...cloud, ...controllerManager.extraArgs }),
    }),
    document('KubeSchedulerConfig', {
      image: image('kube-scheduler'),
      config: {},
      ...extraArgsOf(scheduler.extraArgs),
    }),
    document('KubeProxyConfig', {
      ...(proxy.disabled ? { enabled: false } : { image: image('kube-proxy') }),
      ...(proxy.mode === undefined ? {} : { mode: proxy.mode }),
      config: {},
      ...extraArgsOf(proxy.extraArgs),
    }),
    ...manifestsOf(facts),
    document('KubeCoreDNSConfig', { enabled: !coreDNS.disabled }),
  ];
}

/** The name of the key is the default of Talos, so that a cluster upgraded from 1.13 can read its data. */
function encryptionOf({ secrets }: TalosFacts): JsonObject {
  const secret = secrets.of(BUNDLE)['secretboxencryptionsecret'];
  const providers = [{ secretbox: { keys: [{ name: 'key2', secret }] } }];
  return { config: { resources: [{ resources: ['secrets'], providers }] } };
}

function manifestsOf({ config: { cni, extraManifests, inlineManifests } }: TalosFacts): readonly Document[] {
  const external = (prefix: string) => (url: string, index: number) =>
    document('KubeExternalManifestConfig', { name: `${prefix}-${index}`, url });
  return [
    ...(cni.name === 'flannel'
      ? [document('KubeFlannelCNIConfig', { backendType: 'vxlan', backendPort: 4789 })]
      : cni.urls.map(external('cni'))),
    ...extraManifests.map(external('extra')),
    ...inlineManifests.map(({ name, contents }) => document('KubeInlineManifestConfig', { name, manifest: contents })),
  ];
}

function issuing({ secrets }: TalosFacts, part: Part): JsonObject {
  const { cert, key } = asPair(secrets.of(part));
  return { issuingCA: { cert, key } };
}

function certOf({ secrets }: TalosFacts, part: Part): string {
  return asPair(secrets.of(part)).cert;
}
