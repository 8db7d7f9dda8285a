/** What machines of a cluster always reach without the proxy: themselves, their pods, their API. */
import type { Cluster } from '#lib/api/kinds/cluster.ts';

export function noProxy({ spec, status }: Cluster): readonly string[] {
  const { pods, services, nodes, dnsDomain } = spec.network;
  const { cidr } = status?.infrastructure?.network ?? {};
  const { host } = status?.controlPlaneEndpoint ?? {};
  const endpoint = host === undefined ? [] : [host];
  return [pods, services, cidr ?? nodes, '.svc', `.${dnsDomain}`, ...endpoint];
}
