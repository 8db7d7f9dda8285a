/** Who may reach the Kubernetes API: nobody outside unless the claim or the platform says so, and nothing that exists is cut off. */
import { describe, expect, test } from 'vitest';
import { at, type JsonObject, type KubeObject } from '#lib/api/json.ts';
import type { ReplyData } from '#lib/fn/reply.ts';
import {
  aClaim,
  anInput,
  call,
  condition,
  controlPlane,
  existing,
  infrastructure,
  keys,
  objects,
  observe,
  settled,
} from './cluster.fixture.ts';

const WHO = 'cannot accept Cluster "team-a/prod": ';
const ALONE = anInput({ managementCIDRs: [] });
const PUBLIC = controlPlane({ scheme: 'internet-facing', allowedCIDRs: ['0.0.0.0/0'] });

const specOf = (reply: ReplyData, key: string) =>
  reply.resources.get(key)?.resource.spec?.['forProvider'] as JsonObject | undefined;
const blocks = (reply: ReplyData, group = 'apiserver-lb') =>
  keys(reply).flatMap((key) => (key.startsWith(`ingress-${group}-`) ? (specOf(reply, key)?.['cidrIpv4'] ?? []) : []));
const said = (reply: ReplyData) => condition(reply, 'InfrastructureReady')?.message ?? '';
const outcomeOf = async (given: Parameters<typeof call>[0]): Promise<string> =>
  call(given).then(
    () => 'accepted',
    (error: unknown) => String(error).replace(/^SlipwayError: /, ''),
  );

/** The status as a release without `apiAccess` left it. */
function earlier({ status }: KubeObject): JsonObject {
  const { apiAccess: _unknown, ...infrastructure } = (status?.['infrastructure'] ?? {}) as JsonObject;
  return { ...status, infrastructure };
}

describe('by default', () => {
  test('the load balancer has private addresses, in the subnets of the machines', async () => {
    const balancer = specOf(await call(), 'lb-api');
    expect(balancer?.['internal']).toBe(true);
    expect(JSON.stringify(balancer?.['subnetRefs'])).not.toContain('public');
  });

  test('only the network of the cluster and the management cluster may reach it', async () => {
    expect(blocks(await call())).toEqual(['198.18.0.0/24', '10.0.0.0/16']);
  });

  test('in an existing network, the machines are named by their groups, and the rest of that network stays outside', async () => {
    const reply = await call({ claim: aClaim(existing()) });
    expect(keys(reply).filter((key) => key.startsWith('ingress-apiserver-lb-api-'))).toEqual([
      'ingress-apiserver-lb-api-198.18.0.0-24',
      'ingress-apiserver-lb-api-controlplane',
      'ingress-apiserver-lb-api-node',
    ]);
    expect(specOf(reply, 'lb-api')).toMatchObject({ internal: true, subnets: ['subnet-a', 'subnet-b'] });
  });

  test('a control-plane machine reaches itself through the load balancer: addresses of clients are not preserved', async () => {
    for (const spec of [{}, existing(), PUBLIC]) {
      const reply = await call({
        claim: aClaim({ ...spec, bootstrap: { provider: 'rke2', config: { install: 'Skip' } } }),
      });
      const groups = objects(reply).filter(({ kind }) => kind === 'LBTargetGroup');
      expect(groups.map((group) => at(group, 'spec', 'forProvider', 'preserveClientIp'))).toEqual(['false', 'false']);
    }
  });

  test('without a block of the management cluster the Cluster says that nothing outside can reach it', async () => {
    const reply = await call({ input: ALONE });
    expect(blocks(reply)).toEqual(['10.0.0.0/16']);
    expect(said(reply)).toContain(
      'only machines of the cluster may reach its Kubernetes API: provider-node needs the block of its management cluster in spec.controlPlane.allowedCIDRs, or in managementCIDRs of the Composition',
    );
    expect(said(await call())).not.toContain('only machines');
  });

  test('the API of an endpoint that is supplied is closed the same way, on the machines', async () => {
    const spec = { endpoint: { host: 'api.example.com' } };
    const closed = await call({ claim: aClaim(controlPlane(spec)), input: ALONE });
    expect(blocks(closed, 'controlplane')).toEqual([]);
    const claim = aClaim({
      ...controlPlane({ ...spec, allowedCIDRs: ['192.0.2.0/24'] }),
      bootstrap: { provider: 'rke2', config: { install: 'Skip' } },
    });
    const opened = await call({ claim });
    expect(keys(opened).filter((key) => /^ingress-controlplane-.*-\d+$/.test(key))).toEqual([
      'ingress-controlplane-api-192.0.2.0-24',
      'ingress-controlplane-api-198.18.0.0-24',
      'ingress-controlplane-rke2-supervisor-192.0.2.0-24',
    ]);
  });
});

describe('a claim that opens it', () => {
  test('gets public addresses and the blocks that it states', async () => {
    const reply = await call({ claim: aClaim(PUBLIC) });
    expect(specOf(reply, 'lb-api')?.['internal']).toBe(false);
    expect(JSON.stringify(specOf(reply, 'lb-api')?.['subnetRefs'])).not.toContain('private');
    expect(blocks(reply)).toEqual(['0.0.0.0/0', '198.18.0.0/24']);
    expect(said(reply)).not.toContain('API');
  });

  test('must say to whom', async () => {
    expect(await outcomeOf({ claim: aClaim(controlPlane({ scheme: 'internet-facing' })) })).toBe(
      `${WHO}spec.controlPlane: allowedCIDRs must say who may reach an internet-facing API; 0.0.0.0/0 is everyone`,
    );
  });

  test('with blocks alone does not make it public', async () => {
    const reply = await call({ claim: aClaim(controlPlane({ allowedCIDRs: ['0.0.0.0/0'] })) });
    expect(specOf(reply, 'lb-api')?.['internal']).toBe(true);
  });

  test('and names a block of the management cluster itself gets one rule for it', async () => {
    const reply = await call({ claim: aClaim(controlPlane({ allowedCIDRs: ['198.18.0.0/24', '10.0.0.0/16'] })) });
    expect(blocks(reply)).toEqual(['10.0.0.0/16', '198.18.0.0/24']);
  });
});

describe('a load balancer keeps its scheme', async () => {
  const open = await settled(aClaim(PUBLIC));
  const closed = await settled(aClaim());

  test.for([
    { name: 'internet-facing', from: open, stated: 'internal' },
    { name: 'internal', from: closed, stated: 'internet-facing' },
  ])('$name: another one is refused', async ({ name, from, stated }) => {
    const spec = controlPlane({ scheme: stated, allowedCIDRs: ['0.0.0.0/0'] });
    const want = `${WHO}spec.controlPlane.scheme: "${stated}" is not accepted; accepted: ${name}, since the scheme of a load balancer cannot change`;
    expect(
      await outcomeOf({ claim: { ...from.claim, ...aClaim(spec, from.claim.status) }, observed: observe(from.reply) }),
    ).toBe(want);
  });

  test.for([
    { name: 'by the status', observed: {}, claim: open.claim },
    { name: 'by what exists', observed: observe(open.reply), claim: { ...open.claim, status: {} } },
  ])('a claim that no longer states it changes nothing: known $name', async ({ observed, claim }) => {
    const after = await call({
      claim: aClaim(controlPlane({ allowedCIDRs: ['0.0.0.0/0'] }), claim.status),
      observed,
    });
    expect(specOf(after, 'lb-api')).toEqual(specOf(open.reply, 'lb-api'));
    expect(said(after)).toContain(
      'the load balancer stays internet-facing, although spec.controlPlane.scheme does not say so',
    );
  });

  test('a private one stays private when the status was lost, with an override of another field, too', async () => {
    const overrides = [{ kind: 'LB', patch: { spec: { forProvider: { enableCrossZoneLoadBalancing: false } } } }];
    for (const infrastructure of [{}, { overrides }]) {
      const after = await call({
        claim: aClaim({ infrastructure }, {}),
        observed: observe(closed.reply),
      });
      expect(specOf(after, 'lb-api')?.['internal']).toBe(true);
    }
  });

  test('may be stated before anything exists', async () => {
    const first = await call();
    const claim = aClaim(PUBLIC, first.status);
    expect(specOf(await call({ claim }), 'lb-api')?.['internal']).toBe(false);
  });

  test('an override that sets it is accepted, and moves no subnet', async () => {
    const overrides = [{ kind: 'LB', patch: { spec: { forProvider: { internal: false } } } }];
    const input = anInput({ overrides: { LB: ['spec.forProvider.internal'] } });
    const { claim, reply } = await settled(aClaim({ infrastructure: { overrides } }), input);
    const after = await call({ claim, observed: observe(reply), input });
    expect(specOf(after, 'lb-api')).toEqual(specOf(reply, 'lb-api'));
    expect(specOf(after, 'lb-api')).toMatchObject({ internal: false });
  });
});

describe('a cluster from before v0.1.0, when the default was public and open to everyone', async () => {
  const { claim, reply } = await settled(aClaim(PUBLIC), ALONE);
  const status = earlier(claim);
  const observed = observe(reply);
  const bare = aClaim({}, status);

  test('whose claim states neither keeps its load balancer and its rules, and says so', async () => {
    const after = await call({ claim: bare, observed, input: ALONE });
    expect(objects(after)).toEqual(objects(reply));
    expect(said(after)).toBe(
      'the load balancer stays internet-facing, although spec.controlPlane.scheme does not say so; 0.0.0.0/0 may reach the Kubernetes API until spec.controlPlane.allowedCIDRs says who may',
    );
  });

  test('keeps them in later calls, also while the rule cannot be read', async () => {
    const after = await call({ claim: bare, observed, input: ALONE });
    const { 'ingress-apiserver-lb-api-0.0.0.0-0': _rule, 'lb-api': _balancer, ...rest } = observed;
    const later = await call({ claim: aClaim({}, after.status), observed: rest, input: ALONE });
    expect(objects(later)).toEqual(objects(reply));
  });

  test('keeps its load balancer when nothing but its status is known', async () => {
    expect(specOf(await call({ claim: bare, input: ALONE }), 'lb-api')).toEqual(specOf(reply, 'lb-api'));
  });

  test('is closed once its claim states blocks, and does not open again without them', async () => {
    const first = await call({ claim: bare, observed, input: ALONE });
    const stated = aClaim(controlPlane({ allowedCIDRs: ['198.51.100.0/24'] }), first.status);
    const second = await call({ claim: stated, observed, input: ALONE });
    expect(blocks(second)).not.toContain('0.0.0.0/0');
    const third = await call({ claim: aClaim({}, second.status), observed: observe(second), input: ALONE });
    expect(blocks(third)).not.toContain('0.0.0.0/0');
    expect(blocks(third)).not.toContain('198.51.100.0/24');
  });

  test('that stated its blocks is not opened', async () => {
    const mine = await settled(aClaim(controlPlane({ scheme: 'internet-facing', allowedCIDRs: ['198.51.100.0/24'] })));
    const after = await call({ claim: aClaim({}, earlier(mine.claim)), observed: observe(mine.reply) });
    expect(blocks(after)).not.toContain('0.0.0.0/0');
  });

  test('is closed by a limit of the platform, since no claim may open it to everyone', async () => {
    const input = anInput({ limits: { allowedCIDRs: ['10.0.0.0/8'] } });
    expect(blocks(await call({ claim: bare, observed, input }))).not.toContain('0.0.0.0/0');
  });

  test('with an endpoint that was supplied stays open, too', async () => {
    const spec = { endpoint: { host: 'api.example.com' } };
    const supplied = await settled(aClaim(controlPlane({ ...spec, allowedCIDRs: ['0.0.0.0/0'] })), ALONE);
    const unstated = aClaim(controlPlane(spec), earlier(supplied.claim));
    const after = await call({ claim: unstated, observed: observe(supplied.reply), input: ALONE });
    expect(objects(after)).toEqual(objects(supplied.reply));
  });
});

test('the status says how the API is reached', async () => {
  expect(infrastructure(await call()).apiAccess).toEqual({ scheme: 'internal' });
  const supplied = controlPlane({ endpoint: { host: 'api.example.com' } });
  expect(infrastructure(await call({ claim: aClaim(supplied) })).apiAccess).toEqual({});
});
