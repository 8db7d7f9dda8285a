import { expect, test } from 'vitest';
import type { InfrastructureStatus } from '#lib/api/contracts/infrastructure-status.ts';
import { isSameId } from './ids.ts';
import { endpoint } from './machine/endpoint.ts';
import type { Situation } from './machine/situation.ts';

const POOL =
  '/subscriptions/1/resourceGroups/prod/providers/Microsoft.Network/loadBalancers/api/backendAddressPools/api';

test('Azure does not tell ids apart by capitals', () => {
  expect(isSameId(POOL, POOL.toUpperCase())).toBe(true);
  expect(isSameId(POOL, `${POOL}x`)).toBe(false);
  expect(isSameId(undefined, POOL)).toBe(false);
});

test.for([
  ['in other capitals', POOL.replace('resourceGroups/prod', 'resourcegroups/PROD'), true],
  ['another one', `${POOL}-2`, false],
] as const)('a machine stays registered if its Cluster reports the pool %s: %s', ([, id, stays]) => {
  const made = { apiVersion: 'a/v1', kind: 'A', spec: { forProvider: { backendAddressPoolId: POOL } } };
  const situation = { machine: { spec: { role: 'control-plane' } }, observed: new Map([['endpoint', made]]) };
  const infrastructure = { controlPlane: { loadBalancerTargets: [{ id, port: 6443 }] } };
  const entries = endpoint(situation as unknown as Situation, infrastructure as unknown as InfrastructureStatus, true);
  expect(entries).toHaveLength(stays ? 1 : 0);
});
