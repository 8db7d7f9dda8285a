/** Whoever may claim a cluster chooses only what the platform states. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/api/json.ts';
import {
  acceptedAs,
  aClaim,
  anInput,
  call,
  condition,
  controlPlane,
  existing,
  objects,
  observe,
  settled,
} from './cluster.fixture.ts';

const refused = async (spec: JsonObject, limits: JsonObject): Promise<string> => {
  const thrown = await call({ claim: aClaim(spec), input: anInput({ limits }) }).catch((error: Error) => error.message);
  return typeof thrown === 'string' ? thrown : 'accepted';
};
const OUTSIDE =
  'a host outside the platform, so no loopback or link-local address, no metadata service and no Service of its cluster';
const who = 'cannot accept Cluster "team-a/prod": ';

describe('a choice outside the limits of the Composition is refused', () => {
  test.for([
    {
      name: 'the network of another team',
      spec: existing({ network: { id: 'vpc-9' } }),
      limits: { networks: ['vpc-1', 'vpc-2'] },
      want: `${who}spec.infrastructure.existing.network.id: "vpc-9" is not accepted; accepted: vpc-1, vpc-2 (limits.networks in ClusterInput of the Composition)`,
    },
    {
      name: 'any existing network',
      spec: existing(),
      limits: { networks: [] },
      want: `${who}spec.infrastructure.existing.network.id: "vpc-1" is not accepted; accepted: none, since limits.networks in ClusterInput of the Composition allows none`,
    },
    {
      name: 'a subnet of another team in a shared network',
      spec: existing(),
      limits: { networks: ['vpc-1'], subnets: ['subnet-a', 'subnet-b'] },
      want: `${who}spec.infrastructure.existing.subnets[2].id: "subnet-p" is not accepted; accepted: subnet-a, subnet-b (limits.subnets in ClusterInput of the Composition)`,
    },
    {
      name: 'rights that the platform gave to nobody',
      spec: existing({ identities: { controlPlane: 'admin', worker: 'node' } }),
      limits: {},
      want: `${who}spec.infrastructure.existing.identities.controlPlane: "admin" is not accepted; accepted: none, since limits.identities in ClusterInput of the Composition allows none`,
    },
    {
      name: 'a security group of another team',
      spec: existing({ securityGroups: { controlPlane: ['sg-1'], worker: ['sg-1', 'sg-9'] } }),
      limits: { securityGroups: ['sg-1'] },
      want: `${who}spec.infrastructure.existing.securityGroups.worker[1]: "sg-9" is not accepted; accepted: sg-1 (limits.securityGroups in ClusterInput of the Composition)`,
    },
    {
      name: 'traffic of another team',
      spec: {
        ...controlPlane({ endpoint: { host: 'api.example.com' } }),
        ...existing({ loadBalancerTargets: [{ id: 'arn:of-others' }] }),
      },
      limits: {},
      want: `${who}spec.infrastructure.existing.loadBalancerTargets[0].id: "arn:of-others" is not accepted; accepted: none, since limits.loadBalancerTargets in ClusterInput of the Composition allows none`,
    },
    {
      name: 'the metadata service of the platform as its API',
      spec: controlPlane({ endpoint: { host: '169.254.169.254' } }),
      limits: {},
      want: `${who}spec.controlPlane.endpoint.host: "169.254.169.254" is not accepted; accepted: ${OUTSIDE} (limits.endpoints in ClusterInput of the Composition)`,
    },
    {
      name: 'the API of the platform as its own',
      spec: controlPlane({ endpoint: { host: 'kubernetes.default.svc' } }),
      limits: { endpoints: ['*', 'api.example.com'] },
      want: `${who}spec.controlPlane.endpoint.host: "kubernetes.default.svc" is not accepted; accepted: ${OUTSIDE}, api.example.com (limits.endpoints in ClusterInput of the Composition)`,
    },
    {
      name: 'an API that the platform does not reach',
      spec: controlPlane({ endpoint: { host: 'api.example.org' } }),
      limits: { endpoints: ['*.example.com', '10.0.0.0/8'] },
      want: `${who}spec.controlPlane.endpoint.host: "api.example.org" is not accepted; accepted: *.example.com, 10.0.0.0/8 (limits.endpoints in ClusterInput of the Composition)`,
    },
    {
      name: 'an API that is open to more than the platform allows',
      spec: controlPlane({ allowedCIDRs: ['10.1.0.0/16', '0.0.0.0/0'] }),
      limits: { allowedCIDRs: ['10.0.0.0/8'] },
      want: `${who}spec.controlPlane.allowedCIDRs[1]: "0.0.0.0/0" is not accepted; accepted: 10.0.0.0/8 (limits.allowedCIDRs in ClusterInput of the Composition)`,
    },
    {
      name: 'an API that is open to all of IPv6',
      spec: controlPlane({ allowedCIDRs: ['::/0'] }),
      limits: { allowedCIDRs: ['0.0.0.0/0'] },
      want: `${who}spec.controlPlane.allowedCIDRs[0]: "::/0" is not accepted; accepted: 0.0.0.0/0 (limits.allowedCIDRs in ClusterInput of the Composition)`,
    },
    {
      name: 'a size of the control plane that is not offered',
      spec: controlPlane({ machine: { class: 'p5.48xlarge' } }),
      limits: { sizes: ['standard-*'] },
      want: `${who}spec.controlPlane.machine.class: "p5.48xlarge" is not accepted; accepted: standard-* (limits.sizes in ClusterInput of the Composition)`,
    },
    {
      name: 'an image of the control plane that the platform did not build',
      spec: controlPlane({ machine: { class: 'standard-4', image: 'ami-0fedcba9876543210' } }),
      limits: { images: ['ubuntu-*'] },
      want: `${who}spec.controlPlane.machine.image: "ami-0fedcba9876543210" is not accepted; accepted: ubuntu-* (limits.images in ClusterInput of the Composition)`,
    },
    {
      name: 'a disk of the control plane in clear',
      spec: controlPlane({ machine: { class: 'standard-4', rootDisk: { encrypted: false } } }),
      limits: { encryptedDisks: true },
      want: `${who}spec.controlPlane.machine.rootDisk.encrypted: false is not accepted; accepted: true (limits.encryptedDisks in ClusterInput of the Composition)`,
    },
    {
      name: 'a region that the platform does not use',
      spec: { region: 'us-east-1' },
      limits: { regions: ['eu-west'] },
      want: `${who}spec.region: "us-east-1" is not accepted; accepted: eu-west (limits.regions in ClusterInput of the Composition)`,
    },
  ])('$name', async ({ spec, limits, want }) => {
    expect(await refused(spec, limits)).toBe(want);
  });
});

describe('a limit that says * allows all, as if it were not there', () => {
  const parts = existing({
    securityGroups: { controlPlane: ['sg-1'], worker: ['sg-2'] },
    identities: { controlPlane: 'cp', worker: 'node' },
  });
  // Those of machines are patterns, blocks are blocks, and the others are no lists.
  const lists = ['regions', 'endpoints', 'networks', 'subnets', 'securityGroups', 'identities', 'sizes', 'images'];
  const machine = { class: 'm6i.large', image: 'ami-0123456789abcdef0' };
  const spec = { ...parts, ...controlPlane({ machine, endpoint: { host: 'api.example.com' } }) };

  test.for(lists)('%s', async (list) => {
    const limits = { securityGroups: ['*'], identities: ['*'], [list]: ['*'] };
    expect(await refused(spec, limits)).toBe('accepted');
    expect(await refused(spec, { ...limits, [list]: [] })).toContain(`since limits.${list} in`);
  });
});

test('a choice inside the limits composes the same as without limits', async () => {
  const spec = { ...existing(), ...controlPlane({ allowedCIDRs: ['10.1.0.0/16'] }) };
  const limits = {
    regions: ['eu-west'],
    networks: ['vpc-1'],
    subnets: ['subnet-a', 'subnet-b', 'subnet-p'],
    allowedCIDRs: ['192.0.2.0/24', '10.0.0.0/8'],
  };
  const claim = aClaim(spec);
  expect(objects(await call({ claim, input: anInput({ limits }) }))).toEqual(objects(await call({ claim })));
});

describe('what a cluster has stays when a limit comes later, and its claim goes on', () => {
  const parts = {
    securityGroups: { controlPlane: ['sg-1'], worker: ['sg-2'] },
    identities: { controlPlane: 'cp', worker: 'node' },
    loadBalancerTargets: [
      { id: 'arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/api/0123456789abcdef' },
    ],
  };
  const before = {
    securityGroups: ['sg-1', 'sg-2'],
    identities: ['cp', 'node'],
    loadBalancerTargets: ['arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/api/0123456789abcdef'],
  };
  const spec = {
    controlPlane: {
      replicas: 3,
      machine: { class: 'standard-2', rootDisk: { encrypted: false } },
      endpoint: { host: 'api.example.com' },
      allowedCIDRs: ['10.1.0.0/16'],
    },
    ...existing(parts),
  };
  const narrow = {
    regions: ['us-east'],
    endpoints: ['*.example.org'],
    networks: ['vpc-2'],
    subnets: [],
    securityGroups: [],
    identities: [],
    loadBalancerTargets: [],
    allowedCIDRs: [],
    sizes: [],
    encryptedDisks: true,
  };
  const later = async (edit: (claim: JsonObject) => JsonObject = (claim) => claim, limits: JsonObject = narrow) => {
    const { claim, reply } = await settled(aClaim(spec), anInput({ limits: before }));
    const edited = { ...claim, spec: edit(claim.spec ?? {}) };
    return call({ claim: edited, input: anInput({ limits }), observed: observe(reply) });
  };

  test('all of it', async () => {
    const { reply: same } = await settled(aClaim(spec), anInput({ limits: before }));
    expect(objects(await later())).toEqual(objects(same));
  });

  test.for(Object.entries(narrow))('%s, and the cluster says so', async ([limit, value]) => {
    const reply = await later((claim) => claim, { ...before, [limit]: value });
    const said = condition(reply, 'InfrastructureReady');
    expect(said).toMatchObject({ status: 'True' });
    expect(said?.message).toMatch(
      new RegExp(`^spec[.].* is not accepted; .*limits[.]${limit} in ClusterInput.*; the cluster keeps it`),
    );
  });

  test('its infrastructure, while it has no control plane yet: that waits until claim and limits agree', async () => {
    const { claim, reply } = await settled(aClaim(spec), anInput({ limits: before }));
    const { 'control-plane': _pool, ...observed } = observe(reply);
    const between = await call({ claim, input: anInput({ limits: narrow }), observed });
    expect([...between.resources.keys()]).toEqual([...reply.resources.keys()].filter((key) => key !== 'control-plane'));
    expect(condition(between, 'InfrastructureReady')?.message).toMatch(
      /^no control plane is created: spec[.]controlPlane[.]machine[.]class: "standard-2" is not accepted; /,
    );
    const agreed = await call({ claim, input: anInput({ limits: before }), observed });
    expect(agreed.resources.has('control-plane')).toBe(true);
  });

  test('its infrastructure, while it has no control plane yet, also beside an override that says what the claim says', async () => {
    const machine = { class: 'standard-2', dataDisks: [{ name: 'a', sizeGiB: 20 }] };
    const list = { ebsBlockDevice: [{ deviceName: '/dev/sdz' }] };
    const overrides = [{ kind: 'Instance', patch: { spec: { initProvider: list } } }];
    const { claim, reply } = await settled(aClaim(controlPlane({ machine })));
    const both = { ...claim, spec: { ...claim.spec, infrastructure: { overrides } } };
    const { 'control-plane': _pool, ...observed } = acceptedAs(both, observe(reply));
    const input = anInput({ overrides: { Instance: ['spec.forProvider.ebsBlockDevice'] } });
    const between = await call({ claim: both, input, observed });
    expect([...between.resources.keys()]).toEqual([...reply.resources.keys()].filter((key) => key !== 'control-plane'));
    expect(condition(between, 'InfrastructureReady')?.message).toMatch(
      /^no control plane is created: spec[.]infrastructure[.]overrides\[0\][.]patch[.]spec[.]initProvider[.]ebsBlockDevice: is not accepted; accepted: nothing there, since spec[.]controlPlane[.]machine[.]dataDisks says it$/,
    );
    const want = 'initProvider.ebsBlockDevice: is not accepted';
    await expect(call({ claim: { ...both, status: {} }, input })).rejects.toThrow(want);
    await expect(call({ claim: both, input, observed: observe(reply) })).rejects.toThrow(want);
  });

  test('a type of disk that the release does not know: it is kept, and more machines get it', async () => {
    const machine = { class: 'standard-2', rootDisk: { type: 'of-an-older-release' } };
    const asked = { ...spec, controlPlane: { ...spec.controlPlane, machine } };
    const { claim, reply } = await settled(aClaim(asked), anInput({ limits: { ...before, diskTypes: ['*'] } }));
    const grown = { ...claim, spec: { ...claim.spec, controlPlane: { ...asked.controlPlane, replicas: 5 } } };
    const grownWith = (limits: JsonObject) =>
      call({ claim: grown, input: anInput({ limits }), observed: observe(reply) });
    const next = await grownWith(before);
    expect(next.resources.get('control-plane')?.resource.spec).toMatchObject({ replicas: 5, machine });
    expect(condition(next, 'InfrastructureReady')?.message).toMatch(
      /^spec[.]controlPlane[.]machine[.]rootDisk[.]type: "of-an-older-release" is not accepted; .*; the cluster keeps it/,
    );
    await expect(grownWith({ ...before, diskTypes: ['gp3'] })).rejects.toThrow('rootDisk.type: "of-an-older-release"');
  });

  test('an API at an address of the platform that an earlier release accepted', async () => {
    const lost = { ...spec.controlPlane, endpoint: { host: 'prod' } };
    const { claim, reply } = await settled(
      aClaim({ ...spec, controlPlane: lost }),
      anInput({ limits: { ...before, endpoints: ['prod'] } }),
    );
    const later = await call({ claim, input: anInput({ limits: before }), observed: observe(reply) });
    expect(later.status['controlPlaneEndpoint']).toEqual({ host: 'prod', port: 6443 });
    expect(condition(later, 'InfrastructureReady')?.message).toContain('"prod" is not accepted');
    const { status: _lost, ...restored } = claim;
    const again = await call({ claim: restored, input: anInput({ limits: before }), observed: observe(reply) });
    expect(again.resources.has('control-plane')).toBe(true);
  });

  test('other edits are accepted', async () => {
    const reply = await later((old) => ({
      ...old,
      controlPlane: { ...spec.controlPlane, labels: { 'example.com/a': 'b' } },
    }));
    expect(reply.resources.get('control-plane')?.resource.spec).toMatchObject({ labels: { 'example.com/a': 'b' } });
  });

  test.for([
    [
      'another block',
      { allowedCIDRs: ['10.1.0.0/16', '10.2.0.0/16'] },
      'allowedCIDRs[1]: "10.2.0.0/16" is not accepted',
    ],
    ['another size', { machine: { class: 'standard-4' } }, 'machine.class: "standard-4" is not accepted'],
    [
      'more machines of a size that is no longer offered',
      { replicas: 5 },
      'machine.class: "standard-2" is not accepted',
    ],
  ] as const)('%s is refused', async ([, edit, want]) => {
    const edited = later((old) => ({ ...old, controlPlane: { ...spec.controlPlane, ...edit } }));
    await expect(edited).rejects.toThrow(`${who}spec.controlPlane.${want}`);
  });
});
