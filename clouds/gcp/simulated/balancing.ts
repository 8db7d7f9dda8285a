/** Load balancers that pass packets on: forwarding rules, backend services and groups of endpoints. */
import { type Json, type JsonObject, isJsonObject, stringAt } from '#lib/api/json.ts';
import type { CloudKind, CloudObject } from '#simulator/cloud/kind.ts';
import { gcpKind, inRegion, inZone } from './kind.ts';

export const BALANCING: readonly CloudKind[] = [
  gcpKind('compute', {
    kind: 'RegionHealthCheck',
    title: 'RegionHealthCheck',
    path: inRegion('healthChecks'),
    forceNew: ['region'],
    blockedBy: { RegionBackendService: ['healthChecks'] },
  }),
  gcpKind('compute', {
    kind: 'NetworkEndpointGroup',
    title: 'NetworkEndpointGroup',
    path: inZone('networkEndpointGroups'),
    forceNew: ['defaultPort', 'description', 'network', 'networkEndpointType', 'subnetwork', 'zone'],
    references: { network: 'Network', subnetwork: 'Subnetwork' },
    blockedBy: { NetworkEndpoint: ['networkEndpointGroup'] },
  }),
  gcpKind('compute', {
    kind: 'NetworkEndpoint',
    title: 'NetworkEndpoint',
    idPrefix: 'endpoint-',
    path: inZone('networkEndpoints'),
    forceNew: ['instance', 'ipAddress', 'networkEndpointGroup', 'port', 'zone'],
    refuses: (attributes, find) => {
      const [group, instance] = ['networkEndpointGroup', 'instance'].map((field) =>
        find(stringAt(attributes, field) ?? ''),
      );
      const zone = attributes['zone'];
      if (group?.attributes['zone'] !== zone) return 'googleapi: Error 404: The network endpoint group was not found';
      if (instance === undefined || instance.attributes['zone'] !== zone)
        return `googleapi: Error 400: Invalid value for field 'networkEndpoints[0].instance': '${stringAt(attributes, 'instance') ?? ''}'`;
      return addressesOf(instance.attributes).includes(stringAt(attributes, 'ipAddress') ?? '')
        ? undefined
        : "googleapi: Error 400: Invalid value for field 'networkEndpoints[0].ipAddress'";
    },
  }),
  gcpKind('compute', {
    kind: 'RegionBackendService',
    title: 'RegionBackendService',
    path: inRegion('backendServices'),
    seconds: { create: [10, 40], update: [5, 20], delete: [10, 30] },
    forceNew: ['loadBalancingScheme', 'network', 'region'],
    references: { healthChecks: 'RegionHealthCheck' },
    blockedBy: { ForwardingRule: ['backendService'] },
    refuses: (attributes, find) => {
      const missing = groupsOf(attributes).find((group) => find(idOf(group)) === undefined);
      return missing === undefined ? undefined : `googleapi: Error 404: The resource '${missing}' was not found`;
    },
  }),
  gcpKind('compute', {
    kind: 'ForwardingRule',
    title: 'ForwardingRule',
    path: inRegion('forwardingRules'),
    seconds: { create: [10, 40], update: [5, 15], delete: [10, 30] },
    forceNew: [
      'allPorts',
      'backendService',
      'description',
      'ipAddress',
      'ipProtocol',
      'loadBalancingScheme',
      'network',
      'ports',
      'region',
      'subnetwork',
    ],
    references: {
      backendService: 'RegionBackendService',
      ipAddress: 'Address',
      network: 'Network',
      subnetwork: 'Subnetwork',
    },
  }),
];

/**
 * Packets keep the address of the load balancer, and no image here has the guest agent of Google: a machine without a route
 * of its own drops them, also its own.
 */
export function leadsBack(host: string, things: readonly CloudObject[]): boolean {
  return !things.some((thing) => isOurs(thing) && thing.kind.kind === 'Address' && thing.outputs['address'] === host);
}

/** Names of machines behind an address and port; undefined if the address is not of this cloud. */
export function behind(host: string, port: number, things: readonly CloudObject[]): readonly string[] | undefined {
  const of = (kind: string) => things.filter((thing) => thing.kind.kind === kind && isOurs(thing));
  const address = of('Address').find(({ outputs }) => outputs['address'] === host);
  if (address === undefined) return undefined;
  const services = new Set(
    of('ForwardingRule')
      .filter(({ attributes }) => attributes['ipAddress'] === address.id && serves(attributes, port))
      .map(({ attributes }) => attributes['backendService']),
  );
  const groups = new Set(
    of('RegionBackendService')
      .filter(({ id }) => services.has(id))
      .flatMap(({ attributes }) => groupsOf(attributes).map(idOf)),
  );
  const names = new Set(
    of('NetworkEndpointGroup')
      .filter(({ arn }) => groups.has(arn))
      .map(({ id }) => id),
  );
  return of('NetworkEndpoint')
    .filter(({ attributes }) => names.has(stringAt(attributes, 'networkEndpointGroup') ?? ''))
    .flatMap(({ attributes }) => stringAt(attributes, 'instance') ?? [])
    .toSorted();
}

function isOurs({ kind }: CloudObject): boolean {
  return BALANCING[0]?.apiVersion === kind.apiVersion;
}

function serves({ ports, allPorts }: JsonObject, port: number): boolean {
  return allPorts === true || (Array.isArray(ports) && ports.includes(String(port)));
}

function groupsOf({ backend }: JsonObject): readonly string[] {
  const list = Array.isArray(backend) ? (backend as readonly Json[]) : [];
  return list.filter(isJsonObject).flatMap((one) => stringAt(one, 'group') ?? []);
}

/** From the address of a resource. */
function idOf(link: string): string {
  return link.slice(Math.max(link.indexOf('projects/'), 0));
}

function addressesOf({ networkInterface }: JsonObject): readonly string[] {
  const list = Array.isArray(networkInterface) ? (networkInterface as readonly Json[]) : [];
  return list.flatMap((one) => stringAt(one, 'networkIp') ?? []);
}
