/** The claim of a host, and what provider-node reports on it. */
import { expect, test } from 'vitest';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { conditionOf } from '#lib/api/conditions.ts';
import { hostClaim, reply } from './machine.fixture.ts';

const seen = (claim: KubeObject, status: JsonObject): KubeObject => ({ ...claim, status });
const BOUND: JsonObject = {
  atProvider: { host: 'rack-1-7', failureDomain: 'rack-1', addresses: [{ type: 'InternalIP', address: '192.0.2.7' }] },
  conditions: [{ type: 'Ready', status: 'True', reason: 'Available' }],
};
const conditionsOf = (data: Awaited<ReturnType<typeof reply>>) =>
  ({ status: { conditions: data.conditions } }) as unknown as KubeObject;

test('a control plane has the endpoint that its owner leads to it, and first-boot data is named and not repeated', async () => {
  const { spec } = await hostClaim({ role: 'control-plane', nodePoolRef: { name: 'prod-control-plane' } });
  expect(spec?.['forProvider']).toEqual({
    region: 'eu-west',
    failureDomain: 'rack-1',
    size: 'r640',
    image: 'noble-v1.35.4',
    version: 'v1.35.4',
    rootDisk: { sizeGiB: 40, encrypted: true },
    role: 'control-plane',
    nodeName: 'prod-general-0-x7k2p',
    loadBalancerTargets: [{ id: 'api.prod.example.com:6443', port: 6443 }],
    userDataSecretRef: { name: 'prod-general-0-x7k2p-payload', key: 'value' },
  });
});

test('a machine is known by its host, and protected by its node from then on', async () => {
  const claim = await hostClaim({});
  const { status, resources } = await reply({}, { host: seen(claim, BOUND) });
  expect(status).toMatchObject({ instanceID: 'rack-1-7', addresses: [{ type: 'InternalIP', address: '192.0.2.7' }] });
  expect([...resources.keys()]).toEqual(expect.arrayContaining(['payload', 'host', 'node', 'drain']));
});

test('without a free host the failure domain lacks capacity, in the words of provider-node', async () => {
  const message = 'no free Host of size r640 with 40 GiB in rack-1 of eu-west: 2 taken';
  const conditions = [{ type: 'Ready', status: 'False', reason: 'NoHost', message }];
  const data = await reply({}, { host: seen(await hostClaim({}), { conditions }) });
  expect(conditionOf(conditionsOf(data), 'InfrastructureReady')).toMatchObject({
    reason: 'InsufficientCapacity',
    message,
  });
});

test('a Host that its owner takes away does not make the machine another one: it is not ready, and nothing is deleted', async () => {
  const claim = await hostClaim({});
  const gone = {
    ...BOUND,
    conditions: [{ type: 'Ready', status: 'False', reason: 'HostGone', message: 'Host "rack-1-7" no longer exists' }],
  };
  const { resources, ...rest } = await reply({}, { host: seen(claim, gone) }, { instanceID: 'rack-1-7' });
  expect(resources.get('host')?.resource).toEqual(claim);
  expect(conditionOf(conditionsOf({ resources, ...rest }), 'InfrastructureReady')).toMatchObject({
    status: 'False',
    message: 'Host "rack-1-7" no longer exists',
  });
});
