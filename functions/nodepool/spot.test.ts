/**
 * Spot machines: a cloud takes them back when it wants, which says nothing about the health of a pool. They are replaced
 * at once, and use up no limit of its health policy.
 */
import { describe, expect, it, test } from 'vitest';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import type { ReplyData } from '#lib/fn/reply.ts';
import { aCluster, aNodePool } from '../../test/support/claims.ts';
import { replyOf } from '../../test/support/function-laws.ts';
import { run } from './fn.ts';
import {
  after,
  but,
  groupOf,
  HOUR,
  lost,
  made,
  marked,
  NOON,
  notReady,
  numbers,
  remediating,
  request,
  slots,
  starting,
} from './pool.fixture.ts';

const SPOT = { class: 'standard-4', capacityType: 'spot' };

async function spotMachines(replicas: number): Promise<readonly KubeObject[]> {
  const machines = await made(aNodePool({ spec: { replicas, machine: SPOT } }));
  return machines.map((machine, index) => marked(machine, { creationTimestamp: after(index * 60) }));
}

function look(machines: readonly KubeObject[], spec: JsonObject = {}, status: JsonObject = {}): Promise<ReplyData> {
  const pool = aNodePool({ spec: { replicas: machines.length, machine: SPOT, ...spec }, status });
  return replyOf(run, request({ pool, machines }), after(HOUR));
}

/** Its slots after the first ones are taken back. */
const takenBack = (machines: readonly KubeObject[], count: number): readonly KubeObject[] =>
  machines.map((machine, index) => (index < count ? lost()(machine) : machine));

describe('a spot machine that the cloud took back', () => {
  it('is replaced in the first call that sees it', async () => {
    const reply = await look(takenBack(await spotMachines(3), 1));
    expect(numbers(reply)).toBe('123');
    expect(groupOf(reply).releases).toEqual([
      { name: expect.stringMatching(/^general-0-/), why: 'Unhealthy', message: expect.any(String) },
    ]);
    expect(remediating(reply)?.message).toMatch(
      /^Machine general-0-\w+ is a spot machine that is gone and is being replaced$/,
    );
  });

  test.for([
    { why: 'more than maxUnhealthy', spec: { health: { maxUnhealthy: 1 } } },
    { why: 'more than maxInFlight', spec: { health: { maxInFlight: 1 } } },
    { why: 'none are ever unhealthy', spec: { health: { maxUnhealthy: 0 } } },
  ])('is replaced with all others: $why', async ({ spec }) => {
    expect(numbers(await look(takenBack(await spotMachines(4), 3), spec))).toBe('3456');
  });

  it('leaves the limits to machines that are unhealthy', async () => {
    const machines = but(takenBack(await spotMachines(4), 2), { 2: notReady(NOON) });
    const health = { maxUnhealthy: 1 };
    const { pendingRemediations = [] } = (await look(machines, { health })).status;
    expect(numbers(await look(machines, { health }, { pendingRemediations })), 'all three').toBe('3456');
  });

  it('is no failed attempt: its replacement waits for no retry', async () => {
    const [first, ...rest] = await spotMachines(2);
    const annotations = { 'slipway.dev/remediation-for': '{"machine":"general-0-aaaaa","retryCount":3}' };
    const again = marked(lost(after(61))(first!), { creationTimestamp: after(60), annotations });
    expect(numbers(await look([again, ...rest], { health: { maxRetry: 3 } }))).toBe('12');
  });

  it('waits while the pool is paused', async () => {
    const reply = await look(takenBack(await spotMachines(2), 1), { paused: true });
    expect(groupOf(reply).releases).toEqual([]);
    expect(remediating(reply)).toMatchObject({ status: 'False', reason: 'Paused' });
  });

  it('does not stop a roll-out that made it', async () => {
    const [old] = await spotMachines(1);
    const [fresh] = await made(
      aNodePool({ spec: { replicas: 1, machine: { ...SPOT, image: 'ami-0123456789abcdef0' } } }),
    );
    const labels = { ...fresh!.metadata?.labels, 'slipway.dev/serial': '5' };
    const newer = lost()({ ...fresh!, metadata: { ...fresh!.metadata, name: 'general-0-newer', labels } });
    const pool = aNodePool({ spec: { replicas: 1, machine: { ...SPOT, image: 'ami-0123456789abcdef0' } } });
    const reply = await replyOf(run, request({ pool, machines: [old!, newer] }), after(HOUR));
    expect(groupOf(reply)).toMatchObject({ releases: [{ name: 'general-0-newer', why: 'Lost' }] });
    expect(groupOf(reply).stopped).toBeUndefined();
  });
});

test('a spot machine that never became a Node is a failure like any other', async () => {
  const machines = but(await spotMachines(3), { 0: (machine) => lost()(starting(machine)) });
  const reply = await look(machines, { health: { maxUnhealthy: 0 } });
  expect(slots(reply)).toHaveLength(3);
  expect(groupOf(reply).releases).toEqual([]);
  expect(remediating(reply)).toMatchObject({ reason: 'TooManyUnhealthy' });
});

describe('a claim that says a thing twice', () => {
  const CLOUDS = [
    { cloud: 'aws', kind: 'Instance', other: { instanceMarketOptions: { marketType: 'capacity-block' } } },
    { cloud: 'aws', kind: 'Instance', other: { instanceMarketOptions: null } },
    { cloud: 'azure', kind: 'LinuxVirtualMachine', other: { priority: 'Regular' } },
    { cloud: 'gcp', kind: 'Instance', other: { scheduling: { provisioningModel: 'STANDARD' } } },
    // It would be stopped, which its pool does not take for the end of a machine.
    {
      cloud: 'aws',
      kind: 'Instance',
      other: { instanceMarketOptions: { spotOptions: { instanceInterruptionBehavior: 'stop' } } },
    },
    { cloud: 'azure', kind: 'LinuxVirtualMachine', other: { evictionPolicy: 'Deallocate' } },
    { cloud: 'gcp', kind: 'Instance', other: { scheduling: { instanceTerminationAction: 'STOP' } } },
  ];
  const SAME = [
    { cloud: 'aws', kind: 'Instance', same: { instanceMarketOptions: { spotOptions: { maxPrice: '0.1' } } } },
    { cloud: 'azure', kind: 'LinuxVirtualMachine', same: { priority: 'Spot', maxBidPrice: 0.1 } },
    { cloud: 'gcp', kind: 'Instance', same: { scheduling: { nodeAffinities: [] } } },
  ];
  const claimed = (cloud: string, capacityType: string, kind: string, fields: JsonObject, part = 'forProvider') => {
    const { status = {}, ...rest } = aCluster();
    const infrastructure = { ...(status['infrastructure'] as JsonObject), cloud };
    const cluster = { ...rest, status: { ...status, infrastructure } };
    const pool = aNodePool({
      spec: {
        machine: { class: 'standard-4', capacityType, dataDisks: [{ name: 'data', sizeGiB: 20 }] },
        infrastructure: { overrides: [{ kind, patch: { spec: { [part]: fields } } }] },
      },
    });
    return replyOf(run, request({ pool, cluster }), NOON);
  };

  test.for(CLOUDS)('is refused on $cloud if the override says otherwise: $other', async ({ cloud, kind, other }) => {
    await expect(claimed(cloud, 'spot', kind, other)).rejects.toThrow(
      /: spec\.infrastructure\.overrides\[0\]\.patch\.spec\.forProvider\.[\w.]+: is not accepted; accepted: nothing there, since spec\.machine\.capacityType says spot$/,
    );
  });

  test.for([
    { cloud: 'aws', kind: 'Instance', market: { instanceMarketOptions: { marketType: 'spot' } } },
    { cloud: 'azure', kind: 'LinuxVirtualMachine', market: { priority: 'Spot' } },
    { cloud: 'gcp', kind: 'Instance', market: { scheduling: { preemptible: true } } },
  ])('is refused on $cloud if the override makes a spot machine of one on demand', async ({ cloud, kind, market }) => {
    await expect(claimed(cloud, 'on-demand', kind, market)).rejects.toThrow(/capacityType says on-demand$/);
  });

  test('on demand may be without restarts on GCP, which says nothing of its price', async () => {
    const scheduling = { scheduling: { automaticRestart: false } };
    expect(slots(await claimed('gcp', 'on-demand', 'Instance', scheduling))).not.toEqual([]);
  });

  test.for([
    { cloud: 'aws', part: 'forProvider', list: 'ebsBlockDevice' },
    { cloud: 'aws', part: 'initProvider', list: 'ebsBlockDevice' },
    { cloud: 'gcp', part: 'forProvider', list: 'attachedDisk' },
    { cloud: 'gcp', part: 'initProvider', list: 'attachedDisk' },
  ])('is refused on $cloud if the override replaces its data disks in $part', async ({ cloud, part, list }) => {
    await expect(claimed(cloud, 'spot', 'Instance', { [list]: [] }, part)).rejects.toThrow(
      `${part}.${list}: is not accepted; accepted: nothing there, since spec.machine.dataDisks says it`,
    );
  });

  test.for(SAME)('is accepted on $cloud if both say the same: $same', async ({ cloud, kind, same }) => {
    expect(slots(await claimed(cloud, 'spot', kind, same))).not.toEqual([]);
  });
});
