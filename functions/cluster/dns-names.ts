/** Names of DNS that a claim gives to a new Cluster: machines would not find its API, or would not start with them. */
import { withValue } from '#lib/api/issues.ts';
import { DOMAIN_RULE, HOST_RULE, isDomain, isHost } from '#lib/api/host-name.ts';
import type { Cluster } from '#lib/api/kinds/cluster.ts';
import { refusalFor } from '#lib/api/refusal.ts';

/** Throws InvalidClaim. Only for a new Cluster: neither can change later. */
export function refuseDnsNames(
  { spec }: { readonly spec: Omit<Cluster['spec'], 'infrastructure'> },
  owner: string,
): void {
  const { network, controlPlane } = spec;
  const host = controlPlane.endpoint?.host;
  if (host !== undefined && !isHost(host))
    throw refusalFor(owner, 'spec.controlPlane.endpoint.host', withValue(host, HOST_RULE));
  if (!isDomain(network.dnsDomain))
    throw refusalFor(owner, 'spec.network.dnsDomain', withValue(network.dnsDomain, DOMAIN_RULE));
}
