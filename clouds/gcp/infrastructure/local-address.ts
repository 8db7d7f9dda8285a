/** Whether control planes need the address of the API as a local one. */
import { isIPv4 } from 'node:net';
import type { Endpoint, KnownInfrastructure } from '#lib/cloud/infrastructure.ts';
import { API } from '#lib/cloud/traffic.ts';
import type { Site } from './site.ts';

/**
 * Packets and health checks keep the address of the load balancer. A machine drops them without a local route for this
 * address. The guest agent of Google adds the route; our unit adds it on images without the agent.
 * @param endpoint  of the claim
 */
export function localAddress(
  { loadBalancer, existing }: Pick<Site, 'loadBalancer' | 'existing'>,
  endpoint: Endpoint | undefined,
): KnownInfrastructure['apiAccess'] {
  const leadsTo = endpoint !== undefined && endpoint.port === API.port && isIPv4(endpoint.host);
  return loadBalancer || (existing.loadBalancerTargets !== undefined && leadsTo) ? { localAddress: true } : {};
}
