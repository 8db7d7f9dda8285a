import { describe, expect, it, test } from 'vitest';
import { type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import type { ReplyData } from '#lib/fn/reply.ts';
import { aCluster, aNodePool, INFRASTRUCTURE } from '../../test/support/claims.ts';
import { replyOf } from '../../test/support/function-laws.ts';
import { run } from './fn.ts';
import { but, composed, condition, grown, lost, request, slots, starting } from './pool.fixture.ts';

const running = (version: string, asked = version): KubeObject =>
  aCluster({
    spec: { version: asked },
    status: {
      infrastructure: INFRASTRUCTURE,
      controlPlaneEndpoint: { host: 'api', port: 6443 },
      controlPlane: { initialized: true, version },
    },
  });
const made =
  (version: string) =>
  (machine: KubeObject): KubeObject => ({
    ...machine,
    spec: { ...machine.spec, version },
  });
/** One machine for each of these versions. */
const of = async (...versions: readonly string[]): Promise<readonly KubeObject[]> =>
  (await grown(versions.length)).map((machine, index) => made(versions[index] ?? '')(machine));

async function look(cluster: KubeObject, machines: readonly KubeObject[], spec: JsonObject): Promise<ReplyData> {
  const pool = aNodePool({ spec: { replicas: Math.max(machines.length, 1), ...spec } });
  return replyOf(run, request({ pool, cluster, machines }));
}
/** The desired version of every machine. */
const wanted = (reply: ReplyData): string =>
  [...new Set(composed(reply).map((machine) => stringAt(machine, 'spec', 'version') ?? ''))].join();
const accepted = (reply: ReplyData) => condition(reply, 'VersionAccepted');

describe('a worker pool that follows its Cluster', () => {
  test.for([
    { ask: 'v1.34.4', why: 'a minor version back, which the control plane refuses' },
    { ask: 'v1.25.4', why: 'a typo' },
    { ask: 'v1.36.0', why: 'the control plane does not exist yet' },
    { ask: 'v1.38.0', why: 'a minor version is skipped, which the control plane refuses' },
  ])('keeps the version of the control plane when the Cluster asks for $ask: $why', async ({ ask }) => {
    const reply = await look(running('v1.35.4', ask), await of('v1.35.4', 'v1.35.4'), {});
    expect(wanted(reply)).toBe('v1.35.4');
    expect(accepted(reply)).toMatchObject({
      status: 'False',
      reason: 'WaitingForControlPlane',
      message: `${ask} waits until the control plane runs it; it runs v1.35.4`,
    });
  });

  it('goes back a patch version with its control plane', async () => {
    expect(wanted(await look(running('v1.35.1'), await of('v1.35.4'), {}))).toBe('v1.35.1');
  });
});

test.for([
  { name: 'a new pool', status: {} },
  { name: 'an emptied pool', status: { nextSerial: 1 } },
])('$name waits for a newer version than its Cluster has', async ({ status }) => {
  const pool = aNodePool({ spec: { version: 'v1.36.0', replicas: 2 }, status });
  const reply = await replyOf(run, request({ pool, cluster: running('v1.35.4'), machines: [] }));
  expect(accepted(reply)).toMatchObject({
    status: 'False',
    reason: 'WaitingForControlPlane',
    message: 'v1.36.0 waits until the control plane runs it; it runs v1.35.4',
  });
  expect(slots(reply)).toEqual([]);
});

describe('a pool pinned more than three minors behind its control plane', () => {
  const message =
    'no machine is created: spec.version v1.31.9 is more than 3 minor versions older than the control plane, which runs v1.35.4; accepted: v1.32 or newer';
  const OLD = { version: 'v1.31.9' };

  it('creates no machine, neither a new one nor a changed one, and reports that', async () => {
    const machines = await of('v1.31.9', 'v1.31.9');
    const edit = { ...OLD, replicas: 4, machine: { class: 'standard-8' } };
    const reply = await look(running('v1.35.4'), machines, edit);
    expect(slots(reply)).toEqual(machines.map(({ metadata }) => metadata?.name));
    expect(accepted(reply)).toMatchObject({ status: 'False', reason: 'VersionSkewed', message });
    expect(condition(reply, 'ScalingUp')).toMatchObject({ status: 'False', reason: 'NoNewMachines' });
    expect(slots(await look(running('v1.35.4'), [], OLD))).toEqual([]);
  });

  it('still scales down, and keeps an unhealthy machine that could not be replaced', async () => {
    const machines = await of('v1.31.9', 'v1.31.9');
    expect(slots(await look(running('v1.35.4'), machines, { ...OLD, replicas: 1 }))).toHaveLength(1);
    const sick = but(machines, { 1: lost() });
    const reply = await look(running('v1.35.4'), sick, OLD);
    expect(slots(reply)).toHaveLength(2);
    expect(condition(reply, 'Remediating')).toMatchObject({ status: 'False', reason: 'NoNewMachines' });
  });

  it('creates machines again once its version is close enough', async () => {
    expect(slots(await look(running('v1.35.4'), await of('v1.32.9'), { version: 'v1.32.9', replicas: 2 }))).toEqual([
      'slot-0',
      'slot-1',
    ]);
  });
});

describe('a worker pool with a version of its own', () => {
  it('keeps its version while it waits for the control plane, reports that, and is called again soon', async () => {
    const reply = await look(running('v1.34.4', 'v1.35.4'), await of('v1.34.4', 'v1.34.4'), { version: 'v1.35.4' });
    expect(wanted(reply)).toBe('v1.34.4');
    expect(accepted(reply)).toEqual({
      type: 'VersionAccepted',
      status: 'False',
      reason: 'WaitingForControlPlane',
      message: 'v1.35.4 waits until the control plane runs it; it runs v1.34.4',
    });
    expect(reply.events).toContainEqual(
      expect.objectContaining({ severity: 'Normal', reason: 'WaitingForControlPlane' }),
    );
    expect(reply.ttl).toBe(10);
  });

  it('is updated once every control-plane node runs that version', async () => {
    const reply = await look(running('v1.35.4'), await of('v1.34.4'), { version: 'v1.35.4' });
    expect(wanted(reply)).toBe('v1.35.4');
    expect(accepted(reply), 'a pool that was never held back does not report it').toBeUndefined();
  });

  it('waits also for a Cluster that does not ask for that version yet, because the two edits may come in any order', async () => {
    const reply = await look(running('v1.34.4'), await of('v1.34.4'), { version: 'v1.35.4' });
    expect(wanted(reply)).toBe('v1.34.4');
    expect(accepted(reply)?.reason).toBe('WaitingForControlPlane');
  });

  it('creates no machine yet when it is new, because each would have to be replaced', async () => {
    const reply = await look(running('v1.34.4', 'v1.35.4'), [], { version: 'v1.35.4' });
    expect(slots(reply)).toEqual([]);
    expect(condition(reply, 'Available')?.message).toBe('waiting for the control plane of Cluster prod');
    expect(accepted(reply)?.message).toBe('v1.35.4 waits until the control plane runs it; it runs v1.34.4');
  });

  it('may stay at an older version', async () => {
    expect(wanted(await look(running('v1.35.4'), await of('v1.33.1'), { version: 'v1.33.1' }))).toBe('v1.33.1');
    expect(wanted(await look(running('v1.35.4'), [], { version: 'v1.33.1' }))).toBe('v1.33.1');
  });

  test.for([
    {
      name: 'skips a minor version',
      have: ['v1.33.1', 'v1.33.1'],
      ask: 'v1.35.4',
      keep: 'v1.33.1',
      reason: 'MinorSkipped',
      message: 'v1.35.4 skips a minor version: machines run v1.33.1; accepted: up to v1.34',
    },
    {
      name: 'skips a minor version from the machines that an update has not reached',
      have: ['v1.34.2', 'v1.33.1'],
      ask: 'v1.35.4',
      keep: 'v1.34.2',
      reason: 'MinorSkipped',
      message: 'v1.35.4 skips a minor version: machines run v1.33.1; accepted: up to v1.34',
    },
    {
      name: 'goes back a minor version',
      have: ['v1.35.4', 'v1.35.1'],
      ask: 'v1.34.9',
      keep: 'v1.35.4',
      reason: 'MinorDowngraded',
      message: 'v1.34.9 goes back a minor version: machines run v1.35.1; accepted: v1.35 or newer',
    },
  ])('keeps its version when the claim $name', async ({ have, ask, keep, reason, message }) => {
    const reply = await look(running('v1.35.4'), await of(...have), { version: ask });
    expect(wanted(reply)).toBe(keep);
    expect(accepted(reply)).toMatchObject({ status: 'False', reason, message });
    expect(reply.events).toContainEqual({ severity: 'Warning', reason, message });
  });

  test.for([
    { name: 'a patch version', have: ['v1.35.4'], ask: 'v1.35.1' },
    { name: 'an update that is taken back half-way', have: ['v1.35.4', 'v1.34.9'], ask: 'v1.34.9' },
  ])('may go back $name', async ({ have, ask }) => {
    expect(wanted(await look(running('v1.35.4'), await of(...have), { version: ask }))).toBe(ask);
  });

  it('reports that the problem is over, without an event for every call in between', async () => {
    const machines = await of('v1.33.1');
    const pool = aNodePool({ spec: { replicas: 1, version: 'v1.35.4' } });
    const first = await replyOf(run, request({ pool, cluster: running('v1.35.4'), machines }));
    const status = { conditions: first.conditions.map((one) => ({ ...one })) };
    const again = await replyOf(run, request({ pool: { ...pool, status }, cluster: running('v1.35.4'), machines }));
    expect(again.events).toEqual([]);
    const mended = { ...aNodePool({ spec: { replicas: 1, version: 'v1.34.9' } }), status };
    const last = await replyOf(run, request({ pool: mended, cluster: running('v1.35.4'), machines }));
    expect(accepted(last)).toMatchObject({ status: 'True' });
  });
});

describe('a worker pool that follows its Cluster', () => {
  it('updates the control plane first', async () => {
    const machines = await of('v1.34.4');
    const before = await look(running('v1.34.4', 'v1.35.4'), machines, {});
    expect(wanted(before)).toBe('v1.34.4');
    expect(accepted(before)?.reason).toBe('WaitingForControlPlane');
    expect(wanted(await look(running('v1.35.4'), machines, {}))).toBe('v1.35.4');
  });

  it('catches up over several minor versions, because the control plane made each of the steps', async () => {
    expect(wanted(await look(running('v1.35.4'), await of('v1.32.0'), {}))).toBe('v1.35.4');
  });

  test.for([
    { reported: 'v1.35.4-eks-1a2b3c4', want: 'v1.35.4' },
    { reported: 'v1.34.4+k3s1', want: 'v1.34.4' },
    { reported: 'v1.35.4-rc.1', want: 'v1.35.4-rc.1' },
    { reported: 'nonsense', want: 'v1.35.4' },
  ])('accepts what kubelets report: $reported', async ({ reported, want }) => {
    expect(wanted(await look(running(reported, 'v1.35.4'), [], {}))).toBe(want);
  });
});

describe('a control plane', () => {
  const spec = { role: 'control-plane' };

  test.for([
    { name: 'one minor version up', have: ['v1.34.4', 'v1.34.4', 'v1.34.4'], ask: 'v1.35.4', get: 'v1.35.4' },
    { name: 'a patch version back', have: ['v1.35.4', 'v1.35.4', 'v1.35.4'], ask: 'v1.35.1', get: 'v1.35.1' },
    { name: 'two minor versions up', have: ['v1.33.1', 'v1.33.1', 'v1.33.1'], ask: 'v1.35.4', get: 'v1.33.1' },
    { name: 'a minor version back', have: ['v1.35.4', 'v1.35.4', 'v1.35.4'], ask: 'v1.34.9', get: 'v1.35.4' },
    {
      name: 'back when one member runs the new minor version',
      have: ['v1.35.4', 'v1.34.9', 'v1.34.9'],
      ask: 'v1.34.9',
      get: 'v1.35.4',
    },
  ])('asked to go $name, becomes $get', async ({ have, ask, get }) => {
    const reply = await look(running(ask), await of(...have), spec);
    expect(wanted(reply)).toBe(get);
    expect(accepted(reply)?.status).toBe(ask === get ? undefined : 'False');
  });

  it('may go back as long as the first new machine is not a Node', async () => {
    const [first, ...rest] = await of('v1.35.4', 'v1.34.9', 'v1.34.9');
    expect(wanted(await look(running('v1.34.9'), [starting(first!), ...rest], spec))).toBe('v1.34.9');
  });
});
