/** Overrides and words that this release refuses of a new pool: pools that an earlier release accepted go on. */
import { describe, expect, test } from 'vitest';
import { at, type JsonObject } from '#lib/api/json.ts';
import { aNodePool, withStatus } from '../../test/support/claims.ts';
import { replyOf } from '../../test/support/function-laws.ts';
import { run } from './fn.ts';
import { condition, made, request, slots } from './pool.fixture.ts';

const machine = (fields: JsonObject): JsonObject => ({ machine: { class: 'standard-4', ...fields } });

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
