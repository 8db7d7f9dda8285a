import { describe, expect, it, test } from 'vitest';
import { type JsonObject, type KubeObject } from '#lib/api/json.ts';
import { aCluster, aNodePool } from '../../test/support/claims.ts';
import { claimingEtcd } from '../../test/support/external-etcd.ts';
import { replyOf } from '../../test/support/function-laws.ts';
import { run } from './fn.ts';
import {
  after,
  but,
  condition,
  grown,
  HOUR,
  look,
  lost,
  made,
  marked,
  NOON,
  notReady,
  numbers,
  ordered,
  released,
  remediating,
  request,
  slots,
  starting,
} from './pool.fixture.ts';

describe('a control plane', () => {
  const spec = { role: 'control-plane' };
  const all = { maxUnhealthy: '100%' };

  it('gives up one machine, and the next one when that is deleted and its replacement is a Node', async () => {
    const machines = but(await grown(5), { 1: lost(), 3: lost() });
    const reply = await look(machines, HOUR, all, spec);
    expect(numbers(reply)).toBe('02345');
    expect(slots(reply)).toContain('slot-3');
    const going = { ...machines[1]!, metadata: { ...machines[1]!.metadata, deletionTimestamp: after(HOUR) } };
    const rest = machines.filter((machine) => machine !== machines[1]);
    const second = await look([...rest, going], HOUR, all, { ...spec, replicas: 5 });
    expect(slots(second)).toContain('slot-3');
    expect(remediating(second)).toMatchObject({ reason: 'RemediationDeferred' });
    expect(remediating(second)?.message).toMatch(/it waits until the machine that is being deleted is gone$/);
  });

  it('keeps its unhealthy machines while the others have no majority without them', async () => {
    const machines = but(await grown(3), { 1: lost(), 2: notReady(NOON) });
    const reply = await look(machines, HOUR, all, spec);
    expect(numbers(reply)).toBe('012');
    expect(remediating(reply)?.message).toMatch(
      /without it etcd has no healthy majority; it waits until more of the others are healthy$/,
    );
  });

  describe('with external etcd', () => {
    const lookAt = async (machines: readonly KubeObject[], recorded: 'Local' | 'External' = 'External') => {
      const cluster = claimingEtcd(recorded);
      const pool = (status: JsonObject = {}) =>
        aNodePool({ spec: { ...spec, replicas: machines.length, health: all }, status });
      const { status } = await replyOf(run, request({ pool: pool(), machines, cluster }), after(HOUR));
      return replyOf(run, request({ pool: pool(status), machines, cluster }), after(HOUR));
    };

    it('needs no majority, because one healthy machine is enough', async () => {
      const machines = but(await grown(3), { 1: lost(), 2: notReady(NOON) });
      expect(numbers(await lookAt(machines))).toBe('023');
    });

    it('still needs a majority when only a refused edit of the claim says so', async () => {
      const machines = but(await grown(3), { 1: lost(), 2: notReady(NOON) });
      const reply = await lookAt(machines, 'Local');
      expect(numbers(reply)).toBe('012');
      expect(remediating(reply)?.message).toMatch(
        /without it etcd has no healthy majority; it waits until more of the others are healthy$/,
      );
    });

    it('keeps its unhealthy machines while no other serves the API', async () => {
      const machines = but(await grown(3), { 0: notReady(NOON), 1: lost(), 2: notReady(NOON) });
      const reply = await lookAt(machines);
      expect(numbers(reply)).toBe('012');
      expect(remediating(reply)?.message).toMatch(
        /without it no healthy machine serves the API; it waits until another one is healthy$/,
      );
    });

    it('keeps its only machine, because a replacement joins it', async () => {
      const reply = await lookAt(but(await grown(1), { 0: lost() }));
      expect(numbers(reply)).toBe('0');
      expect(remediating(reply)?.message).toMatch(/no other machine serves the API that a replacement would join$/);
    });
  });

  it('does not count a machine that is updated in place as a member, because it is unavailable or about to be', async () => {
    const machines = but(await grown(3), { 0: ordered('Running'), 1: notReady(NOON) });
    const reply = await look(machines, HOUR, all, spec);
    expect(numbers(reply)).toBe('012');
    expect(remediating(reply)?.message).toMatch(
      /without it etcd has no healthy majority; it waits until more of the others are healthy$/,
    );
    const ended = but(await grown(3), { 0: ordered('Succeeded'), 1: notReady(NOON) });
    expect(numbers(await look(ended, HOUR, all, spec))).toBe('023');
  });

  test.for([
    { all: 5, sick: 2 },
    { all: 7, sick: 2 },
    { all: 7, sick: 3 },
  ])('replaces $sick of $all unhealthy machines, one after the other', async ({ all: count, sick }) => {
    const ill = Object.fromEntries(Array.from({ length: sick }, (_, index) => [index, notReady(NOON)]));
    const machines = but(await grown(count), ill);
    expect(released(await look(machines, HOUR, all, spec))).toHaveLength(1);
    // The first is gone: the next machine joins beside the remaining unhealthy one, because etcd keeps its majority
    // even if the new machine fails.
    const pendingRemediations = [{ machine: machines[0]?.metadata?.name ?? '', retryCount: 0 }];
    const reply = await look(machines.slice(1), HOUR, all, { ...spec, replicas: count }, { pendingRemediations });
    expect(released(reply)).toEqual([]);
    expect(slots(reply)).toHaveLength(count);
    expect(reply.resources.get('slot-0')?.resource.metadata?.annotations).toMatchObject({
      'slipway.dev/remediation-for': expect.stringContaining(machines[0]?.metadata?.name ?? '?') as string,
    });
  });

  it('gives up another unhealthy machine before the replacement of the first joins, if the replacement could not join beside it', async () => {
    const machines = but(await grown(5), { 1: notReady(NOON) });
    const [first, second, ...others] = machines;
    const pendingRemediations = [{ machine: first?.metadata?.name ?? '', retryCount: 0 }];
    const three = [second!, ...others.slice(0, 2)];
    const reply = await look(three, HOUR, all, { ...spec, replicas: 5 }, { pendingRemediations });
    expect(released(reply).map(({ name }) => name)).toEqual([second?.metadata?.name]);
    // Beside it, etcd keeps its majority even if the replacement fails, so the replacement joins first.
    const joins = await look([second!, ...others], HOUR, all, { ...spec, replicas: 5 }, { pendingRemediations });
    expect(released(joins)).toEqual([]);
    expect(slots(joins)).toHaveLength(5);
  });

  it('gives up no other machine instead of the one that prevents replacements from joining', async () => {
    const [gone, stuck, ...others] = but(await grown(5), { 1: starting, 2: notReady(NOON) });
    const annotations = {
      'slipway.dev/remediation-for': JSON.stringify({ machine: 'general-9-aaaaa', retryCount: 3 }),
    };
    const machines = [marked(stuck!, { annotations, creationTimestamp: NOON }), ...others];
    const pendingRemediations = [{ machine: gone?.metadata?.name ?? '', retryCount: 0 }];
    const health = { ...all, maxRetry: 3 };
    const reply = await look(machines, HOUR, health, { ...spec, replicas: 5 }, { pendingRemediations });
    expect(released(reply)).toEqual([]);
    expect(reply.status['pendingRemediations']).toEqual(pendingRemediations);
  });

  it('gives up a lost machine that prevents the replacements of others from joining', async () => {
    const [one, two, gone, ...well] = but(await grown(5), { 2: lost() });
    const pendingRemediations = [one, two].map((machine) => ({
      machine: machine?.metadata?.name ?? '',
      retryCount: 0,
    }));
    const reply = await look([gone!, ...well], HOUR, all, { ...spec, replicas: 5 }, { pendingRemediations });
    expect(released(reply).map(({ name }) => name)).toEqual([gone?.metadata?.name]);
  });

  it('gives up a machine that never became a Node before it gives up any member, because that machine may still join', async () => {
    const machines = but(await grown(5), { 1: lost(), 3: starting });
    const reply = await look(machines, HOUR, all, spec);
    expect(released(reply).map(({ name }) => name)).toEqual([machines[3]?.metadata?.name]);
  });

  it('gives up a machine that never became a Node although the others have no majority, because it is not a member', async () => {
    const machines = but(await grown(3), { 0: starting, 1: notReady(NOON) });
    const reply = await look(machines, HOUR, all, spec);
    expect(released(reply).map(({ name }) => name)).toEqual([machines[0]?.metadata?.name]);
  });

  it('is not scaled up beside a machine that is not ready, unless the new machine replaces one that was given up', async () => {
    const machines = but(await grown(5), { 0: notReady(after(HOUR)) });
    const reply = await look(machines, HOUR, all, { ...spec, replicas: 7 });
    expect(slots(reply)).toHaveLength(5);
    expect(condition(reply, 'ScalingUp')?.message).toMatch(/; the next one joins once Machine general-0-\w+ is ready$/);
  });

  it('counts a healthy machine with a requested replacement as unhealthy', async () => {
    const asked = { annotations: { 'slipway.dev/remediate-machine': '' } };
    const machines = but(await grown(3), { 0: (machine) => marked(machine, asked), 1: notReady(NOON) });
    const reply = await look(machines, HOUR, { maxUnhealthy: 1 }, spec);
    expect(remediating(reply)?.reason, 'one of three is not healthy').not.toBe('TooManyUnhealthy');
  });

  it('never gives up its last machine', async () => {
    const reply = await look(but(await grown(1), { 0: lost() }), HOUR, all, spec);
    expect(numbers(reply)).toBe('0');
    expect(remediating(reply)).toMatchObject({ status: 'False', reason: 'CannotBeRemediated' });
  });

  it('replaces a machine that is not a member yet like any other', async () => {
    expect(numbers(await look(but(await grown(3), { 2: starting }), HOUR, all, spec))).toBe('013');
  });

  it('tries another first machine when the first does not become a Node, unless it is paused', async () => {
    const cluster = aCluster({ status: {} });
    const [first] = await made(aNodePool());
    const stuck = marked(starting(first!), { creationTimestamp: NOON });
    const at = async (seconds: number, paused = false, status: JsonObject = {}) => {
      const pool = aNodePool({ spec: { ...spec, paused }, status });
      return replyOf(run, request({ pool, machines: [stuck], cluster }), after(seconds));
    };
    expect(slots(await at(1199))).toHaveLength(1);
    const recording = await at(1200);
    expect(slots(recording), 'the name is used up once the status counts it').toHaveLength(1);
    const { pendingRemediations } = recording.status;
    expect(pendingRemediations).toEqual([{ machine: stuck.metadata?.name, retryCount: 0 }]);
    expect(slots(await at(1200, false, { pendingRemediations: pendingRemediations! }))).toEqual([]);
    expect(remediating(recording)?.message).toMatch(
      /^Machine \S+ did not become a Node within 20m and is being replaced$/,
    );
    expect(slots(await at(1200, true))).toHaveLength(1);
  });

  it('keeps all its machines when its own status and the status of its Cluster were lost', async () => {
    const machines = await grown(3);
    const { controlPlane: _lost, ...status } = aCluster().status!;
    const cluster = { ...aCluster(), status };
    const reply = await replyOf(run, request({ pool: aNodePool({ spec }), machines, cluster }));
    expect(slots(reply)).toEqual(['slot-0', 'slot-1', 'slot-2']);
    expect(reply.status['initialized']).toBe(true);
  });

  it('reports that its first machine waits for the one before it', async () => {
    const cluster = aCluster();
    const [first] = await made(aNodePool());
    const going = { ...first!, metadata: { ...first!.metadata, deletionTimestamp: NOON } };
    const { controlPlane: _none, ...status } = cluster.status!;
    const reply = await replyOf(
      run,
      request({ pool: aNodePool({ spec }), machines: [going], cluster: { ...cluster, status } }),
    );
    expect(slots(reply)).toEqual([]);
    expect(condition(reply, 'ScalingUp')).toMatchObject({
      status: 'True',
      message: 'the first machine is created once the one before it is gone',
    });
    expect(reply.status['phase']).toBe('Provisioning');
  });
});
