/** Networks and what is in them. */
import { stringAt } from '#lib/api/json.ts';
import type { CloudKind, CloudObject } from '#simulator/cloud/kind.ts';
import { everywhere, gcpKind, inRegion } from './kind.ts';

export const NETWORK: readonly CloudKind[] = [
  gcpKind('compute', {
    kind: 'Network',
    title: 'Network',
    path: everywhere('networks'),
    seconds: { create: [10, 25], update: [5, 10], delete: [10, 25] },
    forceNew: ['autoCreateSubnetworks', 'description'],
    blockedBy: {
      Subnetwork: ['network'],
      Router: ['network'],
      Firewall: ['network'],
      NetworkEndpointGroup: ['network'],
      ForwardingRule: ['network'],
    },
  }),
  gcpKind('compute', {
    kind: 'Subnetwork',
    title: 'Subnetwork',
    path: inRegion('subnetworks'),
    seconds: { create: [10, 25], update: [5, 15], delete: [10, 25] },
    forceNew: ['network', 'region', 'description'],
    references: { network: 'Network' },
    blockedBy: {
      Address: ['subnetwork'],
      ForwardingRule: ['subnetwork'],
      Instance: ['networkInterface.subnetwork'],
      NetworkEndpointGroup: ['subnetwork'],
    },
  }),
  gcpKind('compute', {
    kind: 'Router',
    title: 'Router',
    path: inRegion('routers'),
    seconds: { create: [10, 15], update: [5, 10], delete: [10, 15] },
    forceNew: ['network', 'region'],
    references: { network: 'Network' },
  }),
  gcpKind('compute', {
    kind: 'RouterNAT',
    title: 'RouterNat',
    path: inRegion('nats'),
    seconds: { create: [10, 20], update: [5, 15], delete: [10, 20] },
    forceNew: ['region', 'router', 'type'],
    references: { router: 'Router', natIps: 'Address' },
  }),
  gcpKind('compute', {
    kind: 'Address',
    title: 'Address',
    path: inRegion('addresses'),
    forceNew: ['address', 'addressType', 'description', 'network', 'networkTier', 'purpose', 'region', 'subnetwork'],
    references: { subnetwork: 'Subnetwork' },
    blockedBy: { ForwardingRule: ['ipAddress'], RouterNAT: ['natIps'] },
    created: ({ id, attributes, dice, find }) => {
      const subnet = find(stringAt(attributes, 'subnetwork') ?? '');
      const isInternal = attributes['addressType'] === 'INTERNAL';
      const last = 1 + Math.floor(dice.roll('address', id) * 250);
      return { outputs: { address: isInternal ? addressIn(subnet, last) : `203.0.113.${last}` } };
    },
  }),
  gcpKind('compute', {
    kind: 'Firewall',
    title: 'Firewall',
    path: everywhere('firewalls'),
    seconds: { create: [5, 12], update: [5, 12], delete: [5, 12] },
    forceNew: ['direction'],
    references: { network: 'Network' },
  }),
];

/** An address in the block of a subnet, with its first three numbers. */
export function addressIn(subnet: CloudObject | undefined, last: number): string {
  const [a = '10', b = '0', c = '0'] = (stringAt(subnet?.attributes, 'ipCidrRange') ?? '10.0.0.0/16').split('.');
  return [a, b, c, String(last)].join('.');
}
