/** Whether control planes need the address of the API as a local one. */
import ipaddr from 'ipaddr.js';
import type { Endpoint, KnownInfrastructure } from '#lib/cloud/infrastructure.ts';
import { API } from '#lib/cloud/traffic.ts';
import type { Site } from './site.ts';

/**
 * No machine reaches itself by a private frontend: packets come back with its own address as their source. A local address
 * has the ports of the machine, so that an endpoint behind an existing pool needs the port of the API server.
 * @param endpoint  of the claim
 */
export function localAddress(
  { loadBalancer, scheme, existing }: Pick<Site, 'loadBalancer' | 'scheme' | 'existing'>,
  endpoint: Endpoint | undefined,
): KnownInfrastructure['apiAccess'] {
  const isPrivate = loadBalancer
    ? scheme === 'internal'
    : existing.loadBalancerTargets !== undefined && leadsTo(endpoint);
  return isPrivate ? { localAddress: true } : {};
}

function leadsTo({ host, port }: Endpoint = { host: '', port: 0 }): boolean {
  if (port !== API.port || !ipaddr.IPv4.isValidFourPartDecimal(host)) return false;
  return ipaddr.IPv4.parse(host).range() === 'private';
}
