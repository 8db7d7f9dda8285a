/** Edits that the API server refuses now but accepted before it had the rule: the function keeps what exists. */
import { describe, expect, test } from 'vitest';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import {
  aClaim,
  call,
  condition,
  controlPlane,
  existing,
  infrastructure,
  keys,
  objects,
  observe,
  settled,
  withReply,
} from './cluster.fixture.ts';

const WHO = 'cannot accept Cluster "team-a/prod": ';
const HOST = 'prod-lb-api.elb.eu-west-1.amazonaws.com';
const ELSEWHERE = { host: 'api.example.com', port: 6443 };

const edited = (claim: KubeObject, spec: JsonObject): KubeObject => ({ ...aClaim(spec), status: claim.status ?? {} });

const outcomeOf = async (given: Parameters<typeof call>[0]): Promise<string> =>
  call(given).then(
    () => 'accepted',
    (error: unknown) => String(error).replace(/^SlipwayError: /, ''),
  );

describe('the cloud of a cluster', async () => {
  const { claim, reply } = await settled(aClaim());
  const onGcp = { ...(claim.status as Record<string, JsonObject>) };
  const moved = { ...claim, status: { ...onGcp, infrastructure: { ...onGcp['infrastructure'], cloud: 'gcp' } } };

  test('is kept: a Composition for another one is refused, which would make a second cluster beside it', async () => {
    expect(await outcomeOf({ claim: moved, observed: observe(reply) })).toBe(
      `${WHO}spec.crossplane: the cluster is on gcp, but the Composition chosen makes clusters on aws; accepted: a Composition for gcp, such as one with the label slipway.dev/flavor: gcp, since what exists cannot move to another cloud`,
    );
  });
});

describe('the endpoint of a cluster whose load balancer Slipway manages', async () => {
  const { claim, reply } = await settled(aClaim());
  const observed = observe(reply);
  const stated = (host: string, port = 6443) => controlPlane({ endpoint: { host, port } });

  test('a claim that states the same endpoint removes no rule, no target and no object', async () => {
    const after = await call({ claim: edited(claim, stated(HOST)), observed });
    expect(objects(after)).toEqual(objects(reply));
    expect(infrastructure(after)).toEqual(infrastructure(reply));
    expect(after.status['controlPlaneEndpoint']).toEqual({ host: HOST, port: 6443 });
    expect(condition(after, 'InfrastructureReady')).toMatchObject({ status: 'True' });
  });

  test('a claim that states another endpoint is refused, with field, value and what is accepted', async () => {
    expect(await outcomeOf({ claim: edited(claim, stated('other', 443)), observed })).toBe(
      `${WHO}spec.controlPlane.endpoint: "other:443" is not accepted; accepted: ${HOST}:6443, since certificates and nodes use it`,
    );
  });

  test('a claim that states an endpoint before the load balancer has a name is refused, because the load balancer would be lost', async () => {
    const first = await call();
    const begun = { ...withReply(aClaim(stated('other')), first) };
    const made = Object.fromEntries([...first.resources].map(([key, { resource }]) => [key, resource]));
    expect(await outcomeOf({ claim: begun, observed: made })).toBe(
      `${WHO}spec.controlPlane.endpoint: "other:6443" is not accepted; accepted: no endpoint, since the cluster already has its own load balancer`,
    );
  });

  test('a cluster that lost its rules after such an edit gets them back', async () => {
    const { infrastructure: known, ...status } = claim.status as Record<string, JsonObject>;
    const surroundings = { ...(known?.['controlPlane'] as JsonObject), loadBalancerTargets: [] };
    const emptied = { ...status, infrastructure: { ...known, controlPlane: surroundings } };
    const left = Object.fromEntries(Object.entries(observed).filter(([key]) => !key.includes('apiserver-lb')));
    const after = await call({ claim: { ...edited(claim, stated(HOST)), status: emptied }, observed: left });
    expect(keys(after)).toEqual(keys(reply));
    expect(infrastructure(after).controlPlane?.loadBalancerTargets).toEqual(
      infrastructure(reply).controlPlane?.loadBalancerTargets,
    );
  });
});

describe('an endpoint that Slipway does not manage', async () => {
  const { claim, reply } = await settled(aClaim(controlPlane({ endpoint: ELSEWHERE })));

  test('stays unmanaged: no load balancer is created beside it', async () => {
    expect(keys(reply).filter((key) => key.includes('lb-api') || key.startsWith('tg-'))).toEqual([]);
    expect(await outcomeOf({ claim, observed: observe(reply) })).toBe('accepted');
  });

  test.for([
    { name: 'once machines can be created', parts: {} },
    { name: 'before anything is ready', parts: { infrastructure: undefined } },
  ])('cannot be removed, $name', async ({ parts }) => {
    const { infrastructure: known, ...status } = claim.status ?? {};
    const kept = 'infrastructure' in parts || known === undefined ? status : { ...status, infrastructure: known };
    const bare = { ...aClaim(), status: kept } as KubeObject;
    expect(await outcomeOf({ claim: bare, observed: observe(reply) })).toBe(
      `${WHO}spec.controlPlane.endpoint: "none" is not accepted; accepted: api.example.com:6443, since certificates and nodes use it`,
    );
  });
});

describe('the network', async () => {
  const composed = await settled(aClaim());
  const theirs = await settled(aClaim(existing()));
  const other = [
    { id: 'subnet-x', zone: 'eu-west-1a' },
    { id: 'subnet-b', zone: 'eu-west-1b' },
    { id: 'subnet-p', zone: 'eu-west-1a', public: true },
  ];

  test.for([
    {
      name: 'managed by Slipway cannot be replaced by an existing one',
      from: composed,
      spec: existing(),
      want: 'spec.infrastructure.existing.network.id: "vpc-1" is not accepted; accepted: no existing network, since the cluster already has its own',
    },
    {
      name: 'that exists already cannot be replaced by a managed one',
      from: theirs,
      spec: {},
      want: 'spec.infrastructure.existing.network.id: "none" is not accepted; accepted: vpc-1, since a cluster cannot move to another network',
    },
    {
      name: 'that exists already cannot be replaced by another',
      from: theirs,
      spec: existing({ network: { id: 'vpc-2' } }),
      want: 'spec.infrastructure.existing.network.id: "vpc-2" is not accepted; accepted: vpc-1, since a cluster cannot move to another network',
    },
    {
      name: 'keeps the subnets of its machines',
      from: theirs,
      spec: existing({ subnets: other }),
      want: 'spec.infrastructure.existing.subnets: "subnet-x" is not accepted; accepted: subnet-a in eu-west-1a, since machines use it',
    },
  ])('$name', async ({ from: { claim, reply }, spec, want }) => {
    expect(await outcomeOf({ claim: edited(claim, spec), observed: observe(reply) })).toBe(`${WHO}${want}`);
    expect(await outcomeOf({ claim, observed: observe(reply) }), 'unchanged').toBe('accepted');
  });

  test('may get another subnet in a zone that had none', async () => {
    const { claim, reply } = theirs;
    const more = existing({
      subnets: [
        { id: 'subnet-b', zone: 'eu-west-1b' },
        { id: 'subnet-a', zone: 'eu-west-1a' },
        { id: 'subnet-c', zone: 'eu-west-1c' },
        { id: 'subnet-p', zone: 'eu-west-1a', public: true },
      ],
    });
    expect(await outcomeOf({ claim: edited(claim, more), observed: observe(reply) })).toBe('accepted');
  });
});
