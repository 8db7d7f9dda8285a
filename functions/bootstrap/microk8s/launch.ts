/** The launch configuration, which the snap reads before anything of it has started. */
import type { Registry } from '#lib/api/fields/host.ts';
import { proxyVariables } from '#lib/api/proxy.ts';
import { sortedYaml } from '#lib/api/yaml.ts';
import type { Flags } from '../claim-config.ts';
import { noProxy } from '../no-proxy.ts';
import { hostsToml, refuseDuplicateHosts } from '../runtime-files.ts';
import { API_PORT, apiServiceAddress, type MicroK8sFacts, FOLDER, isControlPlane, startsCluster } from './facts.ts';
import { KUBELET_FILE } from './kubelet.ts';

export const LAUNCH_FILE = '/var/snap/microk8s/common/.microk8s.yaml';

type FlagsField = 'extraKubeAPIServerArgs' | 'extraKubeletArgs' | OtherFlagsField;
type OtherFlagsField =
  'extraKubeControllerManagerArgs' | 'extraKubeSchedulerArgs' | 'extraKubeProxyArgs' | 'extraDqliteArgs';

/** Version 0.2.0 is the first one with network fields. A worker copies its flags from the machine that it joins. */
export function launchConfiguration(facts: MicroK8sFacts): string {
  const document = {
    version: '0.2.0',
    ...(isControlPlane(facts) ? controlPlane(facts) : {}),
    ...runtime(facts),
  };
  // Sorted keys: the same claim with another order of keys gives the same file.
  return `---\n${sortedYaml(document)}`;
}

function controlPlane(facts: MicroK8sFacts): object {
  const { cluster, config, endpoint, token, cloudProvider } = facts;
  const { pods, services } = cluster.spec.network;
  const external: Flags = cloudProvider === 'external' ? { 'cloud-provider': 'external' } : {};
  return {
    persistentClusterToken: token,
    // Setting the list replaces the default of MicroK8s, which only has the address of its default block.
    extraSANs: [...new Set([endpoint.host, apiServiceAddress(cluster), ...config.extraSANs])],
    extraCNIEnv: { IPv4_SUPPORT: 'true', IPv4_CLUSTER_CIDR: pods, IPv4_SERVICE_CIDR: services },
    extraKubeAPIServerArgs: launchFlags('extraKubeAPIServerArgs', facts, {
      // A joining machine gets the port of the machine that it joins. Until then it must not serve the port of the load
      // balancers, because it has its own authority.
      ...(startsCluster(facts) ? { 'secure-port': `${API_PORT}` } : {}),
      // The default of MicroK8s is AlwaysAllow.
      'authorization-mode': 'RBAC,Node',
    }),
    extraKubeletArgs: launchFlags('extraKubeletArgs', facts, { config: KUBELET_FILE, ...external }),
    ...Object.fromEntries(
      (['extraKubeControllerManagerArgs', 'extraKubeSchedulerArgs', 'extraKubeProxyArgs', 'extraDqliteArgs'] as const)
        .map((field) => [field, launchFlags(field, facts)] as const)
        .filter(([, flags]) => Object.keys(flags).length > 0),
    ),
  };
}

/** Flags of the claim override ours. */
function launchFlags(field: FlagsField, { config }: MicroK8sFacts, ours: Flags = {}): Flags {
  const all = Object.entries({ ...ours, ...config[field] });
  return Object.fromEntries(all.map(([name, value]) => [`--${name}`, value]));
}

/** Proxy and registries of containerd, on every machine. */
function runtime({ cluster, machine, owner }: MicroK8sFacts): object {
  const { registries, proxy } = machine.spec.provisioning;
  refuseDuplicateHosts(registries, owner);
  const tables = registries.map((registry) => [registry.host, hostsToml(registry, certificatePath(registry))] as const);
  return {
    ...(registries.length === 0 ? {} : { containerdRegistryConfigs: Object.fromEntries(tables) }),
    ...(proxy === undefined ? {} : { extraContainerdEnv: Object.fromEntries(proxyVariables(proxy, noProxy(cluster))) }),
  };
}

/** Path of the certificate for the mirrors of a registry. */
export function certificatePath({ host, caCertificate }: Registry): string | undefined {
  return caCertificate === undefined ? undefined : `${FOLDER}/certs.d/${host}/ca.crt`;
}
