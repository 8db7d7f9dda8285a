import { describe, expect, it, test } from 'vitest';
import type { KubeObject } from '#lib/api/json.ts';
import { aNodePool, conditions, withStatus } from '../../test/support/claims.ts';
import { claimingEtcd } from '../../test/support/external-etcd.ts';
import { replyOf } from '../../test/support/function-laws.ts';
import { run } from './fn.ts';
import { after, but, condition, grown, lost, marked, request, slots, groupOf } from './pool.fixture.ts';

const DELETE = { annotations: { 'slipway.dev/delete-machine': '' } };
const KEEP = { annotations: { 'slipway.dev/keep-machine': 'please' } };
const unready = (machine: KubeObject): KubeObject => withStatus(machine, conditions(false));

/** The slots that remain of six, two in each zone; each machine was created a minute after the one before. */
async function left(replicas: number, order?: string, machines?: readonly KubeObject[]): Promise<readonly string[]> {
  const pool = aNodePool({ spec: { replicas, ...(order === undefined ? {} : { deletion: { order } }) } });
  return slots(await replyOf(run, request({ pool, machines: machines ?? (await grown(6)) })));
}
const numbers = (keys: readonly string[]): string => keys.map((key) => key.replace('slot-', '')).join('');

describe('scaling down', () => {
  test.for([
    { order: undefined, want: '012', why: 'evenly over the zones, the highest slot first' },
    { order: 'Newest', want: '012', why: 'the newest first' },
    { order: 'Oldest', want: '345', why: 'the oldest first' },
  ])('deletes machines by deletion.order $order: $why', async ({ order, want }) => {
    expect(numbers(await left(3, order))).toBe(want);
  });

  it('deletes machines by the hash of their names with Random: always the same of the same machines', async () => {
    const once = await left(3, 'Random');
    expect(await left(3, 'Random')).toEqual(once);
    expect(once).toHaveLength(3);
    const one = await left(5, 'Random');
    const two = await left(4, 'Random');
    expect(one, 'a machine that is deleted for 5 replicas is also deleted for 4').toEqual(
      expect.arrayContaining([...two]),
    );
  });

  it('deletes the newest although its zone has the fewest machines, because the claim asks for that order', async () => {
    const machines = (await grown(5)).map((machine, i) =>
      marked(machine, { creationTimestamp: after(i === 2 ? 900 : 0) }),
    );
    expect(numbers(await left(4, 'Newest', machines))).toBe('0134');
    expect(numbers(await left(4, undefined, machines))).toBe('0123');
  });

  it('deletes machines of the same age from the zone with the most machines, the highest slot first', async () => {
    const machines = (await grown(5)).map((machine) => marked(machine, { creationTimestamp: after(0) }));
    expect(numbers(await left(4, 'Oldest', machines))).toBe('0123');
  });

  test.for([
    { who: 'marked to go', first: 1, mark: DELETE, want: '02345' },
    { who: 'marked to stay', first: 5, mark: KEEP, want: '01235' },
  ])('considers a machine that is $who', async ({ first, mark, want }) => {
    const machines = but(await grown(6), { [first]: (machine) => marked(machine, mark) });
    expect(numbers(await left(5, undefined, machines))).toBe(want);
  });

  it('deletes first machines annotated for deletion, then those not ready, then by order, and last those annotated to be kept', async () => {
    const machines = but(await grown(6), {
      0: (machine) => unready(marked(machine, KEEP)),
      1: unready,
      4: (machine) => marked(machine, DELETE),
    });
    expect(numbers(await left(5, 'Oldest', machines))).toBe('01235');
    expect(numbers(await left(4, 'Oldest', machines))).toBe('0235');
    expect(numbers(await left(3, 'Oldest', machines))).toBe('035');
    expect(numbers(await left(1, 'Oldest', machines))).toBe('0');
  });

  it('deletes a machine that is annotated both for deletion and to be kept', async () => {
    const both = { annotations: { ...DELETE.annotations, ...KEEP.annotations } };
    const machines = but(await grown(6), { 0: (machine) => marked(machine, both) });
    expect(numbers(await left(5, undefined, machines))).toBe('12345');
  });

  it('ignores these annotations while no machine has to be deleted', async () => {
    const machines = but(await grown(6), { 1: (machine) => marked(machine, DELETE) });
    expect(await left(6, undefined, machines)).toHaveLength(6);
  });

  it('is reported, once by an event', async () => {
    const pool = aNodePool({ spec: { replicas: 4 } });
    const reply = await replyOf(run, request({ pool, machines: await grown(6) }));
    const message = 'removing 2 of 6 machines: replicas is 4';
    expect(condition(reply, 'ScalingDown')).toEqual({
      type: 'ScalingDown',
      status: 'True',
      reason: 'ScalingDown',
      message,
    });
    expect(reply.events).toContainEqual({ severity: 'Normal', reason: 'ScalingDown', message });
    const updated = { ...pool, status: { conditions: reply.conditions.map((one) => ({ ...one })) } };
    expect((await replyOf(run, request({ pool: updated, machines: await grown(6) }))).events).toEqual([]);
  });
});

describe('scaling a control plane down', () => {
  const pool = aNodePool({ spec: { role: 'control-plane', replicas: 1 } });

  it('releases all surplus machines, in order: the group deletes them one by one', async () => {
    const machines = await grown(3);
    const reply = await replyOf(run, request({ pool, machines }));
    expect(slots(reply)).toEqual(['slot-0']);
    expect(groupOf(reply)).toMatchObject({
      quorum: true,
      releases: [2, 1].map((index) => ({ name: machines[index]?.metadata?.name, why: 'Surplus' })),
    });
    expect([...reply.resources.keys()], 'they stay desired here').toContain(machines[2]?.metadata?.name);
  });

  it('with external etcd deletes one at a time, first those that are not ready', async () => {
    const machines = but(await grown(5), { 1: unready, 2: unready });
    const three = aNodePool({ spec: { role: 'control-plane', replicas: 3 } });
    const left = async (recorded: 'Local' | 'External') =>
      slots(await replyOf(run, request({ pool: three, machines, cluster: claimingEtcd(recorded) })));
    expect(await left('External')).toEqual(['slot-0', 'slot-2', 'slot-3', 'slot-4']);
    expect(await left('Local'), 'a refused edit of the claim does not make etcd external').toHaveLength(3);
  });

  it('with external etcd waits until the machine that is being deleted is gone', async () => {
    const machines = await grown(3);
    const going = { ...machines[2]!, metadata: { ...machines[2]!.metadata, deletionTimestamp: after(900) } };
    const reply = await replyOf(
      run,
      request({ pool, machines: [...machines.slice(0, 2), going], cluster: claimingEtcd('External') }),
    );
    expect(slots(reply)).toHaveLength(2);
    expect(condition(reply, 'ScalingDown')?.message).toBe(
      'removing 1 of 2 machines: replicas is 1; it waits until the machine that is being deleted is gone',
    );
  });
});

describe('scaling down during a roll-out', () => {
  const image = (name: string) => (machine: KubeObject) => ({
    ...machine,
    spec: { ...machine.spec, machine: { class: 'standard-4', image: name } },
  });

  it('deletes the outdated machines, and keeps the new ones', async () => {
    const machines = (await grown(6)).map((machine, index) => (index < 3 ? machine : image('new')(machine)));
    const pool = aNodePool({ spec: { replicas: 3, machine: { class: 'standard-4', image: 'new' } } });
    expect(slots(await replyOf(run, request({ pool, machines })))).toEqual(['slot-3', 'slot-4', 'slot-5']);
  });

  it('does not treat a machine as outdated because a newer release wrote a field into it', async () => {
    const machines = (await grown(6)).map((machine, index) => (index < 3 ? machine : image('new')(machine)));
    const seen = machines.map((machine) => ({
      ...machine,
      spec: { ...machine.spec, shutdown: { gracePeriod: '30s' } },
    }));
    const pool = aNodePool({ spec: { replicas: 3, machine: { class: 'standard-4', image: 'new' } } });
    expect(slots(await replyOf(run, request({ pool, machines: seen })))).toEqual(['slot-3', 'slot-4', 'slot-5']);
  });

  it('deletes a slot whose new machine failed before one whose new machine is ready', async () => {
    const machines = (await grown(3)).map(image('new'));
    const named = (machine: KubeObject, name: string) => ({ ...machine, metadata: { ...machine.metadata, name } });
    const failed = lost()(named(machines[0]!, 'failed'));
    const old = named(image('old')(machines[0]!), 'old');
    const pool = aNodePool({ spec: { replicas: 2, machine: { class: 'standard-4', image: 'new' } } });
    const reply = await replyOf(run, request({ pool, machines: [old, failed, machines[1]!, machines[2]!] }));
    expect(slots(reply)).toEqual(['slot-1', 'slot-2']);
  });
});
