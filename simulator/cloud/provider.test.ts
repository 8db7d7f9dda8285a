/** The behaviour of the simulated AWS provider, as Compositions see it. */
import { SIMULATED_CLOUDS } from '#clouds/simulated.ts';
import { describe, expect, test } from 'vitest';
import { conditionOf } from '#lib/api/conditions.ts';
import { type JsonObject, type KubeObject, at, stringAt } from '#lib/api/json.ts';
import { type Engine, type Faults, createEngine } from '../engine.ts';
import { conditionText } from '../fake-functions.fixture.ts';

const GROUPS: Readonly<Record<string, string>> = {
  LBTargetGroupAttachment: 'elbv2',
  LBTargetGroup: 'elbv2',
  LBListener: 'elbv2',
  LB: 'elbv2',
  Role: 'iam',
};

function refTo(kind: string, name: string) {
  return { apiVersion: `${GROUPS[kind] ?? 'ec2'}.aws.m.upbound.io/v1beta1`, kind, namespace: 'ns', name };
}

function mr(kind: string, name: string, forProvider: JsonObject = {}, spec: JsonObject = {}): KubeObject {
  const { apiVersion } = refTo(kind, name);
  return {
    apiVersion,
    kind,
    metadata: { name, namespace: 'ns' },
    spec: { forProvider: { region: 'eu-west-1', ...forProvider }, ...spec },
  };
}

function anEngine(faults: Faults = {}, seed = 1): Engine {
  return createEngine({
    clouds: SIMULATED_CLOUDS,
    start: new Date('2026-01-01T00:00:00Z'),
    seed,
    faults,
    functions: () => expect.fail('not called'),
  });
}

async function pass(engine: Engine, seconds: number): Promise<void> {
  await engine.runUntil(() => false, { limitSeconds: engine.seconds + seconds });
}

const isReady = (engine: Engine, kind: string, name: string): boolean =>
  conditionText(engine.get(refTo(kind, name)), 'Ready') === 'True Available';

const subnet = (forProvider: JsonObject = {}): KubeObject =>
  mr('Subnet', 's', {
    availabilityZone: 'eu-west-1a',
    cidrBlock: '10.0.1.0/24',
    vpcIdRef: { name: 'v' },
    ...forProvider,
  });
const vpc = (forProvider: JsonObject = {}): KubeObject => mr('VPC', 'v', { cidrBlock: '10.0.0.0/16', ...forProvider });
const instance = (forProvider: JsonObject = {}, spec: JsonObject = {}): KubeObject =>
  mr(
    'Instance',
    'i',
    { ami: 'ami-1', instanceType: 'm6i.large', subnetIdRef: { name: 's' }, tags: { a: '1' }, ...forProvider },
    spec,
  );

async function aRunningInstance(faults: Faults = {}, spec: JsonObject = {}): Promise<Engine> {
  const engine = anEngine(faults);
  for (const object of [vpc(), subnet(), instance({}, spec)]) engine.apply(object);
  await engine.runUntil(() => isReady(engine, 'Instance', 'i'), { limitSeconds: 300 });
  return engine;
}

const idOf = (engine: Engine, kind: string, name: string): string | undefined =>
  engine.get(refTo(kind, name))?.metadata?.annotations?.['crossplane.io/external-name'];

describe('a managed resource', () => {
  test('has no id until it is created, and reports its state afterwards', async () => {
    const engine = anEngine();
    engine.apply(vpc());
    await pass(engine, 1);
    const early = engine.get(refTo('VPC', 'v'));
    expect(conditionText(early, 'Ready')).toBe('False Creating');
    expect(conditionText(early, 'Synced')).toBe('True ReconcileSuccess');
    expect(at(early, 'status', 'atProvider')).toBeUndefined();
    expect(idOf(engine, 'VPC', 'v')).toBeUndefined();
    await pass(engine, 20);
    const late = engine.get(refTo('VPC', 'v'));
    expect(conditionText(late, 'Ready')).toBe('True Available');
    expect(idOf(engine, 'VPC', 'v')).toMatch(/^vpc-[0-9a-f]{17}$/);
    expect(at(late, 'status', 'atProvider')).toMatchObject({ id: idOf(engine, 'VPC', 'v'), cidrBlock: '10.0.0.0/16' });
  });

  test('waits for objects that it refers to, and keeps the resolved value', async () => {
    const engine = anEngine();
    engine.apply(subnet());
    await pass(engine, 2);
    expect(conditionText(engine.get(refTo('Subnet', 's')), 'Synced')).toBe(
      'False ReconcileError – cannot resolve references: mg.Spec.ForProvider.VPCID: cannot get referenced resource: VPC "v" not found',
    );
    engine.apply(vpc());
    await pass(engine, 1.5);
    expect(conditionText(engine.get(refTo('Subnet', 's')), 'Synced')).toMatch(
      /cannot resolve references: .*referenced field was empty \(referenced resource may not yet be ready\)$/,
    );
    await pass(engine, 60);
    expect(isReady(engine, 'Subnet', 's')).toBe(true);
    expect(stringAt(engine.get(refTo('Subnet', 's')), 'spec', 'forProvider', 'vpcId')).toBe(idOf(engine, 'VPC', 'v'));
  });

  test('resolves references by labels, in lists and inside blocks', async () => {
    const engine = anEngine();
    engine.apply({ ...vpc(), metadata: { name: 'v', namespace: 'ns', labels: { net: 'main' } } });
    engine.apply(mr('SecurityGroup', 'g', { vpcIdSelector: { matchLabels: { net: 'main' } } }));
    engine.apply(subnet());
    engine.apply(instance({ vpcSecurityGroupIdRefs: [{ name: 'g' }] }));
    engine.apply(mr('LBTargetGroup', 't', { name: 't', port: 6443, vpcIdRef: { name: 'v' } }));
    engine.apply(
      mr('LBListener', 'l', {
        loadBalancerArn: 'arn:x',
        defaultAction: [{ type: 'forward', targetGroupArnRef: { name: 't' } }],
      }),
    );
    await pass(engine, 120);
    const [made, listener] = [engine.get(refTo('Instance', 'i')), engine.get(refTo('LBListener', 'l'))];
    expect(at(made, 'spec', 'forProvider', 'vpcSecurityGroupIds')).toEqual([idOf(engine, 'SecurityGroup', 'g')]);
    expect(at(listener, 'spec', 'forProvider', 'defaultAction')).toMatchObject([
      {
        type: 'forward',
        targetGroupArn: stringAt(engine.get(refTo('LBTargetGroup', 't')), 'status', 'atProvider', 'arn'),
      },
    ]);
  });

  test.for([
    { kind: 'SecurityGroup', where: 'a field', object: mr('SecurityGroup', 'x', { name: 'sg-team' }) },
    { kind: 'LB', where: 'a field', object: mr('LB', 'x', { name: 'internal-team' }) },
    { kind: 'Role', where: 'the name of the object', object: mr('Role', 'x'.repeat(65)) },
  ])('whose name AWS does not accept is not created: $kind, in $where', async ({ kind, object }) => {
    const engine = anEngine();
    engine.apply(object);
    await pass(engine, 60);
    const refused = engine.get(refTo(kind, object.metadata?.name ?? ''));
    expect(conditionText(refused, 'Synced')).toMatch(/ is invalid/);
    expect(conditionText(refused, 'Ready')).toBe('False Creating');
  });

  test('is not created on a size that its image does not boot on, nor changed to such a size', async () => {
    const engine = anEngine();
    const images = { 'linux/v1.35.4': { here: 'ami-1' }, 'linux/v1.35.4/arm64': { here: 'ami-2' } };
    engine.apply({
      apiVersion: 'apiextensions.crossplane.io/v1beta1',
      kind: 'EnvironmentConfig',
      metadata: { name: 'images' },
      data: { images },
    });
    for (const object of [vpc(), subnet(), instance({ instanceType: 'm7g.large' })]) engine.apply(object);
    await pass(engine, 120);
    const refusal = /architecture 'arm64' of the specified instance type does not match the architecture 'x86_64'/;
    expect(conditionText(engine.get(refTo('Instance', 'i')), 'Synced')).toMatch(refusal);
    engine.apply(instance());
    await pass(engine, 120);
    expect(isReady(engine, 'Instance', 'i')).toBe(true);
    engine.apply(instance({ instanceType: 'm7g.large' }));
    await pass(engine, 120);
    expect(conditionText(engine.get(refTo('Instance', 'i')), 'Synced')).toMatch(refusal);
    engine.apply({
      ...instance({ instanceType: 'm7g.large', ami: 'ami-2' }),
      metadata: { name: 'j', namespace: 'ns' },
    });
    await pass(engine, 120);
    expect(isReady(engine, 'Instance', 'j')).toBe(true);
  });

  test('of a kind that is not simulated is refused by name', () => {
    expect(() => anEngine().apply(mr('VPNGateway', 'f'))).toThrow(
      'cannot accept VPNGateway "ns/f": no matches for kind "VPNGateway" in version "ec2.aws.m.upbound.io/v1beta1"',
    );
  });
});

describe('a change', () => {
  test('of a field that would need another object is refused, Ready stays True, and reverting clears it', async () => {
    const engine = await aRunningInstance();
    engine.apply(instance({ ami: 'ami-2', tags: { a: '2' } }));
    await pass(engine, 10);
    const refused = engine.get(refTo('Instance', 'i'));
    const text =
      'async update failed: refuse to update the external resource because the following update requires replacing it: cannot change the value of the argument "ami" from "ami-1" to "ami-2"';
    expect(conditionText(refused, 'Synced')).toBe(`False ReconcileError – update failed: ${text}`);
    expect(conditionText(refused, 'LastAsyncOperation')).toBe(`False AsyncUpdateFailure – ${text}`);
    expect(conditionText(refused, 'Ready')).toBe('True Available');
    expect(at(refused, 'status', 'atProvider', 'tags')).toEqual({ a: '1' }); // the refusal blocks every other change
    engine.apply(instance({ tags: { a: '2' } }));
    await pass(engine, 30);
    const cleared = engine.get(refTo('Instance', 'i'));
    expect(conditionText(cleared, 'Synced')).toBe('True ReconcileSuccess');
    expect(at(cleared, 'status', 'atProvider', 'tags')).toEqual({ a: '2' });
  });

  test('of tags happens in place without interruption', async () => {
    const engine = await aRunningInstance();
    const id = idOf(engine, 'Instance', 'i');
    engine.apply(instance({ tags: { b: '1' } }));
    await pass(engine, 30);
    expect(at(engine.get(refTo('Instance', 'i')), 'status', 'atProvider')).toMatchObject({
      id,
      tags: { b: '1' },
      instanceState: 'running',
    });
  });

  test('of the instance type stops and starts the same machine', async () => {
    const engine = await aRunningInstance();
    const id = idOf(engine, 'Instance', 'i');
    engine.apply(instance({ instanceType: 'm6i.xlarge' }));
    await pass(engine, 5);
    const stopped = engine.get(refTo('Instance', 'i'));
    expect(at(stopped, 'status', 'atProvider')).toMatchObject({ instanceState: 'stopped', instanceType: 'm6i.large' });
    expect(conditionText(stopped, 'Ready')).toBe('True Available');
    await pass(engine, 60);
    expect(at(engine.get(refTo('Instance', 'i')), 'status', 'atProvider')).toMatchObject({
      id,
      instanceState: 'running',
      instanceType: 'm6i.xlarge',
    });
  });

  test('of a field that only counts at creation is ignored', async () => {
    const engine = await aRunningInstance({}, { initProvider: { userDataBase64: 'YQ==' } });
    engine.apply(instance({}, { initProvider: { userDataBase64: 'Yg==' } }));
    await pass(engine, 30);
    expect(conditionText(engine.get(refTo('Instance', 'i')), 'Synced')).toBe('True ReconcileSuccess');
    expect(at(engine.get(refTo('Instance', 'i')), 'status', 'atProvider', 'instanceState')).toBe('running');
    expect(engine.snapshot().counters.cloudCreated['Instance']).toBe(1);
  });
});

test('first-boot data of initProvider is filled in, and a machine stops for other data only in forProvider', async () => {
  const engine = await aRunningInstance({}, { initProvider: { userDataBase64: 'YQ==' } });
  const look = () => engine.get(refTo('Instance', 'i'));
  const state = () => at(look(), 'status', 'atProvider', 'instanceState');
  expect(at(look(), 'spec', 'forProvider', 'userDataBase64')).toBe('YQ==');
  engine.apply(instance({ tags: { a: '2' } }, { initProvider: { userDataBase64: 'Yg==' } }));
  await pass(engine, 10);
  expect(state()).toBe('running');
  engine.apply(instance({ userDataBase64: 'Yg==' }));
  await pass(engine, 10);
  expect(state()).toBe('stopped');
});

describe('a deletion', () => {
  test('takes time, waits for dependent objects, and reports that', async () => {
    const engine = await aRunningInstance();
    engine.delete(refTo('VPC', 'v'));
    await pass(engine, 5);
    const waiting = engine.get(refTo('VPC', 'v'));
    expect(conditionText(waiting, 'Ready')).toBe('False Deleting');
    expect(conditionText(waiting, 'Synced')).toMatch(
      /^False ReconcileError – delete failed: async delete failed: .*DependencyViolation/,
    );
    engine.delete(refTo('Subnet', 's'));
    engine.delete(refTo('Instance', 'i'));
    await pass(engine, 240);
    expect(
      ['VPC v', 'Subnet s', 'Instance i'].filter(
        (text) => engine.get(refTo(...(text.split(' ') as [string, string]))) !== undefined,
      ),
    ).toEqual([]);
    expect(engine.snapshot().counters).toMatchObject({
      cloudObjects: 0,
      cloudDeleted: { Instance: 1, Subnet: 1, VPC: 1 },
    });
  });

  test.for<{ name: string; kind: string; forProvider: JsonObject }>([
    {
      name: 'an instance with termination protection',
      kind: 'Instance',
      forProvider: { ami: 'ami-1', instanceType: 'm6i.large', disableApiTermination: true },
    },
    {
      name: 'a load balancer with deletion protection',
      kind: 'LB',
      forProvider: { name: 'a', enableDeletionProtection: true },
    },
  ])('of $name is refused', async ({ kind, forProvider }) => {
    const engine = anEngine();
    engine.apply(mr(kind, 'a', forProvider));
    await engine.runUntil(() => isReady(engine, kind, 'a'), { limitSeconds: 300 });
    engine.delete(refTo(kind, 'a'));
    await pass(engine, 60);
    expect(conditionText(engine.get(refTo(kind, 'a')), 'Synced')).toMatch(/OperationNotPermitted/);
    expect(engine.snapshot().counters.cloudDeleted).toEqual({});
  });

  test('of an instance with termination protection is possible if it was created with forceDestroy', async () => {
    const engine = anEngine();
    engine.apply(mr('Instance', 'a', { ami: 'ami-1', disableApiTermination: true, forceDestroy: true }));
    await engine.runUntil(() => isReady(engine, 'Instance', 'a'), { limitSeconds: 300 });
    engine.delete(refTo('Instance', 'a'));
    await pass(engine, 120);
    expect(engine.get(refTo('Instance', 'a'))).toBeUndefined();
  });

  test('frees a name, and the next object of that name has an id of its own', async () => {
    const engine = await aRunningInstance();
    const first = idOf(engine, 'Instance', 'i');
    engine.delete(refTo('Instance', 'i'));
    await pass(engine, 120);
    expect(engine.get(refTo('Instance', 'i'))).toBeUndefined();
    engine.apply(instance());
    await engine.runUntil(() => isReady(engine, 'Instance', 'i'), { limitSeconds: engine.seconds + 300 });
    expect(idOf(engine, 'Instance', 'i')).toMatch(/^i-/);
    expect(idOf(engine, 'Instance', 'i')).not.toBe(first);
  });

  test('without the right to delete leaves the cloud object', async () => {
    const engine = anEngine();
    engine.apply(
      mr('VPC', 'v', { cidrBlock: '10.0.0.0/16' }, { managementPolicies: ['Observe', 'Create', 'LateInitialize'] }),
    );
    await pass(engine, 20);
    engine.delete(refTo('VPC', 'v'));
    await pass(engine, 5);
    expect(engine.get(refTo('VPC', 'v'))).toBeUndefined();
    expect(engine.snapshot().counters.cloudObjects).toBe(1);
  });
});

describe('a machine terminated behind the provider’s back', () => {
  test('is created again with another id, and then fails because of its old network interface', async () => {
    const engine = await aRunningInstance();
    const first = idOf(engine, 'Instance', 'i');
    engine.terminate(refTo('Instance', 'i'));
    await engine.runUntil(() => idOf(engine, 'Instance', 'i') !== first, { limitSeconds: engine.seconds + 300 });
    await pass(engine, 5);
    const again = engine.get(refTo('Instance', 'i'));
    expect(idOf(engine, 'Instance', 'i')).toMatch(/^i-/);
    expect(conditionText(again, 'Ready')).toBe('True Available');
    expect(conditionText(again, 'Synced')).toMatch(
      /cannot change the value of the argument "primary_network_interface\.0\.network_interface_id"/,
    );
    expect(engine.snapshot().violations).toEqual([]); // one after the other is no duplicate
  });
});

const NOT_FILLED_IN = ['Observe', 'Create', 'Update', 'Delete'];

describe('a volume that a driver attaches behind the provider’s back', () => {
  const AWS = refTo('Instance', 'i');
  const GCP = { apiVersion: 'compute.gcp.m.upbound.io/v1beta1', kind: 'Instance', namespace: 'ns', name: 'g' };
  const synced = (engine: Engine) => conditionText(engine.get(AWS), 'Synced');
  const filledIn = (engine: Engine) => at(engine.get(AWS), 'spec', 'forProvider', 'ebsBlockDevice');

  async function used(engine: Engine, ref: ReturnType<typeof refTo>, isAttached: boolean): Promise<void> {
    engine.setVolume(ref, 'vol', isAttached);
    await pass(engine, 120);
  }

  test('is filled in on AWS, and refused once it is gone, until an empty list takes it over, which does not last', async () => {
    const engine = await aRunningInstance();
    await used(engine, AWS, true);
    expect(filledIn(engine)).toEqual([{ deviceName: 'vol' }]);
    await used(engine, AWS, false);
    expect(synced(engine)).toMatch(/cannot change the value of the argument "ebs_block_device\.0\.device_name"/);
    engine.apply(instance({ ebsBlockDevice: [] }));
    await pass(engine, 120);
    expect(synced(engine)).toMatch(/^True/);
    await used(engine, AWS, true);
    expect(filledIn(engine)).toEqual([{ deviceName: 'vol' }]);
  });

  test('is refused on AWS beside a disk of the list, and not if only the creation uses that', async () => {
    const own = { ebsBlockDevice: [{ deviceName: '/dev/sdf' }] };
    const engine = await aRunningInstance({}, { initProvider: own });
    engine.apply(instance(own));
    await used(engine, AWS, true);
    expect(synced(engine)).toMatch(/ebs_block_device\.#" from "2" to "1"/);
    engine.apply(instance({ ebsBlockDevice: [] }, { initProvider: own }));
    await pass(engine, 120);
    expect(synced(engine)).toMatch(/^True/);
  });

  test('stops every change on AWS if no list is told and none is filled in', async () => {
    const engine = await aRunningInstance();
    engine.apply(instance({ tags: { a: '2' } }, { managementPolicies: NOT_FILLED_IN }));
    await pass(engine, 60);
    await used(engine, AWS, true);
    const tags = () => at(engine.get(AWS), 'status', 'atProvider', 'tags');
    engine.apply(instance({ tags: { a: '3' } }, { managementPolicies: NOT_FILLED_IN }));
    await pass(engine, 120);
    expect([tags(), synced(engine)]).toEqual([{ a: '2' }, 'True ReconcileSuccess']);
    const initProvider = { ebsBlockDevice: [{ deviceName: '/dev/sdf' }] };
    engine.apply(instance({ tags: { a: '3' } }, { managementPolicies: NOT_FILLED_IN, initProvider }));
    await pass(engine, 120);
    expect(tags()).toEqual({ a: '3' });
  });

  test.for([
    { name: 'nothing is said of the list', said: {}, first: {}, after: { attached: 1, detached: 1 } },
    { name: 'the list is empty', said: { attachedDisk: [] }, first: {}, after: { attached: 1, detached: 1 } },
    {
      name: 'initProvider has one, and nothing is filled in',
      said: {},
      first: { initProvider: { attachedDisk: [{ source: 'g' }] }, managementPolicies: NOT_FILLED_IN },
      after: { attached: 1, detached: 0 },
    },
  ])('on GCP, where $name: $after.attached once it attached, $after.detached once it detached', async (row) => {
    const engine = anEngine();
    const { apiVersion, kind, name, namespace } = GCP;
    const forProvider = { zone: 'europe-west1-b', machineType: 'n2-standard-4', ...row.said };
    const machine = { apiVersion, kind, metadata: { name, namespace }, spec: { forProvider } };
    engine.apply(machine);
    await pass(engine, 120);
    engine.apply({ ...machine, spec: { forProvider, ...row.first } });
    const disks = () => at(engine.get(GCP), 'status', 'atProvider', 'attachedDisk');
    await used(engine, GCP, true);
    expect(disks(), 'detached, and attached again if it was filled in').toHaveLength(row.after.attached);
    await used(engine, GCP, false);
    expect(disks()).toHaveLength(row.after.detached);
  });
});

describe('a provider restart', () => {
  test('changes nothing if the id was saved', async () => {
    const engine = await aRunningInstance({ providerRestarts: [200] });
    await pass(engine, 300);
    expect(engine.snapshot()).toMatchObject({ violations: [], counters: { cloudCreated: { Instance: 1 } } });
  });

  test('creates a second machine without late initialization', async () => {
    const engine = await aRunningInstance(
      { providerRestarts: [200] },
      { managementPolicies: ['Observe', 'Create', 'Update', 'Delete'] },
    );
    expect(idOf(engine, 'Instance', 'i')).toBeUndefined();
    await pass(engine, 300);
    expect(engine.snapshot().violations).toEqual([
      expect.stringMatching(/^Instance "ns\/i" has two cloud objects: i-[0-9a-f]+ and i-[0-9a-f]+$/),
    ]);
  });
});

describe('a secret of a vault whose provider restarts before it could write the version down', () => {
  const [group, tenantId] = ['g', '00000000-0000-4000-8000-000000000002'];
  const azure = (service: string, kind: string, forProvider: JsonObject, name?: string): KubeObject => ({
    apiVersion: `${service}azure.m.upbound.io/v1beta1`,
    kind,
    metadata: {
      name: kind.toLowerCase(),
      namespace: 'ns',
      ...(name === undefined ? {} : { annotations: { 'crossplane.io/external-name': name } }),
    },
    spec: { forProvider },
  });
  const vault = azure('keyvault.', 'Vault', { location: 'westeurope', resourceGroupName: group, tenantId }, 'kv-a');
  const id = `/subscriptions/00000000-0000-4000-8000-000000000001/resourceGroups/${group}/providers/Microsoft.KeyVault/vaults/kv-a`;

  test.for([
    { name: undefined, want: /^False .*already exists/ },
    { name: 'https://kv-a.vault.azure.net/secrets/s/0', want: /^True/ },
  ])('with the name $name: $want', async ({ name, want }) => {
    const engine = anEngine({ providerRestarts: Array.from({ length: 200 }, (_, n) => 150 + n / 5) });
    engine.apply(vault);
    await pass(engine, 150);
    engine.apply(azure('keyvault.', 'Secret', { keyVaultId: id, name: 's' }, name));
    await pass(engine, 120);
    const ref = { apiVersion: 'keyvault.azure.m.upbound.io/v1beta1', kind: 'Secret', namespace: 'ns', name: 'secret' };
    expect(conditionText(engine.get(ref), 'Synced')).toMatch(want);
    expect(engine.snapshot().violations).toEqual([]);
  });
});

describe('a zone without capacity', () => {
  const synced = (engine: Engine): KubeObject | undefined => engine.get(refTo('Instance', 'i'));

  test('refuses an instance with the message of the cloud until there is capacity', async () => {
    const engine = anEngine({ noCapacity: [{ zone: 'eu-west-1a', size: 'm6i.large', until: 300 }] });
    for (const object of [vpc(), subnet(), instance()]) engine.apply(object);
    await pass(engine, 290);
    expect(idOf(engine, 'Instance', 'i')).toBeUndefined();
    expect(conditionOf(synced(engine), 'Synced')?.message).toMatch(
      /api error InsufficientInstanceCapacity: .* m6i.large capacity in the Availability Zone you requested \(eu-west-1a\)/,
    );
    await engine.runUntil(() => isReady(engine, 'Instance', 'i'), { limitSeconds: 600 });
    expect(isReady(engine, 'Instance', 'i')).toBe(true);
  });

  test.for([
    { name: 'another zone', lack: { zone: 'eu-west-1b' } },
    { name: 'another size', lack: { zone: 'eu-west-1a', size: 'm6i.2xlarge' } },
  ])('does not affect $name', async ({ lack }) => {
    expect(isReady(await aRunningInstance({ noCapacity: [lack] }), 'Instance', 'i')).toBe(true);
  });
});

describe('faults', () => {
  test('delay a resource and are reported, but never duplicate it', async () => {
    const engine = anEngine({ rateLimits: 0.5, failedCreates: 1, slowObjects: 0.3 }, 7);
    for (const object of [vpc(), subnet(), instance()]) engine.apply(object);
    const { reached } = await engine.runUntil(() => isReady(engine, 'Instance', 'i'), { limitSeconds: 3600 });
    expect(reached).toBe(true);
    const { warnings, violations, counters } = engine.snapshot();
    expect(counters.cloudCreated).toEqual({ Instance: 1, Subnet: 1, VPC: 1 });
    expect(violations).toEqual([]);
    const failed = warnings.filter(({ reason }) => reason === 'CannotCreateExternalResource');
    expect(new Set(failed.map(({ ref }) => ref.kind))).toEqual(new Set(['VPC', 'Subnet', 'Instance']));
    expect(failed.map(({ message }) => message).join()).toMatch(
      /async create failed: .*(InternalError|RequestLimitExceeded)/,
    );
  });
});

describe('late initialisation', () => {
  test('switches stickiness of a target group on, unless it is said to be off', async () => {
    const engine = anEngine();
    engine.apply(mr('LBTargetGroup', 't', { name: 't', port: 1 }));
    engine.apply(mr('LBTargetGroup', 'u', { name: 'u', port: 1, stickiness: { enabled: false, type: 'source_ip' } }));
    await pass(engine, 60);
    const isOn = (name: string) =>
      at(engine.get(refTo('LBTargetGroup', name)), 'status', 'atProvider', 'stickiness', 'enabled');
    expect([isOn('t'), isOn('u')]).toEqual([true, false]);
  });

  test.for([
    { policies: ['*'], want: /^False .*InvalidNetworkInterfaceID.NotFound/ },
    { policies: NOT_FILLED_IN, want: /^True/ },
  ])('of an address with $policies, once its gateway is gone: $want', async ({ policies, want }) => {
    const engine = anEngine();
    for (const object of [vpc(), subnet(), mr('EIP', 'e', { domain: 'vpc' })]) engine.apply(object);
    engine.apply(mr('NATGateway', 'n', { allocationIdRef: { name: 'e' }, subnetIdRef: { name: 's' } }));
    await pass(engine, 300);
    engine.apply(mr('EIP', 'e', { domain: 'vpc', tags: { a: '1' } }, { managementPolicies: policies }));
    await pass(engine, 30);
    engine.delete(refTo('NATGateway', 'n'));
    await pass(engine, 120);
    engine.apply(mr('EIP', 'e', { domain: 'vpc', tags: { a: '2' } }, { managementPolicies: policies }));
    await pass(engine, 30);
    expect(conditionText(engine.get(refTo('EIP', 'e')), 'Synced')).toMatch(want);
  });
});

describe('a machine whose new size has no room when it is started', () => {
  const COMPUTE = 'compute.gcp.m.upbound.io/v1beta1';
  const ref = { apiVersion: COMPUTE, kind: 'Instance', namespace: 'ns', name: 'g' };
  const machine = (machineType: string, told: JsonObject): KubeObject => ({
    apiVersion: COMPUTE,
    kind: 'Instance',
    metadata: { name: 'g', namespace: 'ns' },
    spec: { forProvider: { zone: 'europe-west1-b', machineType, allowStoppingForUpdate: true, ...told } },
  });
  const noCapacity = [{ zone: 'europe-west1-b', size: 'n2-standard-8', until: 600 }];

  test.for([
    { told: {}, want: 'TERMINATED' },
    { told: { desiredStatus: 'RUNNING' }, want: 'RUNNING' },
  ])('on GCP, told $told, is $want once there is room', async ({ told, want }) => {
    const engine = anEngine({ noCapacity });
    engine.apply(machine('n2-standard-4', told));
    await pass(engine, 120);
    engine.apply(machine('n2-standard-8', told));
    await pass(engine, 300);
    const is = (field: string) => at(engine.get(ref), 'status', 'atProvider', field);
    expect([is('machineType'), is('currentStatus')]).toEqual(['n2-standard-8', 'TERMINATED']);
    await pass(engine, 900);
    expect(is('currentStatus')).toBe(want);
    expect(conditionText(engine.get(ref), 'Synced')).toMatch(/^True/);
  });

  test('is started on AWS by the next change of it', async () => {
    const engine = await aRunningInstance({ noCapacity: [{ zone: 'eu-west-1a', size: 'm6i.xlarge' }] });
    const state = () => at(engine.get(refTo('Instance', 'i')), 'status', 'atProvider', 'instanceState');
    engine.apply(instance({ instanceType: 'm6i.xlarge' }));
    await pass(engine, 120);
    expect(state()).toBe('stopped');
    engine.apply(instance({ instanceType: 'm6i.2xlarge' }));
    await pass(engine, 120);
    expect(state()).toBe('running');
  });
});
