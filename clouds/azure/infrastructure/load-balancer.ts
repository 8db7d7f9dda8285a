/**
 * The load balancer of the API: a frontend with a public or a private address, a pool in which machines register
 * themselves, and a rule for each port. A machine that is in the pool of a private frontend cannot reach itself by it.
 */
import { at, type Json, type JsonObject, isJsonObject } from '#lib/api/json.ts';
import { API, type ServedPort } from '#lib/cloud/traffic.ts';
import { publicAddress, zonesOf } from './network.ts';
import { output } from '#lib/cloud/observed.ts';
import { type Entry, ref } from '#lib/cloud/managed.ts';
import { kept, managed, type Observed } from './resource.ts';
import type { Site } from './site.ts';
import { clusterTags } from './tags.ts';

/** Of the frontend, and of every rule of it. */
const FRONTEND = 'api';

export function loadBalancer(site: Site, observed: Observed): readonly Entry[] {
  if (!site.loadBalancer) return [];
  return [
    ...(site.scheme === 'internet-facing' ? [publicAddress(site, 'api-address', observed)] : []),
    ...balancer(site, observed),
    managed(site, 'LoadBalancerBackendAddressPool', 'api-pool', { loadbalancerIdRef: ref(site, 'api-lb') }),
    // By a connection only: not every Kubernetes API answers a request of somebody unknown.
    managed(site, 'LoadBalancerProbe', 'api-health', {
      loadbalancerIdRef: ref(site, 'api-lb'),
      protocol: 'Tcp',
      port: API.port,
      intervalInSeconds: 5,
      numberOfProbes: 2,
    }),
    ...[API, ...site.joinPorts].flatMap((port) => rule(site, port, observed)),
  ];
}

/** The id of the pool in which control-plane machines register. */
export function poolOf(observed: Observed): string | undefined {
  return output(observed.get('api-pool'), 'id');
}

/** The address of the API, once the cloud told. */
export function apiAddress(observed: Observed): string | undefined {
  return output(observed.get('api-address'), 'ipAddress') ?? output(observed.get('api-lb'), 'privateIpAddress');
}

/** It waits for what its frontend is in; one that exists stays while that cannot be read. */
function balancer(site: Site, observed: Observed): readonly Entry[] {
  const key = 'api-lb';
  const place = frontend(site, observed);
  if (place === undefined) return kept(key, observed);
  return [
    managed(site, 'LoadBalancer', key, {
      sku: 'Standard',
      frontendIpConfiguration: [{ name: FRONTEND, ...place }],
      tags: clusterTags(site),
    }),
  ];
}

/**
 * By the id of the address or the subnet. Frontends are a list that has one writer: with a reference, the provider would
 * write the id into it, and Crossplane take it out again, for ever.
 */
function frontend(site: Site, observed: Observed): JsonObject | undefined {
  if (site.scheme === 'internet-facing') {
    const address = output(observed.get('api-address'), 'id');
    return address === undefined ? undefined : { publicIpAddressId: address };
  }
  const { network } = site;
  const subnet =
    network.kind === 'existing' ? network.subnets.get(network.zones[0] ?? '') : output(observed.get('subnet'), 'id');
  if (subnet === undefined) return undefined;
  const made = at(observed.get('api-lb'), 'spec', 'forProvider', 'frontendIpConfiguration');
  const [first] = Array.isArray(made) ? (made as readonly Json[]) : [];
  return {
    privateIpAddressAllocation: 'Dynamic',
    subnetId: subnet,
    ...zonesOf(site, isJsonObject(first) ? first['zones'] : undefined),
  };
}

/** There is no reference to pools and probes. A rule that exists stays while they cannot be read. */
function rule(site: Site, { name, port }: ServedPort, observed: Observed): readonly Entry[] {
  const key = `api-rule-${name}`;
  const [pool, probe] = [poolOf(observed), output(observed.get('api-health'), 'id')];
  if (pool === undefined || probe === undefined) return kept(key, observed);
  return [
    managed(site, 'LoadBalancerRule', key, {
      loadbalancerIdRef: ref(site, 'api-lb'),
      protocol: 'Tcp',
      frontendPort: port,
      backendPort: port,
      frontendIpConfigurationName: FRONTEND,
      backendAddressPoolIds: [pool],
      probeId: probe,
      // Machines leave by the NAT gateway.
      disableOutboundSnat: true,
      // In minutes; a client learns at once that its connection was closed.
      idleTimeoutInMinutes: 30,
      tcpResetEnabled: true,
    }),
  ];
}
