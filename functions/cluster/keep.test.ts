import { describe, expect, test } from 'vitest';
import type { KubeObject } from '#lib/api/json.ts';
import type { ReplyData } from '#lib/fn/reply.ts';
import {
  aClaim,
  anInput,
  byKind,
  call,
  condition,
  controlPlane,
  infrastructure,
  keys,
  live,
  objects,
  observe,
  settled,
  withReply,
} from './cluster.fixture.ts';

const gateways = (reply: ReplyData) =>
  objects(reply)
    .filter(byKind('NATGateway'))
    .map(({ metadata }) => metadata?.name);

describe('what is kept', () => {
  test('the rule of a gateway whose address cannot be read any more', async () => {
    const open = controlPlane({ scheme: 'internet-facing', allowedCIDRs: ['198.51.100.0/24'] });
    const { claim, reply } = await settled(aClaim(open));
    expect(keys(reply)).toContain('ingress-apiserver-lb-api-nat-eu-west-1a');
    const { 'nat-eu-west-1a': _nat, 'eip-eu-west-1a': _eip, ...observed } = observe(reply);
    const blind = await call({ claim, observed });
    expect(objects(blind)).toEqual(objects(reply));
  });

  test('a cluster with one NAT gateway keeps one when the Composition asks for more later', async () => {
    const { claim, reply } = await settled(aClaim(), anInput({ aws: { natGateways: 'Single' } }));
    expect(gateways(reply)).toEqual(['prod-nat-eu-west-1a']);
    const later = await call({ claim, observed: observe(reply) });
    expect(objects(later)).toEqual(objects(reply));
  });

  test('a new zone changes no block of the others, and is listed only once machines can use it', async () => {
    const { claim, reply } = await settled(aClaim());
    const input = anInput({ zones: { 'eu-west-1': ['eu-west-1d', 'eu-west-1a', 'eu-west-1b', 'eu-west-1c'] } });
    const grown = await call({ claim, input, observed: observe(reply) });
    const subnets = objects(reply).filter(byKind('Subnet'));
    expect(objects(grown)).toEqual(expect.arrayContaining(subnets));
    expect(grown.resources.get('subnet-private-eu-west-1d')?.resource.spec?.['forProvider']).toMatchObject({
      cidrBlock: '10.0.128.0/19',
    });
    const subnetOnly = observe(
      grown,
      (_object, key) => reply.resources.has(key) || key === 'subnet-private-eu-west-1d',
    );
    const halfway = await call({ claim: withReply(claim, grown), input, observed: subnetOnly });
    expect(infrastructure(halfway).failureDomains).toHaveLength(3);
    expect(infrastructure(halfway).ready, 'the old zones can still run machines').toBe(true);
    const done = await call({ claim: withReply(claim, grown), input, observed: observe(grown) });
    expect(infrastructure(done).failureDomains).toHaveLength(4);
  });

  test('a zone that was removed from the input keeps its subnets, routes and gateway, because machines run there', async () => {
    const { claim, reply } = await settled(aClaim());
    const input = anInput({ zones: { 'eu-west-1': ['eu-west-1a'] }, aws: { natGateways: 'Single' } });
    const shrunk = await call({ claim, input, observed: observe(reply) });
    expect(keys(shrunk).toSorted()).toEqual(keys(reply).toSorted());
    expect(objects(shrunk)).toEqual(objects(reply));
  });

  test('a cluster stays in its region, and reports that the Composition maps another one', async () => {
    const { claim, reply } = await settled(aClaim());
    const input = anInput({ regions: { 'eu-west': 'eu-west-2' } });
    const moved = await call({ claim, input, observed: observe(reply) });
    expect(objects(moved)).toEqual(objects(reply));
    expect(condition(moved, 'InfrastructureReady')?.message).toBe(
      'the cluster stays in eu-west-1, although the Composition now maps its region to eu-west-2',
    );
  });

  // Short forms, too: the rule for ::/0 covers the whole internet.
  test.for([
    { block: '198.51.100.0/24', rule: '198.51.100.0-24' },
    { block: '2001:db8::/32', rule: '2001-db8-32' },
    { block: '::1/128', rule: '-1-128' },
    { block: '::/0', rule: '-0' },
  ])(
    'a block ($block) removed from the claim loses its access, and nothing else is removed',
    async ({ block, rule }) => {
      const open = aClaim(controlPlane({ allowedCIDRs: ['0.0.0.0/0', block] }));
      const { claim, reply } = await settled(open);
      const closed = { ...claim, spec: { ...aClaim(controlPlane({ allowedCIDRs: ['0.0.0.0/0'] })).spec } };
      const after = await call({ claim: closed, observed: observe(reply) });
      expect(keys(reply).filter((key) => !after.resources.has(key))).toEqual([`ingress-apiserver-lb-api-${rule}`]);
    },
  );

  test('a rule that is removed from the Composition loses its access', async () => {
    const rules = (name: string) => [{ name, description: name, protocol: 'udp', fromPort: 6081, toPort: 6081 }];
    const { claim, reply } = await settled(aClaim(), anInput({ aws: { cniRules: rules('geneve') } }));
    const after = await call({
      claim,
      input: anInput({ aws: { cniRules: rules('tunnel') } }),
      observed: observe(reply),
    });
    expect(keys(reply).filter((key) => !after.resources.has(key))).toEqual(
      keys(reply).filter((key) => key.includes('-geneve-')),
    );
    expect(keys(after).filter((key) => key.includes('-tunnel-'))).toHaveLength(4);
  });

  test('an object of an earlier release that is no longer planned is desired unchanged', async () => {
    const { claim, reply } = await settled(aClaim());
    const old = live({
      ...(reply.resources.get('vpc')?.resource as KubeObject),
      metadata: { name: 'prod-old', namespace: 'team-a' },
    });
    const after = await call({ claim, observed: { ...observe(reply), old } });
    expect(after.resources.get('old')).toEqual({
      ready: 'True',
      resource: {
        apiVersion: old.apiVersion,
        kind: 'VPC',
        metadata: { name: 'prod-old', namespace: 'team-a' },
        spec: old.spec,
      },
    });
  });

  test('objects that other steps compose are left alone', async () => {
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'prod-ca', namespace: 'team-a' } };
    expect(keys(await call({ observed: { ca: secret } }))).not.toContain('ca');
  });
});
