/**
 * The load balancer of the API: an address, a rule that forwards to a backend service, and a group of endpoints per
 * zone, in which machines register themselves. Packets pass it unchanged. A machine in a group therefore answers its
 * own requests to the address, which is why a joining machine registers only once its node is ready.
 */
import { at, isJsonObject, type Json, type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import { API } from '#lib/cloud/traffic.ts';
import { nameIn } from '../names.ts';
import { clusterLabels } from './labels.ts';
import { output } from '#lib/cloud/observed.ts';
import { type Entry, ref } from '#lib/cloud/managed.ts';
import { description, managed, networkOf, subnetOf } from './resource.ts';
import type { Site } from './site.ts';

type Observed = ReadonlyMap<string, KubeObject>;

export function loadBalancer(site: Site, observed: Observed): readonly Entry[] {
  if (!site.loadBalancer) return [];
  const backends = backendsOf(site, observed);
  // Without its groups, it would be changed as soon as they are known.
  const isKnown = backends.length === site.network.zones.length || observed.has('api-backend');
  return [
    address(site),
    healthCheck(site),
    ...site.network.zones.map((zone) => endpointGroup(site, zone)),
    ...(isKnown ? [backendService(site, backends)] : []),
    forwardingRule(site),
  ];
}

/** A machine registers with the group of its zone. @returns such as europe-west1-b/team-a-prod-x7k2m9-neg-europe-west1-b */
export function groupId(site: Site, zone: string): string {
  return `${zone}/${nameIn(site.id, `neg-${zone}`)}`;
}

const isInternal = ({ scheme }: Site): boolean => scheme === 'internal';
const schemeName = (site: Site): string => (isInternal(site) ? 'INTERNAL' : 'EXTERNAL');

/** Reserved, so that certificates and nodes can contain it. */
function address(site: Site): Entry {
  return managed(site, 'Address', 'api-address', {
    addressType: schemeName(site),
    ...(isInternal(site) ? { ...subnetOf(site), purpose: 'GCE_ENDPOINT' } : {}),
    description: description(site, API.description),
    labels: clusterLabels(site),
  });
}

/** By a connection only: not every Kubernetes API answers a request of somebody unknown. */
function healthCheck(site: Site): Entry {
  return managed(site, 'RegionHealthCheck', 'api-health', {
    tcpHealthCheck: { port: API.port },
    checkIntervalSec: 5,
    timeoutSec: 5,
    healthyThreshold: 2,
    unhealthyThreshold: 3,
    description: description(site, API.description),
  });
}

function endpointGroup(site: Site, zone: string): Entry {
  return managed(site, 'NetworkEndpointGroup', `neg-${zone}`, {
    zone,
    ...networkOf(site),
    ...subnetOf(site),
    networkEndpointType: 'GCE_VM_IP',
    description: description(site, API.description),
  });
}

/** There is no reference to groups of this kind. One that exists stays while its group cannot be read. */
function backendsOf({ network: { zones } }: Site, observed: Observed): readonly JsonObject[] {
  const made = at(observed.get('api-backend'), 'spec', 'forProvider', 'backend');
  const before = (Array.isArray(made) ? (made as readonly Json[]) : []).filter(isJsonObject);
  return zones.flatMap((zone) => {
    const group = output(observed.get(`neg-${zone}`), 'selfLink');
    if (group !== undefined) return [{ group, balancingMode: 'CONNECTION' }];
    return before.filter((one) => stringAt(one, 'group')?.includes(`/zones/${zone}/`) === true);
  });
}

function backendService(site: Site, backend: readonly JsonObject[]): Entry {
  return managed(site, 'RegionBackendService', 'api-backend', {
    loadBalancingScheme: schemeName(site),
    protocol: 'TCP',
    healthChecksRefs: [ref(site, 'api-health')],
    backend: [...backend],
    description: description(site, API.description),
  });
}

const MOST_PORTS = 5; // of one forwarding rule

function forwardingRule(site: Site): Entry {
  const ports = [API, ...site.joinPorts].map(({ port }) => String(port));
  return managed(site, 'ForwardingRule', 'api-rule', {
    loadBalancingScheme: schemeName(site),
    ipProtocol: 'TCP',
    ipAddressRef: ref(site, 'api-address'),
    backendServiceRef: ref(site, 'api-backend'),
    // Firewalls open only those ports anyway.
    ...(ports.length > MOST_PORTS ? { allPorts: true } : { ports }),
    // Clients of other regions: the management cluster may be in one.
    ...(isInternal(site) ? { ...networkOf(site), ...subnetOf(site), allowGlobalAccess: true } : {}),
    description: description(site, API.description),
    labels: clusterLabels(site),
  });
}
