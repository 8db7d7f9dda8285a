/** /etc/k0s.yaml: the ClusterConfig, the same on every controller. */
import { sortedYaml } from '#lib/api/yaml.ts';
import type { K0sFacts } from './facts.ts';
import { JOIN_PORT } from './traits.ts';

export function clusterConfig({ cluster, config, endpoint }: K0sFacts): string {
  const { pods, services, dnsDomain } = cluster.spec.network;
  const { api, controllerManager, scheduler, storage, network, telemetry } = config;
  const { images, extensions, featureGates, workerProfiles } = config;
  const document = {
    apiVersion: 'k0s.k0sproject.io/v1beta1',
    kind: 'ClusterConfig',
    metadata: { name: 'k0s' },
    spec: {
      api: {
        externalAddress: endpoint.host,
        // k0s requires the same port at the load balancer and on the machines behind it.
        port: endpoint.port,
        k0sApiPort: JOIN_PORT,
        sans: [...new Set([endpoint.host, ...api.sans])],
        extraArgs: api.extraArgs,
      },
      controllerManager,
      scheduler,
      storage: { type: 'etcd', etcd: storage.etcd },
      network: { ...network, podCIDR: pods, serviceCIDR: services, clusterDomain: dnsDomain },
      telemetry,
      images,
      extensions,
      ...(featureGates.length === 0 ? {} : { featureGates }),
      ...(workerProfiles.length === 0 ? {} : { workerProfiles }),
    },
  };
  // Sorted keys: the same claim with another order of keys gives the same file.
  return sortedYaml(document);
}
