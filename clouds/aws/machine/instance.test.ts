import { factsFor } from '../../../test/support/cluster-facts.ts';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { at, type JsonObject, type KubeObject } from '#lib/api/json.ts';
import type { ReplyData } from '#lib/fn/reply.ts';
import {
  answer,
  aCluster,
  aMachine,
  anInfrastructure,
  anInput,
  aPayload,
  CONTROL_PLANE,
  call,
  condition,
  lived,
  noise,
  WORLD,
} from '../../../functions/machine/machine.fixture.ts';

const instance = (reply: ReplyData): KubeObject | undefined => reply.resources.get('instance')?.resource;
const field = (reply: ReplyData, ...path: string[]) => at(instance(reply), 'spec', 'forProvider', ...path);
const shape = (machine: JsonObject, rest: JsonObject = {}) => aMachine({ machine, ...rest });

test.for([
  { name: 'a neutral class', reason: 'the Composition maps it', machine: { class: 'standard-4' }, want: 'm6i.xlarge' },
  {
    name: 'a class that is not mapped',
    reason: 'raw values stay possible',
    machine: { class: 'm7i.large' },
    want: 'm7i.large',
  },
  {
    name: 'an instance type',
    reason: 'it is the word of the cloud',
    machine: { instanceType: 'c7i.large' },
    want: 'c7i.large',
  },
])('$name becomes $want: $reason', async ({ machine, want }) => {
  expect(field(await call({ machine: shape(machine) }), 'instanceType')).toBe(want);
});

test.for([
  { name: 'no image', machine: {}, version: 'v1.35.4', want: 'ami-0aaaaaaaaaaaaaaa1' },
  {
    name: 'a name with the version mapped',
    machine: { image: 'ubuntu-24.04' },
    version: 'v1.35.4',
    want: 'ami-0aaaaaaaaaaaaaaa1',
  },
  {
    name: 'a name without the version mapped',
    machine: { image: 'ubuntu-24.04' },
    version: 'v1.34.4',
    want: 'ami-0aaaaaaaaaaaaaaa2',
  },
  { name: 'an AMI', machine: { image: 'ami-0fedcba9876543210' }, version: 'v1.34.4', want: 'ami-0fedcba9876543210' },
])('$name in $version becomes $want', async ({ machine, version, want }) => {
  expect(field(await call({ machine: shape({ class: 'standard-4', ...machine }, { version }) }), 'ami')).toBe(want);
});

test('it is placed by its failure domain, and in the first one when it names none', async () => {
  expect(field(await call(), 'subnetId')).toBe('subnet-b');
  const { failureDomain: _none, ...spec } = aMachine().spec ?? {};
  expect(field(await call({ machine: { ...aMachine(), spec } }), 'subnetId')).toBe('subnet-a');
});

test.for([
  { name: 'a class that nobody maps', machine: { class: 'standrad-4' } },
  { name: 'an instance type named like a class', machine: { instanceType: 'standard-4' } },
  { name: 'a size that no instance type has', machine: { instanceType: 'm6i.xlagre' } },
  { name: 'an image that nobody maps', machine: { class: 'standard-4', image: 'ubuntu-24.40' } },
  { name: 'an id with a letter that is none', machine: { class: 'standard-4', image: 'ami-0123456789abcdefg' } },
])('$name is refused: it is neither mapped nor a name of AWS', async ({ machine }) => {
  await expect(call({ machine: shape(machine) })).rejects.toThrow(
    /^cannot accept Machine .* is not accepted; accepted: /,
  );
});

describe('the metadata service', () => {
  const hops = (reply: ReplyData) => {
    const options = field(reply, 'metadataOptions') as JsonObject;
    expect(options).toMatchObject({ httpEndpoint: 'enabled', httpTokens: 'required' });
    return options['httpPutResponseHopLimit'];
  };
  const asked = (httpPutResponseHopLimit: number) => anInput({ aws: { userData: 'Plain', httpPutResponseHopLimit } });

  test('is not reached by the pods of a worker, only by those of a control plane: controllers of the cloud', async () => {
    expect(hops(await call())).toBe(1);
    expect(hops(await call({ machine: aMachine(CONTROL_PLANE) }))).toBe(2);
    expect(hops(await call({ input: asked(3) }))).toBe(3);
  });

  test('of an existing worker changes only if the Composition says so', async () => {
    const before = await lived(WORLD.joined, { input: asked(2) });
    expect(hops(await answer({ ...before, input: anInput() }))).toBe(2);
    expect(hops(await answer({ ...before, input: asked(1) }))).toBe(1);
  });
});

describe('late initialization', () => {
  const policies = (reply: ReplyData) => at(instance(reply), 'spec', 'managementPolicies');
  const named = (vm: KubeObject, id: string): KubeObject => ({
    ...vm,
    metadata: { ...vm.metadata, annotations: { 'crossplane.io/external-name': id } },
  });

  test('stores the id: without it, a restart of the provider creates a second machine', async () => {
    const first = instance(await call())!;
    const reported = { ...first, status: { atProvider: { id: 'i-1' } } };
    for (const observed of [first, reported])
      expect(policies(await call({ observed: { instance: observed } })), 'the id is not stored yet').toBeUndefined();
  });

  test('ends once the id is stored: the provider would write volumes of drivers and addresses of pods into forProvider', async () => {
    const made = named(instance(await call())!, 'i-1');
    const now = await call({ observed: { instance: made } });
    expect(policies(now)).toEqual(['Observe', 'Create', 'Update', 'Delete']);
    expect(policies(await call({ observed: { instance: instance(now)! } })), 'no annotation is seen').toBeUndefined();
  });

  test.for(['ebsBlockDevice', 'secondaryPrivateIps'])(
    'leaves nothing in %s: an empty list takes it over once, and is gone with the next call',
    async (list) => {
      const made = named(instance(await call())!, 'i-1');
      const fields = made.spec?.['forProvider'] as JsonObject;
      const filled = { ...made, spec: { ...made.spec, forProvider: { ...fields, [list]: [{ deviceName: 'x' }] } } };
      const taken = await call({ observed: { instance: filled } });
      expect(field(taken, list)).toEqual([]);
      const gone = await call({ observed: { instance: named(instance(taken)!, 'i-1') } });
      expect(at(instance(gone), 'spec', 'forProvider')).toEqual(fields);
    },
  );
});

describe('volumes that a driver attaches', () => {
  test('need a list in initProvider, without which the provider fails over them once the machine exists', async () => {
    const disks = (reply: ReplyData) => at(instance(reply), 'spec', 'initProvider', 'ebsBlockDevice');
    expect(disks(await call()), 'the machine is created without a data disk').toBeUndefined();
    const later = await answer(await lived(WORLD.joined));
    expect(disks(later)).toEqual([expect.objectContaining({ deviceName: '/dev/sdf', volumeSize: 1 })]);
    expect(field(later, 'ebsBlockDevice')).toBeUndefined();
  });

  test('are beside the data disks, which only the creation uses', async () => {
    const machine = shape({ class: 'standard-4', dataDisks: [{ name: 'data', sizeGiB: 20 }] });
    const first = await call({ machine });
    expect(field(first, 'ebsBlockDevice')).toBeUndefined();
    const disks = (reply: ReplyData) => at(instance(reply), 'spec', 'initProvider', 'ebsBlockDevice');
    expect(disks(first)).toMatchObject([{ deviceName: '/dev/sdf', volumeSize: 20 }]);
    expect(disks(await answer(await lived(WORLD.joined, { machine })))).toEqual(disks(first));
  });

  describe('and data disks in the forProvider of an older release', () => {
    const machine = shape({ class: 'standard-4', dataDisks: [{ name: 'data', sizeGiB: 20 }] });
    const disks = (vm: KubeObject | undefined) => at(vm, 'spec', 'initProvider', 'ebsBlockDevice');
    const older = async (): Promise<KubeObject> => {
      const made = instance(await call({ machine }))!;
      const { ebsBlockDevice, ...initProvider } = made.spec!['initProvider'] as JsonObject;
      const forProvider = { ...(made.spec?.['forProvider'] as JsonObject), ebsBlockDevice: ebsBlockDevice! };
      return { ...made, spec: { ...made.spec, forProvider, initProvider } };
    };

    test('go to initProvider while there is no instance: without them, it would be created without its disks', async () => {
      const now = instance(await call({ machine, observed: { instance: await older() } }));
      expect(at(now, 'spec', 'forProvider', 'ebsBlockDevice')).toBeUndefined();
      expect(disks(now)).toEqual(disks(instance(await call({ machine }))));
      const settled = instance(await call({ machine, observed: { instance: now! } }));
      expect(disks(settled), 'the next call keeps them').toEqual(disks(now));
    });

    test('are no longer said once there is an instance, which has them; nothing else of it changes', async () => {
      const vm = await older();
      const reply = await call({ machine, observed: { instance: { ...vm, status: { atProvider: { id: 'i-1' } } } } });
      const { ebsBlockDevice: _, ...forProvider } = vm.spec!['forProvider'] as JsonObject;
      const { initProvider, ...rest } = instance(reply)?.spec ?? {};
      expect({ ...rest, initProvider: vm.spec?.['initProvider'] }).toEqual({ ...vm.spec, forProvider });
      expect(initProvider).toMatchObject({ ...(vm.spec?.['initProvider'] as JsonObject), ebsBlockDevice: [{}] });
      expect(reply.conditions.filter(({ message }) => message?.includes('kept until'))).toEqual([]);
    });
  });
});

const data = (reply: ReplyData): Buffer => {
  const text = at(instance(reply), 'spec', 'initProvider', 'userDataBase64');
  return Buffer.from(typeof text === 'string' ? text : '', 'base64');
};

describe('first-boot data', () => {
  const small = 'x'.repeat(16_384);
  const large = 'x'.repeat(16_385);

  test('is user data as it is while EC2 accepts its size', async () => {
    const reply = await call({ context: aPayload(small) });
    expect(data(reply).toString()).toBe(small);
    expect(reply.status['payload']).toEqual({
      secretName: 'prod-general-0-x7k2p-payload',
      format: 'cloud-config',
      bytes: 16_384,
    });
  });

  test('is gzipped only when it would not fit otherwise, always to the same bytes; the Secret keeps it plain', async () => {
    const reply = await call({ context: aPayload(large) });
    expect(gunzipSync(data(reply)).toString()).toBe(large);
    expect(data(reply).subarray(4, 10), 'no time and no operating system in the gzip header').toEqual(
      Buffer.from([0, 0, 0, 0, 2, 255]),
    );
    expect(reply.status['payload']).toMatchObject({ bytes: data(reply).length });
    expect(at(reply.resources.get('payload')?.resource, 'data', 'value')).toBe(Buffer.from(large).toString('base64'));
  });

  test.for([
    {
      name: 'may not be gzipped',
      context: aPayload(large, { gzip: false }),
      want: 'spec.provisioning: first-boot data has 16385 bytes, since cloud-config cannot be gzipped, and EC2 accepts 16384: remove at least 1 byte, ',
    },
    {
      name: 'is too large even when gzipped',
      context: aPayload(noise(40_000)),
      want: 'bytes gzipped, and EC2 accepts 16384: remove at least',
    },
  ])('that $name is refused before an object is created', async ({ context, want }) => {
    await expect(call({ context })).rejects.toMatchObject({
      code: 'PayloadTooLarge',
      message: expect.stringContaining(want) as string,
    });
  });

  test('that is too large by the rules of today does not affect a running machine', async () => {
    const request = await lived(WORLD.joined);
    const payload = request.observed.resources.get('payload');
    const grown = {
      ...payload,
      resource: {
        ...payload?.resource,
        data: { value: Buffer.from(noise(40_000)).toString('base64'), format: 'eA==' },
      },
    };
    const resources = new Map([...request.observed.resources, ['payload', grown as never]]);
    const reply = await answer({ ...request, observed: { ...request.observed, resources } });
    expect(data(reply).toString()).toBe('#cloud-config\nhostname: x\n');
  });
});

describe('a running machine keeps a value whose change would stop it or be refused', () => {
  test.for([
    {
      name: 'the Composition maps the class elsewhere',
      input: anInput({ classes: { 'standard-4': 'm7i.xlarge' } }),
      want: 'kept until the machine is replaced: instanceType',
    },
    {
      name: 'the Composition has newer images and no longer has the key',
      input: anInput({ images: { 'ubuntu-24.04': { 'eu-west-1': 'ami-0fedcba9876543210' } } }),
      want: 'kept until the machine is replaced: ami',
    },
    { name: 'the Composition no longer has the image', input: anInput({ images: {} }), want: undefined },
    {
      name: 'its failure domain is no longer reported',
      input: anInput(),
      infrastructure: anInfrastructure({ failureDomains: [] }),
      want: undefined,
    },
  ])('when $name', async ({ input, infrastructure = anInfrastructure(), want }) => {
    const before = await lived(WORLD.joined);
    const made = before.observed.resources.get('instance')?.resource;
    const reply = await answer({
      ...before,
      input,
      required: new Map([['cluster', [factsFor(aCluster(infrastructure))]]]),
    });
    expect(instance(reply)?.spec).toEqual(made?.spec);
    expect(condition(reply, 'InfrastructureReady')).toEqual({
      type: 'InfrastructureReady',
      status: 'True',
      reason: 'Ready',
      ...(want === undefined ? {} : { message: want }),
    });
  });

  test('a running machine has its disk grown, and follows the groups and identity of the Cluster', async () => {
    const before = await lived(WORLD.joined);
    const composite = aMachine(
      { machine: { class: 'standard-4', rootDisk: { sizeGiB: 80, encrypted: false } } },
      before.observed.composite.status,
    );
    const infrastructure = anInfrastructure({ worker: { identity: 'other', securityGroups: ['sg-1'] } });
    const reply = await answer({
      ...before,
      observed: { ...before.observed, composite },
      required: new Map([['cluster', [factsFor(aCluster(infrastructure))]]]),
    });
    expect(field(reply, 'rootBlockDevice')).toEqual({
      volumeSize: 80,
      volumeType: 'gp3',
      encrypted: true,
      deleteOnTermination: true,
    });
    expect(field(reply, 'vpcSecurityGroupIds')).toEqual(['sg-1']);
    expect(field(reply, 'iamInstanceProfile')).toBe('other');
  });

  test('a running machine never has its disk shrunk', async () => {
    const before = await lived(WORLD.joined, { machine: shape({ class: 'standard-4', rootDisk: { sizeGiB: 100 } }) });
    const composite = aMachine({}, before.observed.composite.status);
    const reply = await answer({ ...before, observed: { ...before.observed, composite } });
    expect(field(reply, 'rootBlockDevice', 'volumeSize')).toBe(100);
  });
});

test('a machine keeps region, groups and profile that its Cluster no longer reports', async () => {
  const request = await lived(WORLD.running);
  const created = at(request.observed.resources.get('instance')?.resource, 'spec', 'forProvider');
  const { worker: _worker, controlPlane: _controlPlane, ...reduced } = anInfrastructure({ region: 'us-east-1' });
  const required = new Map([...request.required, ['cluster', [factsFor(aCluster(reduced))]]]);
  const reply = await answer({ ...request, required });
  for (const kept of ['region', 'vpcSecurityGroupIds', 'iamInstanceProfile'])
    expect(field(reply, kept), kept).toEqual(at(created, kept));
});

test('no machine is created without security groups', async () => {
  const { worker: _worker, controlPlane: _controlPlane, ...reduced } = anInfrastructure();
  await expect(call({ clusters: [aCluster(reduced)] })).rejects.toMatchObject({ code: 'BrokenContract' });
});

test('a type of disks that AWS cannot make is refused of a new machine, and one that exists goes on', async () => {
  const input = anInput({ aws: { diskType: 'st1' } });
  await expect(call({ input })).rejects.toMatchObject({ code: 'InvalidInput', field: 'aws.diskType' });
  const settled = await answer({ ...(await lived(WORLD.joined)), input });
  expect(instance(settled)).toBeDefined();
  expect(condition(settled, 'InfrastructureReady')).toMatchObject({ status: 'True' });
});
