import { expect, test } from 'vitest';
import { localAddress } from './local-address.ts';

const GROUP = { loadBalancerTargets: [{ id: 'europe-west1-b/api', port: 6443 }] };
const endpoint = (host: string, port = 6443) => ({ host, port });

test.for([
  ['with a load balancer of its own', true, {}, undefined, true],
  ['with an existing group behind an address', false, GROUP, endpoint('203.0.113.9'), true],
  ['with such a group under a name', false, GROUP, endpoint('api.example.com'), false],
  ['with such a group behind another port', false, GROUP, endpoint('203.0.113.9', 443), false],
  ['without any group of GCP', false, {}, endpoint('10.0.0.9'), false],
] as const)('%s', ([, loadBalancer, existing, given, local]) => {
  expect(localAddress({ loadBalancer, existing }, given)).toEqual(local ? { localAddress: true } : {});
});
