/** Clusters on hosts of somebody else: the endpoint is chosen once, and nothing is composed but what the pool needs. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/api/json.ts';
import { aClaim, anInput, call, controlPlane, withReply } from '../../../functions/cluster/cluster.fixture.ts';

const { aws: _aws, ...NEUTRAL } = anInput();
const ENDPOINT = { host: 'api.prod.example.com', port: 6443 };
const input = (existing: JsonObject = {}): JsonObject => ({
  ...NEUTRAL,
  cloud: 'existing',
  zones: { 'eu-west-1': ['rack-2', 'rack-1'] },
  existing,
});

describe('the endpoint', () => {
  test('of the claim is that of the cluster, and its machines are told to serve it', async () => {
    const { status, resources } = await call({
      claim: aClaim(controlPlane({ endpoint: ENDPOINT })),
      input: input(),
    });
    expect(status['controlPlaneEndpoint']).toEqual(ENDPOINT);
    expect([...resources.keys()]).toEqual(['control-plane', 'facts']);
    expect(status['infrastructure']).toMatchObject({
      cloud: 'existing',
      ready: true,
      failureDomains: [{ name: 'rack-1' }, { name: 'rack-2' }],
      controlPlane: { loadBalancerTargets: [{ id: 'api.prod.example.com:6443', port: 6443 }] },
      worker: { loadBalancerTargets: [] },
    });
  });

  test('of the Composition has the names of the cluster, and stays when the Composition says another one', async () => {
    const one = { endpoint: { host: '$(name).$(namespace).example.com', port: 443 } };
    const first = await call({ claim: aClaim(), input: input(one) });
    expect(first.status['controlPlaneEndpoint']).toEqual({ host: 'prod.team-a.example.com', port: 443 });
    const later = await call({
      claim: withReply(aClaim(), first),
      input: input({ endpoint: { host: 'other', port: 1 } }),
    });
    expect(later.status['controlPlaneEndpoint']).toEqual(first.status['controlPlaneEndpoint']);
  });

  const BAD = { host: '$(name).300', port: 443 };

  test('of the Composition is refused where it makes no host of the names of a new cluster, as its own mistake', async () => {
    await expect(call({ claim: aClaim(), input: input({ endpoint: BAD }) })).rejects.toThrow(
      /existing\.endpoint\.host: "prod\.300" is not a host; accepted: /,
    );
  });

  test.for([
    { whose: 'of the claim', spec: controlPlane({ endpoint: { host: 'api_1.example.com', port: 6443 } }) },
    { whose: 'of the Composition', spec: {} },
  ])('$whose that an earlier release accepted stays', async ({ spec }) => {
    const good = controlPlane({ endpoint: { host: 'api-1.example.com', port: 6443 } });
    const { status } = await call({ claim: aClaim(good), input: input() });
    const earlier = JSON.parse(JSON.stringify(status).replaceAll('api-1', 'api_1')) as JsonObject;
    const later = await call({ claim: aClaim(spec, earlier), input: input({ endpoint: BAD }) });
    expect(later.status['controlPlaneEndpoint']).toEqual({ host: 'api_1.example.com', port: 6443 });
  });

  test('also leads to the ports that joining machines call', async () => {
    const claim = aClaim({
      ...controlPlane({ endpoint: ENDPOINT }),
      bootstrap: { provider: 'rke2', config: { install: 'Skip' } },
    });
    const { status } = await call({ claim, input: input() });
    expect(status['infrastructure']).toMatchObject({
      controlPlane: { loadBalancerTargets: [{ port: 6443 }, { id: 'api.prod.example.com:9345', port: 9345 }] },
    });
  });

  test.for([
    {
      name: 'nobody names one',
      claim: aClaim(),
      why: 'spec.controlPlane.endpoint: is required; accepted: the address',
    },
    {
      name: 'the owner decides who reaches it',
      claim: aClaim(controlPlane({ endpoint: ENDPOINT, allowedCIDRs: ['10.0.0.0/8'] })),
      why: 'accepted: none, since the owner of the endpoint decides who may reach it',
    },
    {
      name: 'hosts are in a network',
      claim: aClaim({
        ...controlPlane({ endpoint: ENDPOINT }),
        infrastructure: { existing: { network: { id: 'n' } } },
      }),
      why: 'spec.infrastructure.existing.network.id: "n" is not accepted; accepted: none, since hosts',
    },
    {
      name: 'the cluster has another one',
      claim: aClaim(controlPlane({ endpoint: { host: 'other', port: 6443 } }), { controlPlaneEndpoint: ENDPOINT }),
      why: 'spec.controlPlane.endpoint: "other:6443" is not accepted; accepted: api.prod.example.com:6443',
    },
  ])('is refused, and what is accepted is said: $name', async ({ claim, why }) => {
    await expect(call({ claim, input: input() })).rejects.toThrow(why);
  });
});

test('a failure domain that machines may be in stays, whatever the Composition says later', async () => {
  const claim = aClaim(controlPlane({ endpoint: ENDPOINT }));
  const first = await call({ claim, input: input() });
  const { status } = await call({
    claim: withReply(claim, first),
    input: { ...input(), zones: { 'eu-west-1': ['rack-3'] } },
  });
  expect(status['infrastructure']).toMatchObject({
    failureDomains: [{ name: 'rack-1' }, { name: 'rack-2' }, { name: 'rack-3' }],
  });
});
