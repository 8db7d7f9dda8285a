/** Load balancers that pass packets on: frontends, rules, pools and the network interfaces in them. */
import { type JsonObject, stringAt } from '#lib/api/json.ts';
import type { CloudKind, CloudObject } from '#simulator/cloud/kind.ts';
import { azureKind, inGroup, listIn, partOf, textsIn } from './kind.ts';
import { addressIn, notFound } from './network.ts';

const PART = { loadbalancerId: 'LoadBalancer' } as const;

export const BALANCING: readonly CloudKind[] = [
  azureKind('network', {
    kind: 'LoadBalancer',
    title: 'Load Balancer',
    path: inGroup('Microsoft.Network/loadBalancers'),
    seconds: { create: [5, 20], update: [5, 20], delete: [5, 20] },
    forceNew: ['edgeZone', 'location', 'resourceGroupName', 'sku', 'skuTier'],
    references: { publicIpAddressId: 'PublicIP', subnetId: 'Subnet' },
    created: ({ id, attributes, dice, find }) => {
      const subnet = stringAt(frontendOf(attributes), 'subnetId');
      if (subnet === undefined) return {};
      return { outputs: { privateIpAddress: addressIn(find(subnet), 1 + Math.floor(dice.roll('lb', id) * 250)) } };
    },
  }),
  azureKind('network', {
    kind: 'LoadBalancerBackendAddressPool',
    title: 'Backend Address Pool',
    path: partOf('loadbalancerId', 'backendAddressPools'),
    forceNew: ['loadbalancerId', 'synchronousMode'],
    references: PART,
    blockedBy: { LoadBalancerRule: ['backendAddressPoolIds'] },
  }),
  azureKind('network', {
    kind: 'LoadBalancerProbe',
    title: 'Probe',
    path: partOf('loadbalancerId', 'probes'),
    forceNew: ['loadbalancerId'],
    references: PART,
    blockedBy: { LoadBalancerRule: ['probeId'] },
  }),
  azureKind('network', {
    kind: 'LoadBalancerRule',
    title: 'Load Balancing Rule',
    path: partOf('loadbalancerId', 'loadBalancingRules'),
    forceNew: ['loadbalancerId'],
    references: PART,
    refuses: (attributes, find) => {
      const ids = [...textsIn(attributes['backendAddressPoolIds']), stringAt(attributes, 'probeId') ?? ''];
      const missing = ids.find((id) => find(id) === undefined);
      return missing === undefined ? undefined : notFound(missing);
    },
  }),
];

/** Names of machines behind an address and port; undefined if the address is not of this cloud. */
export function behind(host: string, port: number, things: readonly CloudObject[]): readonly string[] | undefined {
  const of = (kind: string) => things.filter((thing) => thing.kind.kind === kind && isOurs(thing));
  const addresses = new Set(
    of('PublicIP')
      .filter(({ outputs }) => outputs['ipAddress'] === host)
      .map(({ arn }) => arn),
  );
  const balancer = of('LoadBalancer').find(
    ({ attributes, outputs }) =>
      outputs['privateIpAddress'] === host ||
      addresses.has(stringAt(frontendOf(attributes), 'publicIpAddressId') ?? ''),
  );
  if (balancer === undefined) return undefined;
  const pools = new Set(
    of('LoadBalancerRule')
      .filter(({ attributes }) => attributes['loadbalancerId'] === balancer.arn && attributes['frontendPort'] === port)
      .flatMap(({ attributes }) => textsIn(attributes['backendAddressPoolIds'])),
  );
  const interfaces = new Set(
    of('NetworkInterfaceBackendAddressPoolAssociation')
      .filter(({ attributes }) => pools.has(stringAt(attributes, 'backendAddressPoolId') ?? ''))
      .map(({ attributes }) => stringAt(attributes, 'networkInterfaceId') ?? ''),
  );
  return things
    .filter(({ kind }) => kind.kind === 'LinuxVirtualMachine')
    .filter(({ attributes }) => textsIn(attributes['networkInterfaceIds']).some((id) => interfaces.has(id)))
    .map(({ id }) => id)
    .toSorted();
}

/** A machine never reaches itself by a private frontend. */
export function leadsBack(host: string, things: readonly CloudObject[]): boolean {
  return !things.some(
    (thing) => thing.kind.kind === 'LoadBalancer' && thing.outputs['privateIpAddress'] === host && isOurs(thing),
  );
}

function isOurs({ kind }: CloudObject): boolean {
  return BALANCING[0]?.apiVersion === kind.apiVersion;
}

function frontendOf({ frontendIpConfiguration }: JsonObject): JsonObject | undefined {
  return listIn(frontendIpConfiguration)[0];
}
