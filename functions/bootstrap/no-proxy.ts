/** What the machines of a cluster reach without a proxy, whatever a claim says: themselves, their pods, their API. */
import type { Cluster } from '#lib/api/kinds/cluster.ts';

export function noProxy({ spec, status }: Cluster): readonly string[] {
  const { pods, services, nodes, dnsDomain } = spec.network;
  const { cidr } = status?.infrastructure?.network ?? {};
  const { host } = status?.controlPlaneEndpoint ?? {};
  const endpoint = host === undefined ? [] : [host];
  return [pods, services, cidr ?? nodes, '.svc', `.${dnsDomain}`, ...endpoint];
}
