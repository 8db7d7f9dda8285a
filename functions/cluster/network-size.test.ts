/** Families of address blocks: the API server starts with one that its machines have, and Services of the same. */
import { expect, test } from 'vitest';
import { Cluster } from '#lib/api/kinds/cluster.ts';
import { aClaim } from './cluster.fixture.ts';
import { refuseFamilies } from './network-size.ts';

const V4 = { pods: '10.244.0.0/16', services: '10.96.0.0/16' };
const V6 = { pods: 'fd00::/56', services: 'fd01::/112' };

const judge = (network: object, anyAddresses: boolean) => (): void =>
  refuseFamilies(Cluster.parse(aClaim({ network: { ...network } })), 'Cluster "team-a/prod"', anyAddresses);

test.for([
  { hosts: 'of IPv4', any: false, network: V4 },
  { hosts: 'of somebody else', any: true, network: V4 },
  { hosts: 'of somebody else', any: true, network: V6 },
])('machines $hosts with $network are accepted', ({ any, network }) => {
  expect(judge(network, any)).not.toThrow();
});

test.for([
  { hosts: 'of IPv4', any: false, network: V6, want: 'spec.network.pods: "fd00::/56" is not accepted' },
  { hosts: 'of IPv4', any: false, network: { ...V4, services: V6.services }, want: 'spec.network.services: "fd01::' },
  {
    hosts: 'of somebody else',
    any: true,
    network: { ...V6, services: V4.services },
    want: 'accepted: a block of IPv6',
  },
  {
    hosts: 'of somebody else',
    any: true,
    network: { ...V4, services: V6.services },
    want: 'accepted: a block of IPv4',
  },
])('machines $hosts with $network are refused', ({ any, network, want }) => {
  expect(judge(network, any)).toThrow(want);
});
