/** A limit that comes later takes nothing away. */
import { describe, expect, test } from 'vitest';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { aNodePool, withStatus } from '../../test/support/claims.ts';
import { replyOf } from '../../test/support/function-laws.ts';
import { run } from './fn.ts';
import { condition, made, request, slots } from './pool.fixture.ts';

const machine = (fields: JsonObject): JsonObject => ({ machine: { class: 'standard-4', ...fields } });

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
      ownerReferences: [
        { apiVersion: 'slipway.dev/v1alpha1', kind: 'NodePool', name: 'general', uid, controller: true },
      ],
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
