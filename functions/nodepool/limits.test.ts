/** Whoever may claim a pool chooses only what the platform states. */
import { describe, expect, test } from 'vitest';
import { at, type JsonObject, type KubeObject } from '#lib/api/json.ts';
import { aNodePool, withStatus } from '../../test/support/claims.ts';
import { replyOf } from '../../test/support/function-laws.ts';
import { run } from './fn.ts';
import { condition, made, request, slots } from './pool.fixture.ts';

const asked = async (spec: JsonObject, limits: JsonObject, catalog: JsonObject = {}) => {
  const input = { apiVersion: 'fn.slipway.dev/v1alpha1', kind: 'NodePoolInput', limits, ...catalog };
  return replyOf(run, { ...request({ pool: aNodePool({ spec }), machines: await made(aNodePool()) }), input });
};
const machine = (fields: JsonObject): JsonObject => ({ machine: { class: 'standard-4', ...fields } });

describe('a choice outside the limits of the Composition is refused, and the pool keeps its machines', () => {
  test.for([
    {
      name: 'more machines than the platform pays for',
      spec: { replicas: 11 },
      limits: { replicas: 10 },
      want: 'spec.replicas: 11 is not accepted; accepted: at most 10 (limits.replicas in NodePoolInput of the Composition)',
    },
    {
      name: 'a class that is not offered',
      spec: machine({ class: 'p5.48xlarge' }),
      limits: { sizes: ['standard-*', 'memory-2'] },
      want: 'spec.machine.class: "p5.48xlarge" is not accepted; accepted: standard-*, memory-2 (limits.sizes in NodePoolInput of the Composition)',
    },
    {
      name: 'an instance type',
      spec: { machine: { instanceType: 'p5.48xlarge' } },
      limits: { sizes: ['standard-*'] },
      want: 'spec.machine.instanceType: "p5.48xlarge" is not accepted; accepted: standard-* (limits.sizes in NodePoolInput of the Composition)',
    },
    {
      name: 'an image that the platform did not build',
      spec: machine({ image: 'ami-0fedcba9876543210' }),
      limits: { images: ['ubuntu-*'] },
      want: 'spec.machine.image: "ami-0fedcba9876543210" is not accepted; accepted: ubuntu-* (limits.images in NodePoolInput of the Composition)',
    },
    {
      name: 'a large disk',
      spec: machine({ rootDisk: { sizeGiB: 501 } }),
      limits: { diskSizeGiB: 500 },
      want: 'spec.machine.rootDisk.sizeGiB: 501 is not accepted; accepted: at most 500 (limits.diskSizeGiB in NodePoolInput of the Composition)',
    },
    {
      name: 'a disk in clear',
      spec: machine({ rootDisk: { encrypted: false } }),
      limits: { encryptedDisks: true },
      want: 'spec.machine.rootDisk.encrypted: false is not accepted; accepted: true (limits.encryptedDisks in NodePoolInput of the Composition)',
    },
    {
      name: 'a large data disk',
      spec: machine({
        dataDisks: [
          { name: 'a', sizeGiB: 500 },
          { name: 'b', sizeGiB: 501 },
        ],
      }),
      limits: { diskSizeGiB: 500 },
      want: 'spec.machine.dataDisks[1].sizeGiB: 501 is not accepted; accepted: at most 500 (limits.diskSizeGiB in NodePoolInput of the Composition)',
    },
    {
      name: 'a data disk in clear',
      spec: machine({ dataDisks: [{ name: 'a', sizeGiB: 50, encrypted: false }] }),
      limits: { encryptedDisks: true },
      want: 'spec.machine.dataDisks[0].encrypted: false is not accepted; accepted: true (limits.encryptedDisks in NodePoolInput of the Composition)',
    },
    {
      name: 'a type of disk that the cloud does not have',
      spec: machine({ rootDisk: { type: 'gp33' } }),
      limits: {},
      want: 'spec.machine.rootDisk.type: "gp33" is not accepted; accepted: gp2, gp3, standard, io1, io2; did you mean "gp3"?',
    },
    {
      name: 'a type of disk that no machine boots from',
      spec: machine({ rootDisk: { type: 'st1' } }),
      limits: {},
      want: 'spec.machine.rootDisk.type: "st1" is not accepted; accepted: gp2, gp3, standard',
    },
    {
      name: 'a type of data disk that the cloud does not have',
      spec: machine({ dataDisks: [{ name: 'a', sizeGiB: 50, type: 'Premium_LRS' }] }),
      limits: {},
      want: 'spec.machine.dataDisks[0].type: "Premium_LRS" is not accepted; accepted: gp2, gp3, standard, sc1, st1',
    },
    {
      name: 'a type of disk that the platform does not allow',
      spec: machine({ rootDisk: { type: 'io2' } }),
      limits: { diskTypes: ['gp*'] },
      want: 'spec.machine.rootDisk.type: "io2" is not accepted; accepted: gp* (limits.diskTypes in NodePoolInput of the Composition)',
    },
  ])('$name', async ({ spec, limits, want }) => {
    await expect(asked(spec, limits)).rejects.toThrow(`cannot accept NodePool "team-a/general": ${want}`);
  });

  test('a type of disk that only the platform knows is accepted', async () => {
    const spec = machine({ rootDisk: { type: 'gp4' }, dataDisks: [{ name: 'a', sizeGiB: 125, type: 'st1' }] });
    await expect(asked(spec, { diskTypes: ['gp*', 'st1'] })).resolves.toBeDefined();
  });

  test('what was probably meant is only a name that the platform offers', async () => {
    const catalog = { classes: { 'standard-2': 'm6i.large', 'memory-4': 'r6i.xlarge' } };
    const asks = (size: string) => asked(machine({ class: size }), { sizes: ['standard-2'] }, catalog);
    await expect(asks('memroy-4')).rejects.toThrow(/accepted: standard-2 \(limits\.sizes in [^)]+\)$/);
    await expect(asks('standrad-2')).rejects.toThrow(/\(limits\.sizes in [^)]+\); did you mean "standard-2"\?$/);
  });
});

describe('the word catalog', () => {
  const catalog = {
    classes: { 'standard-2': 'm6i.large', 'gpu-8': 'g6.2xlarge' },
    images: { 'ubuntu-24.04/v1.35.4': { 'eu-west-1': 'ami-0123456789abcdef0' } },
  };
  const answer = async (fields: JsonObject, limits: JsonObject): Promise<string> => {
    const input = { apiVersion: 'fn.slipway.dev/v1alpha1', kind: 'NodePoolInput', limits, ...catalog };
    const pool = aNodePool({ spec: { machine: fields } });
    return replyOf(run, { ...request({ pool, machines: await made(aNodePool()) }), input }).then(
      () => 'accepted',
      (error: Error) => error.message.replace(/^.*: spec\.machine\./, ''),
    );
  };

  test.for([
    ['every class of the catalog', { class: 'gpu-8' }, { sizes: ['catalog'] }, 'accepted'],
    [
      'no class that is not in it, and says those that are',
      { class: 'p5.48xlarge' },
      { sizes: ['catalog', 'm6i.*'] },
      'class: "p5.48xlarge" is not accepted; accepted: gpu-8, standard-2, m6i.* (limits.sizes in NodePoolInput of the Composition)',
    ],
    [
      'no instance type',
      { instanceType: 'g6.2xlarge' },
      { sizes: ['catalog', 'm6i.*'] },
      'instanceType: "g6.2xlarge" is not accepted; accepted: m6i.* (limits.sizes in NodePoolInput of the Composition)',
    ],
    ['every image of the catalog', { class: 'gpu-8', image: 'ubuntu-24.04' }, { images: ['catalog'] }, 'accepted'],
    [
      'no image that is not in it',
      { class: 'gpu-8', image: 'ami-0fedcba9876543210' },
      { images: ['catalog'] },
      'image: "ami-0fedcba9876543210" is not accepted; accepted: ubuntu-24.04 (limits.images in NodePoolInput of the Composition)',
    ],
  ] as const)('allows %s', async ([, fields, limits, want]) => {
    expect(await answer(fields, limits as unknown as JsonObject)).toBe(want);
  });

  test('is needed: a pattern allows the classes that are like it, and says which those are', async () => {
    expect(await answer({ class: 'gpu-8' }, { sizes: ['standard-*'] })).toBe(
      'class: "gpu-8" is not accepted; accepted: standard-2 (limits.sizes in NodePoolInput of the Composition)',
    );
  });
});

describe('what machines have stays when a limit comes later, and the pool goes on', () => {
  const disk = { sizeGiB: 100, encrypted: false };
  const overrides = [{ kind: 'Instance', patch: { spec: { forProvider: { monitoring: true } } } }];
  const pool = aNodePool({
    spec: { replicas: 3, ...machine({ image: 'ubuntu-22.04', rootDisk: disk }), infrastructure: { overrides } },
  });
  const narrow = { replicas: 2, sizes: [], images: [], diskSizeGiB: 50, encryptedDisks: true };
  const input = { apiVersion: 'fn.slipway.dev/v1alpha1', kind: 'NodePoolInput', limits: narrow, overrides: {} };
  const later = async (spec: JsonObject = {}, status: JsonObject = { acceptedReplicas: 3 }) => {
    const machines = await made(pool);
    const edited = { ...pool, spec: { ...pool.spec, ...spec }, status };
    return replyOf(run, { ...request({ pool: edited, machines }), input });
  };

  test('whatever the limit, and says so', async () => {
    const reply = await later();
    expect(slots(reply)).toHaveLength(3);
    expect(reply.status).toMatchObject({ acceptedReplicas: 3 });
    const said = condition(reply, 'ScalingUp');
    expect(said).toMatchObject({ status: 'False', reason: 'OutsideLimits' });
    expect(said?.message).toContain('spec.replicas: 3 is not accepted; accepted: at most 2 (limits.replicas in ');
    expect(said?.message).toContain('; the pool keeps it, and does not grow');
  });

  test('a pool of an earlier release has the size of its machines', async () => {
    expect(slots(await later({}, { nextSerial: 3 }))).toHaveLength(3);
  });

  const oneLess = async (present: JsonObject) => {
    const machines = (await made(pool)).slice(1);
    const called = request({ pool: withStatus(pool, { acceptedReplicas: 3, nextSerial: 3 }), machines });
    return replyOf(run, { ...called, input: present });
  };

  test('a machine that was deleted by hand is replaced', async () => {
    expect(slots(await oneLess({ ...input, overrides: { Instance: ['spec.forProvider.monitoring'] } }))).toHaveLength(
      3,
    );
  });

  test('none is created with an override that the machine step would refuse, and the pool says so', async () => {
    const reply = await oneLess(input);
    expect(slots(reply)).toHaveLength(2);
    expect(condition(reply, 'ScalingUp')?.message).toContain(
      'no machine is created: spec.infrastructure.overrides[0].patch.spec.forProvider.monitoring: may not be overridden',
    );
  });

  test('labels and fewer machines are accepted, also if these are still too many', async () => {
    expect(slots(await later({ replicas: 2, labels: { 'example.com/a': 'b' } }))).toHaveLength(2);
    const reply = await replyOf(run, {
      ...request({
        pool: withStatus({ ...pool, spec: { ...pool.spec, replicas: 4 } }, { acceptedReplicas: 5 }),
        machines: await made(pool),
      }),
      input,
    });
    expect(reply.status).toMatchObject({ acceptedReplicas: 4 });
  });

  test.for([
    ['more machines', { replicas: 4 }, 'spec.replicas: 4 is not accepted; accepted: at most 2'],
    ['another size', machine({ class: 'standard-2' }), 'spec.machine.class: "standard-2" is not accepted'],
    [
      'a larger disk',
      machine({ image: 'ubuntu-22.04', rootDisk: { ...disk, sizeGiB: 101 } }),
      'spec.machine.rootDisk.sizeGiB: 101 is not accepted',
    ],
    [
      'another override',
      {
        infrastructure: {
          overrides: [{ kind: 'Instance', patch: { spec: { forProvider: { tenancy: 'dedicated' } } } }],
        },
      },
      'spec.infrastructure.overrides[0].patch.spec.forProvider.tenancy: may not be overridden',
    ],
  ] as const)('%s is refused', async ([, spec, want]) => {
    await expect(later(spec)).rejects.toThrow(want);
  });

  test('so are more machines like those that a limit has overtaken, also within the number of machines', async () => {
    const few = { ...input, limits: { sizes: [] } };
    const called = request({ pool: withStatus(pool, { acceptedReplicas: 2 }), machines: await made(pool) });
    await expect(replyOf(run, { ...called, input: few })).rejects.toThrow(
      'spec.machine.class: "standard-4" is not accepted',
    );
  });
});

test('an override that the platform does not allow is refused before any machine gets it', async () => {
  const pool = aNodePool({
    spec: {
      infrastructure: {
        overrides: [
          { kind: 'Instance', patch: { spec: { forProvider: { monitoring: true, iamInstanceProfile: 'x' } } } },
        ],
      },
    },
  });
  const input = {
    apiVersion: 'fn.slipway.dev/v1alpha1',
    kind: 'NodePoolInput',
    overrides: { Instance: ['spec.forProvider.monitoring'] },
  };
  await expect(replyOf(run, { ...request({ pool }), input })).rejects.toThrow(
    'cannot accept NodePool "team-a/general": spec.infrastructure.overrides[0].patch.spec.forProvider.iamInstanceProfile: may not be overridden; accepted for Instance: spec.forProvider.monitoring (overrides in NodePoolInput of the Composition)',
  );
});

test('an override that no platform can allow is refused there, too, also without a list', async () => {
  const overrides = [{ kind: 'Instance', patch: { metadata: { annotations: { 'crossplane.io/paused': 'true' } } } }];
  const pool = aNodePool({ spec: { infrastructure: { overrides } } });
  await expect(replyOf(run, request({ pool }))).rejects.toThrow(
    'cannot accept NodePool "team-a/general": spec.infrastructure.overrides[0].patch.metadata.annotations["crossplane.io/paused"]: cannot be overridden',
  );
});

test('a choice inside the limits is accepted, and what the claim leaves to the Composition is not limited', async () => {
  const limits = { replicas: 3, sizes: ['standard-*'], images: [], diskSizeGiB: 40, encryptedDisks: true };
  const reply = await asked({ replicas: 3, ...machine({}) }, limits);
  expect(reply.resources.size).toBeGreaterThanOrEqual(3);
});

describe('what an earlier release accepted stops no pool that has had machines', () => {
  const overrides = [{ kind: 'Instance', resource: 'instnace', patch: {} }];
  const named = { infrastructure: { overrides } };
  const input = { apiVersion: 'fn.slipway.dev/v1alpha1', kind: 'NodePoolInput', cloud: 'aws' };
  const had = async (more: JsonObject = named) =>
    (await made(aNodePool({ spec: { replicas: 3 } }))).map((one) => ({ ...one, spec: { ...one.spec, ...more } }));
  const later = (spec: JsonObject, machines: Awaited<ReturnType<typeof had>>, status: JsonObject = {}) =>
    replyOf(run, {
      ...request({
        pool: withStatus(aNodePool({ spec: { replicas: 3, ...spec } }), {
          acceptedReplicas: 3,
          nextSerial: 3,
          ...status,
        }),
        machines,
      }),
      input,
    });
  const emptied = { acceptedReplicas: 0 };

  test('a new one is refused an override that names what no machine is made of', async () => {
    await expect(replyOf(run, { ...request({ pool: aNodePool({ spec: named }) }), input })).rejects.toThrow(
      'cannot accept NodePool "team-a/general": spec.infrastructure.overrides[0].resource: "instnace" is not accepted; accepted: instance',
    );
  });

  test.for([
    ['as it is', {}, 3, 3],
    ['with one lost', {}, 2, 3],
    ['with all lost', {}, 0, 3],
    ['that grows', { replicas: 4 }, 3, 4],
    ['that gets labels', { labels: { team: 'a' } }, 3, 3],
  ] as const)('which has such an override has its machines, %s', async ([, spec, there, want]) => {
    expect(slots(await later({ ...named, ...spec }, (await had()).slice(0, there)))).toHaveLength(want);
  });

  test('another class is accepted beside it', async () => {
    const reply = await later({ ...named, machine: { class: 'standard-8' } }, await had());
    const classes = [...reply.resources.values()].map(({ resource }) => at(resource.spec, 'machine', 'class'));
    expect(classes).toContain('standard-8');
  });

  test('a control plane with it gets another machine for a lost one', async () => {
    const controlPlane = { ...named, role: 'control-plane' };
    expect(slots(await later(controlPlane, (await had(controlPlane)).slice(1)))).toHaveLength(3);
  });

  const disks = { dataDisks: [{ name: 'a', sizeGiB: 20, encrypted: true }] };
  const list = [
    { kind: 'Instance', patch: { spec: { initProvider: { ebsBlockDevice: [{ deviceName: '/dev/sdz' }] } } } },
  ];
  const both = { ...machine(disks), infrastructure: { overrides: list } };

  test('data disks and an override of their list stay where machines have both, and a lost one is replaced', async () => {
    expect(slots(await later(both, (await had(both)).slice(1)))).toHaveLength(3);
    expect(slots(await later(both, []))).toHaveLength(3);
    const want = 'overrides[0].patch.spec.initProvider.ebsBlockDevice: is not accepted; accepted: nothing there';
    await expect(later(both, await had({ infrastructure: { overrides: list } }))).rejects.toThrow(want);
    await expect(later(both, [], { acceptedReplicas: 0, nextSerial: 0 })).rejects.toThrow(want);
  });

  test.for<readonly [string, JsonObject]>([
    ['a type of disk that the cloud does not have', machine({ rootDisk: { type: 'gp33' } })],
    ['the label of a control plane', { labels: { 'node-role.kubernetes.io/control-plane': '' } }],
    ['an override that names nothing', named],
    ['data disks beside their list', both],
  ])('scaled to zero with %s it can be edited and grows; a new one is refused', async ([, spec]) => {
    expect(slots(await later({ ...spec, replicas: 0 }, [], emptied))).toHaveLength(0);
    expect(slots(await later({ ...spec, replicas: 1 }, [], emptied))).toHaveLength(1);
    await expect(later({ ...spec, replicas: 0 }, [], { ...emptied, nextSerial: 0 })).rejects.toThrow('is not accepted');
  });

  test('machines with a type of disk that this release does not know get more beside them', async () => {
    const disk = machine({ rootDisk: { sizeGiB: 40, type: 'gp4', encrypted: true } });
    const reply = await later({ ...disk, replicas: 4 }, await had(disk));
    expect(slots(reply)).toHaveLength(4);
    expect(condition(reply, 'ScalingUp')?.message ?? '').not.toContain('does not grow');
  });

  test('a limit of the platform holds for a pool without machines, too', async () => {
    const limited = { ...input, limits: { diskTypes: ['gp3'] } };
    const pool = withStatus(aNodePool({ spec: machine({ rootDisk: { type: 'io2' } }) }), { nextSerial: 3 });
    await expect(replyOf(run, { ...request({ pool }), input: limited })).rejects.toThrow('"io2" is not accepted');
  });
});

describe('a pool whose status was lost asks for its machines before a limit is judged', () => {
  const uid = 'aaaaaaaa-0000-4000-8000-000000000001';
  const spec = { replicas: 3, ...machine({ image: 'ubuntu-22.04' }) };
  const bare = aNodePool({ spec });
  const pool = { ...bare, metadata: { ...bare.metadata, uid } };
  const input = {
    apiVersion: 'fn.slipway.dev/v1alpha1',
    kind: 'NodePoolInput',
    cloud: 'aws',
    limits: { replicas: 2, sizes: [], images: [] },
  };
  const own = (object: KubeObject, slot: number): KubeObject => ({
    ...object,
    metadata: {
      ...object.metadata,
      annotations: { 'crossplane.io/composition-resource-name': `slot-${slot}` },
      ownerReferences: [{ apiVersion: 'slipway.dev/v1alpha1', kind: 'NodePool', name: 'general', uid }],
    },
  });

  test('none is observed: it is not refused before the list is there', async () => {
    const { required, ...first } = request({ pool });
    const reply = await replyOf(run, { ...first, required: new Map(), input });
    expect([...reply.requirements.keys()]).toContain('machines');
    const machines = (await made(aNodePool({ spec }))).map(own);
    const listed = new Map([...required, ['machines', machines]]);
    const next = await replyOf(run, { ...first, required: listed, input });
    expect(slots(next)).toHaveLength(3);
    expect(condition(next, 'ScalingUp')?.message).toContain('the pool keeps it, and does not grow');
  });

  test('one that has none is refused then', async () => {
    await expect(replyOf(run, { ...request({ pool }), input })).rejects.toThrow(
      'spec.replicas: 3 is not accepted; accepted: at most 2',
    );
  });
});
