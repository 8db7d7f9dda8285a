/**
 * ClusterConfiguration: the configuration of control planes; the first machine writes it to the cluster, later ones
 * update it.
 */
import type { Flags } from '../claim-config.ts';
import { ETCD_CLIENT_FILES } from './authorities.ts';
import { type Document, type KubeadmFacts, flagsAs, inOrder } from './facts.ts';
import { apiServer as hardened, type ComponentSettings, quiet } from './hardening.ts';
import { PKI } from './pki-folder.ts';
import { managerFlags } from './volume-plugins.ts';

export function clusterConfiguration(facts: KubeadmFacts): Document {
  const { cluster, machine, config, endpoint, cloudProvider, api, encrypted } = facts;
  const { pods, services, dnsDomain } = cluster.spec.network;
  const { apiServer, controllerManager, scheduler, imageRepository, featureGates } = config;
  const cloud: Flags = cloudProvider === 'external' ? { 'cloud-provider': 'external' } : {};
  const component = ({ extraArgs, extraVolumes }: ComponentSettings): Document => ({
    ...flagsAs('extraArgs', extraArgs, api),
    ...(extraVolumes.length === 0 ? {} : { extraVolumes }),
  });
  return {
    apiVersion: `kubeadm.k8s.io/${api}`,
    kind: 'ClusterConfiguration',
    clusterName: cluster.metadata.name,
    kubernetesVersion: machine.spec.version,
    controlPlaneEndpoint: address(endpoint),
    certificatesDir: PKI,
    ...(imageRepository === undefined ? {} : { imageRepository }),
    networking: { podSubnet: pods, serviceSubnet: services, dnsDomain },
    apiServer: {
      certSANs: [...new Set([endpoint.host, ...config.certSANs])],
      ...component(hardened(apiServer, machine.spec.version, encrypted)),
    },
    controllerManager: component(
      quiet({
        ...controllerManager,
        extraArgs: { ...cloud, ...managerFlags(machine), ...controllerManager.extraArgs },
      }),
    ),
    scheduler: component(quiet(scheduler)),
    etcd: etcdOf(facts),
    ...(Object.keys(featureGates).length === 0 ? {} : { featureGates: inOrder(featureGates) }),
    // v1beta3 has no such field: kubeadm then issues RSA certificates, which authorities of either kind can sign.
    ...(api === 'v1beta3' ? {} : { encryptionAlgorithm: config.encryptionAlgorithm, ...periods(config) }),
  };
}

function etcdOf({ config: { etcd }, api }: KubeadmFacts): Document {
  const { dataDir, extraArgs, external } = etcd;
  if (external === undefined) return { local: { dataDir, ...flagsAs('extraArgs', extraArgs, api) } };
  return {
    external: {
      endpoints: external.endpoints,
      caFile: `${PKI}/${ETCD_CLIENT_FILES.ca}`,
      certFile: `${PKI}/${ETCD_CLIENT_FILES.cert}`,
      keyFile: `${PKI}/${ETCD_CLIENT_FILES.key}`,
    },
  };
}

function periods(config: KubeadmFacts['config']): Document {
  const { certificateValidityPeriod: leaf, caCertificateValidityPeriod: ca } = config;
  return {
    ...(leaf === undefined ? {} : { certificateValidityPeriod: leaf }),
    ...(ca === undefined ? {} : { caCertificateValidityPeriod: ca }),
  };
}

export function address({ host, port }: KubeadmFacts['endpoint']): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}
