import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import type { JsonObject } from '#lib/api/json.ts';
import type { ReplyData } from '#lib/fn/reply.ts';
import { crdsAvailable, validateManaged } from '../../test/support/crds.ts';
import {
  aClaim,
  anInput,
  call,
  condition,
  controlPlane,
  existing,
  infrastructure,
  keys,
  live,
  objects,
  settled,
  withReply,
} from './cluster.fixture.ts';

const awsNames = async (namespace: string) => {
  const claim = { ...aClaim(), metadata: { name: 'x'.repeat(38), namespace } };
  const reply = await call({ claim });
  const spec = (key: string) => reply.resources.get(key)?.resource.spec?.['forProvider'] as JsonObject;
  const annotations = reply.resources.get('role-node')?.resource.metadata?.annotations;
  return [
    spec('lb-api')['name'],
    spec('tg-api')['name'],
    spec('sg-node')['name'],
    annotations?.['crossplane.io/external-name'],
  ] as string[];
};

describe('the objects of a cluster', () => {
  test('the first render matches the golden file', async () => {
    const text = objects(await call())
      .map((object) => stringify(object, { lineWidth: 0 }))
      .join('---\n');
    await expect(text).toMatchFileSnapshot('golden/resources.yaml');
  });

  test('the status matches the golden file', async () => {
    const { reply } = await settled(aClaim());
    const { status, conditions } = reply;
    await expect(stringify({ ...status, conditions }, { lineWidth: 0 })).toMatchFileSnapshot('golden/status.yaml');
  });

  const variants: readonly { name: string; spec?: JsonObject; input?: JsonObject }[] = [
    { name: 'three zones, everything default' },
    { name: 'one NAT gateway', input: { aws: { natGateways: 'Single' } } },
    {
      name: 'internal and restricted',
      spec: controlPlane({ scheme: 'internal', allowedCIDRs: ['10.1.0.0/16', '2001:db8::/32'] }),
    },
    { name: 'internet-facing', spec: controlPlane({ scheme: 'internet-facing', allowedCIDRs: ['0.0.0.0/0'] }) },
    { name: 'an endpoint that is supplied', spec: controlPlane({ endpoint: { host: 'api.example.com', port: 443 } }) },
    { name: 'an existing network', spec: existing() },
    {
      name: 'an existing network, internet-facing',
      spec: { ...existing(), ...controlPlane({ scheme: 'internet-facing', allowedCIDRs: ['198.51.100.0/24'] }) },
    },
    {
      name: 'a boundary, tags and a provider config',
      input: {
        tags: { team: 'a' },
        providerConfigRef: { kind: 'ProviderConfig', name: 'aws' },
        aws: { permissionsBoundary: 'arn:aws:iam::123456789012:policy/b', ebsCSIPolicy: false },
      },
    },
    {
      name: 'ports that a bootstrap provider needs',
      spec: { bootstrap: { provider: 'k0s', config: { install: 'Skip' } } },
    },
    { name: 'the longest name', spec: { bootstrap: { provider: 'k0s', config: { install: 'Skip' } } } },
  ];
  test.skipIf(!crdsAvailable()).for(variants)(
    'every object is accepted by its CRD: $name',
    async ({ name, spec, input }) => {
      const base = aClaim(spec);
      const claim =
        name === 'the longest name' ? { ...base, metadata: { name: 'x'.repeat(38), namespace: 'team-a' } } : base;
      const { reply } = await settled(claim, anInput(input));
      const problems = objects(reply).flatMap((object) =>
        validateManaged(object).map((line) => `${object.kind}: ${line}`),
      );
      expect(problems).toEqual([]);
      expect(new Set(objects(reply).map((object) => `${object.kind} ${object.metadata?.name}`)).size).toBe(
        objects(reply).length,
      );
    },
  );

  test('AWS names stay within their limits and differ between clusters of one name', async () => {
    const [a, b] = [await awsNames('team-a'), await awsNames('team-b')];
    expect(a.map((name, i) => name.length <= ([32, 32, 255, 64][i] ?? 0))).toEqual([true, true, true, true]);
    expect(a.filter((name) => b.includes(name))).toEqual([]);
  });

  test('every reference leads to an object of this cluster', async () => {
    const reply = await call();
    const names = new Set(objects(reply).map(({ metadata }) => metadata?.name));
    const refs = JSON.stringify(objects(reply).map(({ spec }) => spec?.['forProvider'])).matchAll(
      /Refs?":(?:\[)?(?:\{"name":"([^"]+)"\},?)+/g,
    );
    const missing = [...refs].map(([, name]) => name).filter((name) => !names.has(name));
    expect(missing).toEqual([]);
  });
});

/** Nothing to verify. */
const withoutDownload = (provider: string): JsonObject =>
  ['k0s', 'k3s', 'rke2'].includes(provider) ? { install: 'Skip' } : {};

describe('the pod network between machines', () => {
  test.for([
    { provider: 'kubeadm', ports: [179, undefined, 5473], why: 'Calico is the usual choice, with Typha' },
    { provider: 'k0s', ports: [179, undefined, 5473], why: 'kube-router uses BGP, too' },
    { provider: 'k3s', ports: [8472], why: 'it installs flannel' },
    {
      provider: 'k3s',
      config: { 'flannel-backend': 'none' },
      ports: [8472, 179, undefined, 5473],
      why: 'another pod network may be its own or the usual one',
    },
    { provider: 'rke2', ports: [8472], why: 'canal uses flannel' },
    { provider: 'talos', ports: [4789], why: 'its flannel has the registered port' },
    { provider: 'microk8s', ports: [4789], why: 'its Calico uses VXLAN' },
    { provider: 'canonical-kubernetes', ports: [8472], why: 'its Cilium uses another port' },
  ])('$provider $config: opens $ports, since $why', async ({ provider, config: said = {}, ports }) => {
    const config = { ...said, ...withoutDownload(provider) };
    const format = provider === 'talos' ? 'talos' : 'cloud-init';
    const { reply } = await settled(aClaim({ bootstrap: { provider, config }, provisioning: { format } }));
    const pods = keys(reply).filter((key) => /^ingress-node-(bgp|ip-in-ip|typha|vxlan)-node$/.test(key));
    const opened = pods.map((key) => reply.resources.get(key)?.resource.spec?.['forProvider'] as JsonObject);
    expect(opened.map(({ fromPort }) => fromPort)).toEqual(ports);
  });
});

describe('join ports beside the Kubernetes API', () => {
  const ofKind = (reply: ReplyData, kind: string) =>
    objects(reply).flatMap((object) => (object.kind === kind ? [object.spec?.['forProvider'] as JsonObject] : []));

  test.for([
    { provider: 'kubeadm', ports: [6443] },
    { provider: 'k0s', ports: [6443, 8132, 9443] },
    { provider: 'rke2', ports: [6443, 9345] },
    { provider: 'microk8s', ports: [6443, 25_000] },
    { provider: 'canonical-kubernetes', ports: [6443, 6400] },
    { provider: 'constructor', ports: [6443] },
  ])('$provider: the load balancer forwards $ports, and machines register for each', async ({ provider, ports }) => {
    const { reply } = await settled(aClaim({ bootstrap: { provider, config: withoutDownload(provider) } }));
    expect(ofKind(reply, 'LBListener').map(({ port }) => port)).toEqual(ports);
    expect(ofKind(reply, 'LBTargetGroup').map(({ port }) => port)).toEqual(ports);
    expect(new Set(ofKind(reply, 'LBTargetGroup').map(({ name }) => name)).size).toBe(ports.length);
    expect(infrastructure(reply).controlPlane?.loadBalancerTargets.map(({ port }) => port)).toEqual(ports);
  });

  test('are open only to the machines of the cluster, whoever may use the Kubernetes API', async () => {
    const { reply } = await settled(
      aClaim({ bootstrap: { provider: 'rke2', config: { install: 'Skip' } }, ...PUBLIC }),
    );
    expect(rules(reply)).toEqual([
      'ingress-apiserver-lb-api-0.0.0.0-0',
      'ingress-apiserver-lb-api-198.18.0.0-24',
      ...['a', 'b', 'c'].map((zone) => `ingress-apiserver-lb-rke2-supervisor-nat-eu-west-1${zone}`),
    ]);
    expect(keys(reply).filter((key) => key.startsWith('ingress-controlplane-rke2'))).toEqual([
      'ingress-controlplane-rke2-supervisor-apiserver-lb',
      'ingress-controlplane-rke2-supervisor-controlplane',
      'ingress-controlplane-rke2-supervisor-node',
    ]);
  });

  test('stay open while the address of a NAT gateway cannot be read', async () => {
    const claim = aClaim({ bootstrap: { provider: 'k0s', config: { install: 'Skip' } }, ...PUBLIC });
    const before = await settled(claim);
    const blind = Object.fromEntries(
      [...before.reply.resources].map(([key, { resource }]) => [
        key,
        /^(nat|eip)-/.test(key) ? resource : live(resource),
      ]),
    );
    expect(rules(await call({ claim: before.claim, observed: blind }))).toEqual(rules(before.reply));
  });
});

const PUBLIC = controlPlane({ scheme: 'internet-facing', allowedCIDRs: ['0.0.0.0/0'] });
const rules = (reply: ReplyData) => keys(reply).filter((key) => key.startsWith('ingress-apiserver-lb'));

describe('existing infrastructure', () => {
  test('an existing network is not composed, and its ids are passed on', async () => {
    const { reply } = await settled(aClaim(existing()));
    const kinds = new Set(objects(reply).map(({ kind }) => kind));
    const networkKinds = ['VPC', 'Subnet', 'InternetGateway', 'EIP', 'NATGateway', 'RouteTable', 'Route'];
    expect(networkKinds.filter((kind) => kinds.has(kind))).toEqual([]);
    expect(reply.resources.get('sg-node')?.resource.spec?.['forProvider']).toMatchObject({ vpcId: 'vpc-1' });
    expect(reply.resources.get('lb-api')?.resource.spec?.['forProvider']).toMatchObject({
      subnets: ['subnet-a', 'subnet-b'],
    });
    expect(infrastructure(reply)).toMatchObject({
      ready: true,
      network: { id: 'vpc-1' },
      failureDomains: [
        { name: 'eu-west-1a', subnet: 'subnet-a' },
        { name: 'eu-west-1b', subnet: 'subnet-b' },
      ],
    });
  });

  test('a supplied endpoint needs no load balancer, and the pool is not registered with one', async () => {
    const { reply } = await settled(aClaim(controlPlane({ endpoint: { host: 'api.example.com' } })));
    expect(keys(reply).filter((key) => /lb-api|tg-api|listener|apiserver-lb/.test(key))).toEqual([]);
    expect(reply.status['controlPlaneEndpoint']).toEqual({ host: 'api.example.com', port: 6443 });
    expect(infrastructure(reply).controlPlane?.loadBalancerTargets).toEqual([]);
    expect(keys(reply)).toContain('control-plane');
  });

  test('nodes reach a restricted public API through their NAT gateways, once these have addresses', async () => {
    const claim = aClaim(controlPlane({ scheme: 'internet-facing', allowedCIDRs: ['198.51.100.0/24'] }));
    const stated = ['ingress-apiserver-lb-api-198.18.0.0-24', 'ingress-apiserver-lb-api-198.51.100.0-24'];
    expect(rules(await call({ claim }))).toEqual(stated);
    const { reply } = await settled(claim);
    expect(rules(reply)).toEqual([
      ...stated,
      'ingress-apiserver-lb-api-nat-eu-west-1a',
      'ingress-apiserver-lb-api-nat-eu-west-1b',
      'ingress-apiserver-lb-api-nat-eu-west-1c',
    ]);
  });
});

const overriding = (...overrides: JsonObject[]) => aClaim({ infrastructure: { overrides } });

describe('overrides', () => {
  test('change the objects in the cloud', async () => {
    const reply = await call({
      claim: overriding({
        kind: 'NATGateway',
        resource: 'nat-*',
        patch: { spec: { forProvider: { tags: { cost: 'x' } } } },
      }),
      input: anInput({ overrides: { NATGateway: ['spec.forProvider.tags'] } }),
    });
    expect(reply.resources.get('nat-eu-west-1b')?.resource.spec?.['forProvider']).toMatchObject({
      tags: { cost: 'x', Name: expect.stringMatching(/^team-a-prod-[a-z0-9]{6}-nat-eu-west-1b$/) },
    });
  });

  test('of machines are passed on to the control-plane pool', async () => {
    const override = { kind: 'Instance', patch: { spec: { forProvider: { monitoring: true } } } };
    const { reply } = await settled(overriding({ kind: 'LB', patch: {} }, override));
    expect(reply.resources.get('control-plane')?.resource.spec?.['infrastructure']).toEqual({ overrides: [override] });
    expect(condition(reply, 'InfrastructureReady')).not.toHaveProperty('message');
  });

  test('that match nothing are reported once as an event, and in the condition as long as they do not match', async () => {
    const override = { kind: 'Subnet', resource: 'subnet-z', patch: {} };
    const claim = overriding(override);
    const note = 'spec.infrastructure.overrides[0] matches nothing: no Subnet "subnet-z" is composed';
    const before = withReply(aClaim(), await call({}));
    const first = await call({ claim: { ...before, spec: claim.spec ?? {} } });
    expect(first.events).toEqual([{ severity: 'Warning', reason: 'InfrastructureNote', message: note }]);
    const second = await call({ claim: withReply(claim, first) });
    expect(second.events).toEqual([]);
    expect(condition(second, 'InfrastructureReady')?.message).toContain(note);
  });

  test.for([
    {
      override: { kind: 'Subnet', resource: 'subnet-privat-eu-west-1a' },
      want: '"subnet-privat-eu-west-1a" is not accepted; accepted: subnet-public-eu-west-1a, ',
    },
    { override: { kind: 'Instance', resource: 'instnace' }, want: '"instnace" is not accepted; accepted: instance' },
  ])(
    'of a new cluster are refused if they name what nobody composes: $override.resource',
    async ({ override, want }) => {
      await expect(call({ claim: overriding({ ...override, patch: {} }) })).rejects.toThrow(
        `cannot accept Cluster "team-a/prod": spec.infrastructure.overrides[0].resource: ${want}`,
      );
    },
  );
});
