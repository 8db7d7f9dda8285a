/** What is composed for a Cluster on GCP, and what a claim may not change. */
import { describe, expect, test } from 'vitest';
import { InfrastructureStatus } from '#lib/api/contracts/infrastructure-status.ts';
import { at, type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import type { ReplyData } from '#lib/fn/reply.ts';
import { aClaim as claimOf, type Call, call as callWith } from '../../../functions/cluster/cluster.fixture.ts';
import { crdsAvailable, validateManaged } from '../../../test/support/crds.ts';

const INPUT: JsonObject = {
  apiVersion: 'fn.slipway.dev/v1alpha1',
  kind: 'ClusterInput',
  cloud: 'gcp',
  regions: { 'eu-west': 'europe-west1' },
  zones: { 'europe-west1': ['europe-west1-b', 'europe-west1-c', 'europe-west1-d'] },
  managementCIDRs: ['198.18.0.0/24'],
};

const call = ({ input = INPUT, ...parts }: Call = {}): Promise<ReplyData> => callWith({ input, ...parts });
const aClaim = (spec: JsonObject = {}, status?: JsonObject): KubeObject => {
  const claim = claimOf(spec, status);
  return { ...claim, metadata: { ...claim.metadata, uid: 'fake-uid' } };
};

const control = (fields: JsonObject): JsonObject => ({
  controlPlane: { replicas: 3, machine: { class: 'standard-2' }, ...fields },
});
const PUBLIC = control({ scheme: 'internet-facing', allowedCIDRs: ['203.0.113.0/24'] });

/** As the cloud made it. */
function live(made: KubeObject): KubeObject {
  const name = made.metadata?.annotations?.['crossplane.io/external-name'] ?? made.metadata?.name ?? '';
  const zone = stringAt(made, 'spec', 'forProvider', 'zone') ?? '';
  const outputs: Readonly<Record<string, JsonObject>> = {
    Address: { address: at(made, 'spec', 'forProvider', 'addressType') === 'INTERNAL' ? '10.0.0.9' : '192.0.2.7' },
    NetworkEndpointGroup: {
      selfLink: `https://example.com/projects/p/zones/${zone}/networkEndpointGroups/${name}`,
    },
    ServiceAccount: { email: `${name}@p.iam.gserviceaccount.com` },
  };
  const conditions = [
    { type: 'Ready', status: 'True', reason: 'Available' },
    { type: 'Synced', status: 'True', reason: 'ReconcileSuccess' },
  ];
  return { ...made, status: { atProvider: { id: `projects/p/any/${name}`, ...outputs[made.kind] }, conditions } };
}

const observe = ({ resources }: ReplyData): Record<string, KubeObject> =>
  Object.fromEntries([...resources].map(([key, { resource }]) => [key, live(resource)]));

const withStatus = (claim: KubeObject, { status }: ReplyData): KubeObject => ({ ...claim, status });

/** Two calls later everything is known. */
async function settled(claim: KubeObject, input = INPUT): Promise<{ claim: KubeObject; reply: ReplyData }> {
  let reply = await call({ claim, input });
  for (let turn = 0; turn < 3; turn++)
    reply = await call({ claim: withStatus(claim, reply), input, observed: observe(reply) });
  return { claim: withStatus(claim, reply), reply };
}

const made = ({ resources }: ReplyData, key: string) => at(resources.get(key)?.resource, 'spec', 'forProvider');
const keys = ({ resources }: ReplyData, prefix: string): readonly string[] =>
  [...resources.keys()].filter((key) => key.startsWith(prefix)).toSorted();
const infrastructure = ({ status }: ReplyData) => InfrastructureStatus.parse(status['infrastructure']);

describe('the first call', () => {
  test('composes everything but what needs an id that only the cloud gives', async () => {
    const reply = await call({ claim: aClaim(PUBLIC) });
    expect(keys(reply, 'iam-')).toEqual([]);
    expect(reply.resources.has('api-backend')).toBe(false);
    expect(keys(reply, 'neg-')).toEqual(['neg-europe-west1-b', 'neg-europe-west1-c', 'neg-europe-west1-d']);
    expect(infrastructure(reply)).toMatchObject({ ready: false, region: 'europe-west1' });
  });
});

describe.for([
  { name: 'internal', spec: control({}) },
  { name: 'internet-facing', spec: PUBLIC },
  {
    name: 'in an existing network',
    spec: {
      ...control({}),
      infrastructure: {
        existing: {
          network: { id: 'projects/p/global/networks/shared' },
          subnets: ['b', 'c'].map((zone) => ({
            id: 'projects/p/regions/europe-west1/subnetworks/nodes',
            zone: `europe-west1-${zone}`,
          })),
        },
      },
    },
  },
  { name: 'with an endpoint of its own', spec: control({ endpoint: { host: 'api.example.com' } }) },
  { name: 'with join ports', spec: { ...PUBLIC, bootstrap: { provider: 'rke2', config: { install: 'Skip' } } } },
])('a cluster $name', async ({ spec }) => {
  const { reply } = await settled(aClaim(spec));

  test('is complete: machines may be created', () => {
    expect(infrastructure(reply)).toMatchObject({
      ready: true,
      providerIDFormat: 'gce://p/${failureDomain}/${instanceId}',
      controlPlane: { identity: expect.stringContaining('@p.iam.gserviceaccount.com') as string },
    });
  });

  test.skipIf(!crdsAvailable())('has only objects that the provider accepts', () => {
    const managed = [...reply.resources.values()].filter(({ resource }) => resource.apiVersion.includes('.gcp.'));
    expect(managed.length).toBeGreaterThan(15);
    expect(managed.flatMap(({ resource }) => validateManaged(resource))).toEqual([]);
  });
});

describe('who may call the API', () => {
  test('is the claim and the management cluster, by a firewall rule of the machines', async () => {
    const { reply } = await settled(aClaim(PUBLIC));
    expect(made(reply, 'firewall-clients')).toMatchObject({ sourceRanges: ['198.18.0.0/24', '203.0.113.0/24'] });
    expect(made(reply, 'firewall-nat')).toMatchObject({ sourceRanges: ['192.0.2.7/32'] });
    expect(made(reply, 'api-rule')).toMatchObject({ loadBalancingScheme: 'EXTERNAL', ports: ['6443'] });
  });

  test('is nobody from outside without such a block: then there is no rule', async () => {
    const { reply } = await settled(aClaim(control({})), { ...INPUT, managementCIDRs: [] });
    expect(keys(reply, 'firewall-clients')).toEqual([]);
    expect(made(reply, 'api-rule')).toMatchObject({ loadBalancingScheme: 'INTERNAL', allowGlobalAccess: true });
  });

  test('a block that is removed from the claim loses its access, and the rule goes with the last one', async () => {
    const input = { ...INPUT, managementCIDRs: [] };
    const { claim, reply } = await settled(
      aClaim(control({ allowedCIDRs: ['198.51.100.0/24', '203.0.113.0/24'] })),
      input,
    );
    const edited = (fields: JsonObject) =>
      call({ claim: { ...claim, spec: { ...claim.spec, ...control(fields) } }, input, observed: observe(reply) });
    const fewer = await edited({ allowedCIDRs: ['198.51.100.0/24'] });
    expect(made(fewer, 'firewall-clients')).toMatchObject({ sourceRanges: ['198.51.100.0/24'] });
    expect(keys(await edited({}), 'firewall-clients')).toEqual([]);
  });

  test('blocks of both families are in rules of their own', async () => {
    const claim = aClaim(control({ allowedCIDRs: ['203.0.113.0/24', '2001:db8::/32'] }));
    const { reply } = await settled(claim);
    expect(made(reply, 'firewall-clients-ipv6')).toMatchObject({ sourceRanges: ['2001:db8::/32'] });
  });
});

describe('nothing that exists is lost because it cannot be read', async () => {
  const { claim, reply } = await settled(aClaim(PUBLIC));
  const unread = Object.fromEntries(
    Object.entries(observe(reply)).map(([key, { status: _s, ...object }]) => [key, object]),
  );
  const now = await call({ claim, observed: unread });

  test('every object stays', () => {
    expect([...now.resources.keys()].toSorted()).toEqual([...reply.resources.keys()].toSorted());
  });

  test('groups stay in the load balancer, and addresses in the firewall rule', () => {
    expect(made(now, 'api-backend')).toEqual(made(reply, 'api-backend'));
    expect(made(now, 'firewall-nat')).toEqual(made(reply, 'firewall-nat'));
  });

  test('the status keeps what machines need', () => {
    expect(infrastructure(now)).toEqual(infrastructure(reply));
  });
});

test('a role that the platform withdraws is withdrawn, and others stay', async () => {
  const { claim, reply } = await settled(aClaim(PUBLIC));
  const input = { ...INPUT, gcp: { diskDriverRoles: false } };
  const now = await call({ claim, input, observed: observe(reply) });
  const gone = keys(reply, 'iam-').filter((key) => !now.resources.has(key));
  expect(gone).toEqual([
    'iam-control-plane-act-as',
    'iam-control-plane-disks',
    'iam-control-plane-machines',
    'iam-node-act-as',
  ]);
});

test('machines may read secrets below the prefix of their role, and neither list, change nor destroy any', async () => {
  const { reply } = await settled(aClaim(PUBLIC));
  const grants = keys(reply, 'iam-').map((key) => made(reply, key));
  const ofSecrets = grants.filter((grant) => stringAt(grant, 'role')?.includes('secretmanager') === true);
  expect(ofSecrets.map((grant) => stringAt(grant, 'role'))).toEqual([
    'roles/secretmanager.secretAccessor',
    'roles/secretmanager.secretAccessor',
  ]);
  for (const grant of ofSecrets) expect(stringAt(grant, 'condition', 'expression')).toMatch(/startsWith\(".+_"\)$/);
});

test('the role with which machines of an earlier release could change first-boot data is withdrawn', async () => {
  const { claim, reply } = await settled(aClaim(PUBLIC));
  const earlier = Object.fromEntries(
    ['control-plane', 'node'].map((role) => [
      `iam-${role}-secret-versions`,
      live(reply.resources.get(`iam-${role}-secrets`)!.resource),
    ]),
  );
  const now = await call({ claim, observed: { ...observe(reply), ...earlier } });
  expect([...now.resources.keys()].toSorted()).toEqual([...reply.resources.keys()].toSorted());
});

test('a zone and an address that the Composition no longer has stay', async () => {
  const { claim, reply } = await settled(aClaim(PUBLIC), { ...INPUT, gcp: { natAddresses: 2 } });
  const fewer = { ...INPUT, zones: { 'europe-west1': ['europe-west1-b'] } };
  const now = await call({ claim, input: fewer, observed: observe(reply) });
  expect(keys(now, 'neg-')).toHaveLength(3);
  expect(keys(now, 'nat-address-')).toHaveLength(2);
  expect(infrastructure(now).failureDomains).toHaveLength(3);
});

describe('is refused', () => {
  const refused = async (claim: KubeObject, input = INPUT): Promise<string> =>
    call({ claim, input }).then(
      () => 'accepted',
      (error: Error) => error.message,
    );
  const existing = (network: string, ...subnets: JsonObject[]): KubeObject =>
    aClaim({ ...control({}), infrastructure: { existing: { network: { id: network }, subnets } } });
  const NETWORK = 'projects/p/global/networks/shared';
  const SUBNET = 'projects/p/regions/europe-west1/subnetworks/nodes';

  test.for([
    { name: 'a region of another cloud', claim: aClaim({ region: 'eu-west-1' }), want: 'spec.region: "eu-west-1"' },
    {
      name: 'a network by its name alone',
      claim: existing('shared', { id: SUBNET, zone: 'europe-west1-b' }),
      want: 'spec.infrastructure.existing.network.id: "shared" is not accepted; accepted: an id such as projects/my-project/global/networks/shared',
    },
    {
      name: 'a second subnet',
      claim: existing(NETWORK, { id: SUBNET, zone: 'europe-west1-b' }, { id: `${SUBNET}-2`, zone: 'europe-west1-c' }),
      want: 'since one subnet of a region serves all its zones',
    },
    {
      name: 'a public subnet',
      claim: existing(NETWORK, { id: SUBNET, zone: 'europe-west1-b', public: true }),
      want: 'subnets[0].public: true is not accepted; accepted: false, since subnets of GCP are neither public nor private',
    },
    {
      name: 'a subnet of another region',
      claim: existing(NETWORK, { id: SUBNET.replace('west1', 'west4'), zone: 'europe-west1-b' }),
      want: 'accepted: the id of a subnet of europe-west1',
    },
    {
      name: 'a block that is too small',
      claim: aClaim({ ...control({}), network: { nodes: '10.0.0.0/30' } }),
      want: 'spec.network.nodes: "10.0.0.0/30" is not accepted; accepted: an IPv4 block from /8 to /29',
    },
  ])('$name', async ({ claim, want }) => {
    expect(await refused(claim)).toContain(want);
  });

  test('a tag of the platform that is no label, with what is accepted', async () => {
    expect(await refused(aClaim(), { ...INPUT, tags: { 'Cost Center': 'x' } })).toContain('a label of GCP');
  });

  test('another scheme than the load balancer has', async () => {
    const { claim } = await settled(aClaim(PUBLIC));
    const changed = { ...claim, spec: { ...claim.spec, ...control({ scheme: 'internal' }) } };
    expect(await refused(changed)).toContain('since the scheme of a load balancer cannot change');
  });
});

describe('groups of somebody else that do not serve every zone', () => {
  const ZONES = ['europe-west1-b', 'europe-west1-c', 'europe-west1-d'];
  const spec = (zones?: readonly string[], served = ['b', 'c']): JsonObject => ({
    ...control({
      endpoint: { host: 'api.example.com' },
      machine: { class: 'standard-2', ...(zones === undefined ? {} : { zones: [...zones] }) },
    }),
    infrastructure: {
      existing: { loadBalancerTargets: served.map((zone) => ({ id: `europe-west1-${zone}/api`, port: 6443 })) },
    },
  });
  const input = {
    ...INPUT,
    limits: { loadBalancerTargets: ['a', 'b', 'c', 'd'].map((zone) => `europe-west1-${zone}/api`) },
  };
  /** As a release before wrote it, which did not look at zones. */
  const earlier = async (zones?: readonly string[], served?: string[]) => {
    const { claim, reply } = await settled(aClaim(spec(undefined, ['b', 'c'])), input);
    const failureDomains = infrastructure(reply).failureDomains.map((one) => ({ ...one, controlPlane: true }));
    const existing = at(spec(undefined, served), 'infrastructure', 'existing') as JsonObject;
    const known = { ...(reply.status['infrastructure'] as JsonObject), failureDomains, existing };
    const status = { ...claim.status, infrastructure: known };
    return call({ claim: { ...aClaim(spec(zones, served)), status }, input, observed: observe(reply) });
  };
  const serving = (reply: ReplyData) =>
    infrastructure(reply)
      .failureDomains.filter(({ controlPlane }) => controlPlane)
      .map(({ name }) => name);

  test('control planes are created in those alone', async () => {
    expect(serving((await settled(aClaim(spec()), input)).reply)).toEqual(ZONES.slice(0, 2));
    await expect(call({ claim: aClaim(spec(ZONES)), input })).rejects.toThrow('machine.zones[2]: "europe-west1-d"');
    await expect(call({ claim: aClaim(spec(undefined, ['a', 'b'])), input })).rejects.toThrow('"europe-west1-a"');
  });

  test('a cluster that an earlier release created goes on as it is', async () => {
    expect(serving(await earlier(ZONES))).toEqual(ZONES);
    expect(serving(await earlier())).toEqual(ZONES.slice(0, 2));
    expect(serving(await earlier(undefined, ['a', 'b']))).toEqual(ZONES.slice(0, 1));
  });

  test('a cluster that exists gets no zone of the others', async () => {
    const { claim, reply } = await settled(aClaim(spec()), input);
    const edited = { ...claim, spec: aClaim(spec(ZONES)).spec ?? {} };
    await expect(call({ claim: edited, input, observed: observe(reply) })).rejects.toThrow('machine.zones[2]');
  });
});

describe('a control plane behind a load balancer that passes packets on as they are', () => {
  const TALOS: JsonObject = { bootstrap: { provider: 'talos' }, provisioning: { format: 'talos' }, version: 'v1.36.2' };
  const ELSEWHERE = { endpoint: { host: 'api.example.com', port: 6443 } };

  test('has its address as a local one', async () => {
    const { reply } = await settled(aClaim(PUBLIC));
    expect(at(reply.status, 'infrastructure', 'apiAccess')).toMatchObject({ localAddress: true });
  });

  test('is refused if its machines cannot have it', async () => {
    await expect(call({ claim: aClaim({ ...PUBLIC, ...TALOS }) })).rejects.toThrow(
      /spec\.bootstrap\.provider: "talos" is not accepted; accepted: one whose hosts run units/,
    );
    const { resources } = await call({ claim: aClaim({ ...TALOS, ...control(ELSEWHERE) }) });
    expect(resources.size).toBeGreaterThan(0);
  });
});
