import { expect, test } from 'vitest';
import { localAddress } from './local-address.ts';

const POOL = { loadBalancerTargets: [{ id: 'pool', port: 6443 }] };
const endpoint = (host: string, port = 6443) => ({ host, port });

test.for([
  ['with a private frontend', true, 'internal', {}, undefined, true],
  ['with a public frontend', true, 'internet-facing', {}, undefined, false],
  ['with an existing pool at a private address', false, 'internal', POOL, endpoint('10.0.0.9'), true],
  ['with such a pool at a public address', false, 'internal', POOL, endpoint('203.0.113.9'), false],
  ['with such a pool under a name', false, 'internal', POOL, endpoint('api.example.com'), false],
  ['with such a pool that translates ports', false, 'internal', POOL, endpoint('10.0.0.9', 443), false],
  ['without any pool of Azure', false, 'internal', {}, endpoint('10.0.0.9'), false],
] as const)('%s', ([, loadBalancer, scheme, existing, given, local]) => {
  expect(localAddress({ loadBalancer, scheme, existing }, given)).toEqual(local ? { localAddress: true } : {});
});
