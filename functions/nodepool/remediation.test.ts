import { describe, expect, it, test } from 'vitest';
import { at, type KubeObject } from '#lib/api/json.ts';
import { conditions, withStatus } from '../../test/support/claims.ts';
import {
  HOUR,
  NOON,
  after,
  but,
  composed,
  groupOf,
  grown,
  look,
  lookOnce,
  lost,
  marked,
  nodeGone,
  notReady,
  numbers,
  ordered,
  remediating,
  slots,
  starting,
} from './pool.fixture.ts';

describe('a machine whose Node is not ready', () => {
  const sick = async () => but(await grown(5), { 1: notReady(after(HOUR)) });

  it('is kept until its condition lasted for its timeout, and then replaced in another slot', async () => {
    expect(numbers(await look(await sick(), HOUR + 299))).toBe('01234');
    const reply = await look(await sick(), HOUR + 300);
    expect(numbers(reply)).toBe('02345');
    expect(remediating(reply)).toMatchObject({ status: 'True', reason: 'Remediating' });
    expect(remediating(reply)?.message).toMatch(
      /^Machine general-1-\w+ has Node condition Ready=False for 5m or longer and is being replaced$/,
    );
  });

  it('has its own event when too many are unhealthy while another one is replaced', async () => {
    const asked = (machine: KubeObject) => marked(machine, { annotations: { 'slipway.dev/remediate-machine': '' } });
    const machines = but(await grown(5), { 0: notReady(NOON), 1: notReady(NOON), 2: notReady(NOON), 4: asked });
    const first = await look(machines, HOUR, { maxUnhealthy: '40%' });
    expect(remediating(first)).toMatchObject({ status: 'True', reason: 'Remediating' });
    expect(first.events.map(({ severity, reason }) => [severity, reason])).toContainEqual([
      'Warning',
      'TooManyUnhealthy',
    ]);
    const status = { conditions: first.conditions.map((one) => ({ ...one })) };
    expect((await look(machines, HOUR + 10, { maxUnhealthy: '40%' }, {}, status)).events).toEqual([]);
    const worse = but(machines, { 3: notReady(NOON) });
    expect(
      (await look(worse, HOUR + 10, { maxUnhealthy: '40%' }, {}, status)).events,
      'one more causes no event',
    ).toEqual([]);
  });

  it('is reported with one event', async () => {
    const first = await look(await sick(), HOUR + 300);
    expect(first.events.map(({ reason }) => reason)).toContain('Remediating');
    const status = { conditions: first.conditions.map((one) => ({ ...one })) };
    expect((await look(await sick(), HOUR + 310, {}, {}, status)).events).toEqual([]);
  });

  it('is kept while its condition has no time', async () => {
    const bare = withStatus(
      (await grown(3))[1]!,
      conditions(false, [{ type: 'NodeHealthy', status: 'False', reason: 'NodeNotHealthy' }]),
    );
    expect(numbers(await look(but(await grown(3), { 1: () => bare }), 90 * HOUR))).toBe('012');
  });

  it('is kept while the workload cluster is unreachable, because that is not a fault of the Node', async () => {
    const unknown = { type: 'NodeHealthy', status: 'Unknown', reason: 'NodeHealthUnknown', lastTransitionTime: NOON };
    const machines = but(await grown(3), { 1: (machine) => withStatus(machine, conditions(false, [unknown])) });
    expect(numbers(await look(machines, 90 * HOUR))).toBe('012');
  });

  it('is judged by the conditions of its Node where the machine reports them', async () => {
    const pressed = (status: string) => (machine: KubeObject) =>
      withStatus(machine, {
        nodeConditions: [
          { type: 'Ready', status: 'True', lastTransitionTime: NOON },
          { type: 'DiskPressure', status, lastTransitionTime: after(HOUR) },
        ],
      });
    const health = { unhealthyConditions: [{ type: 'DiskPressure', status: 'True', timeout: '10m' }] };
    expect(numbers(await look(but(await grown(3), { 1: pressed('True') }), HOUR + 600, health))).toBe('023');
    expect(numbers(await look(but(await grown(3), { 1: pressed('False') }), HOUR + 600, health))).toBe('012');
    const before = await look(but(await grown(3), { 1: pressed('True') }), HOUR + 540, health);
    expect(before.ttl, 'the pool is settled, but is called again when the timeout ends').toBe(60);
  });
});

describe('a machine that does not become a Node', () => {
  it('is replaced after nodeStartupTimeout, which begins when the cloud created it', async () => {
    const stuck = (await grown(3)).map((machine, index) => (index === 2 ? starting(machine) : machine));
    expect(numbers(await look(stuck, 120 + 1199))).toBe('012');
    expect(numbers(await look(stuck, 120 + 1200))).toBe('013');
    const made = { type: 'InfrastructureReady', status: 'True', reason: 'Ready', lastTransitionTime: after(600) };
    const later = but(stuck, { 2: (machine) => withStatus(machine, conditions(false, [made])) });
    expect(numbers(await look(later, 600 + 1199))).toBe('012');
    expect(remediating(await look(later, 600 + 1200))?.message).toContain('did not become a Node within 20m');
    const message = 'waiting for Node "a" to register; Node "b" has its provider id';
    const waiting = { type: 'NodeHealthy', status: 'Unknown', reason: 'WaitingForNode', message };
    const doubted = but(stuck, { 2: (machine) => withStatus(machine, conditions(false, [made, waiting])) });
    expect(remediating(await look(doubted, 600 + 1200))?.message, 'and says why').toContain(
      `did not become a Node within 20m (${message}) and is being replaced`,
    );
  });

  it('is never replaced if nodeStartupTimeout is 0s', async () => {
    const stuck = but(await grown(3), { 2: starting });
    expect(numbers(await look(stuck, 1000 * HOUR, { nodeStartupTimeout: '0s' }))).toBe('012');
  });
});

describe('a machine whose Node was deleted by hand', () => {
  const bare = async () => but(await grown(3), { 1: nodeGone(after(HOUR)) });

  it('is replaced after nodeStartupTimeout, whatever unhealthyConditions lists', async () => {
    for (const health of [{}, { unhealthyConditions: [] }]) {
      expect(numbers(await look(await bare(), HOUR + 1199, health))).toBe('012');
      const reply = await look(await bare(), HOUR + 1200, health);
      expect(numbers(reply)).toBe('023');
      expect(remediating(reply)?.message).toMatch(
        /^Machine general-1-\w+ has had no Node for 20m and is being replaced$/,
      );
    }
  });

  it('is kept if nodeStartupTimeout is 0s, while an annotation keeps it, and while the pool is paused', async () => {
    const late = 1000 * HOUR;
    expect(numbers(await look(await bare(), late, { nodeStartupTimeout: '0s' }))).toBe('012');
    for (const annotations of [{ 'slipway.dev/skip-remediation': '' }, { 'crossplane.io/paused': 'true' }]) {
      const kept = but(await bare(), { 1: (machine) => marked(machine, { annotations }) });
      expect(numbers(await look(kept, late))).toBe('012');
    }
    const paused = await look(await bare(), late, {}, { paused: true });
    expect(groupOf(paused).releases).toEqual([]);
    expect(remediating(paused)).toMatchObject({ status: 'False', reason: 'Paused' });
  });
});

describe('too many unhealthy machines', () => {
  const sick = async (count: number) =>
    (await grown(10)).map((machine, index) => (index < count ? notReady(NOON)(machine) : machine));

  test.for([
    { count: 4, health: {}, replaced: 4, why: '40% is the default' },
    { count: 5, health: {}, replaced: 0, why: 'one more than that' },
    { count: 2, health: { maxUnhealthy: 1 }, replaced: 0, why: 'a number' },
    { count: 1, health: { maxUnhealthy: 1 }, replaced: 1, why: 'a number that is not exceeded' },
    { count: 1, health: { maxUnhealthy: 0 }, replaced: 0, why: 'never' },
    { count: 1, health: { maxUnhealthy: '0%' }, replaced: 0, why: 'never, as a percentage' },
    { count: 1, health: { maxUnhealthy: '19%' }, replaced: 1, why: 'rounded down' },
    { count: 2, health: { maxUnhealthy: '19%' }, replaced: 0, why: 'rounded down and exceeded' },
    { count: 2, health: { unhealthyRange: '[3-5]' }, replaced: 0, why: 'below the range' },
    { count: 5, health: { unhealthyRange: '[3-5]' }, replaced: 5, why: 'the end of the range, which has priority' },
    { count: 6, health: { unhealthyRange: '[3-5]' }, replaced: 0, why: 'above the range' },
  ])('stop all remediation: $count of 10 with $health, $why', async ({ count, health, replaced }) => {
    const reply = await look(await sick(count), HOUR, health);
    expect(slots(reply).filter((slot) => Number(slot.slice(5)) > 9)).toHaveLength(replaced);
    expect(slots(reply)).toHaveLength(10);
  });

  it('are reported by the condition, and once by a warning', async () => {
    const reply = await look(await sick(5), HOUR);
    expect(remediating(reply)).toMatchObject({ status: 'False', reason: 'TooManyUnhealthy' });
    expect(remediating(reply)?.message).toMatch(/; 5 of 10 machines are not healthy, maxUnhealthy is 40%$/);
    expect(reply.events).toContainEqual(expect.objectContaining({ severity: 'Warning', reason: 'TooManyUnhealthy' }));
    const status = { conditions: reply.conditions.map((one) => ({ ...one })) };
    expect((await look(await sick(5), HOUR, {}, {}, status)).events).toEqual([]);
  });

  it('are counted before their timeouts end, because an outage must not be handled one machine at a time', async () => {
    const machines = (await grown(5)).map((machine, index) => notReady(after(HOUR + index))(machine));
    expect(remediating(await look(machines, HOUR + 300))?.reason).toBe('TooManyUnhealthy');
  });

  it('are not reported for one lost machine of a small pool', async () => {
    const [only] = await grown(1);
    expect(slots(await look([lost()(only!)], HOUR))).toEqual(['slot-1']);
  });
});

describe('a paused pool', () => {
  it('keeps a machine that is lost or unhealthy, and reports why', async () => {
    const machines = but(await grown(5), { 0: lost(), 1: notReady(NOON) });
    const reply = await look(machines, HOUR, {}, { paused: true });
    expect(composed(reply).map(({ metadata }) => metadata?.name)).toEqual(
      machines.map(({ metadata }) => metadata?.name),
    );
    expect(remediating(reply)).toMatchObject({ status: 'False', reason: 'Paused' });
    expect(numbers(await look(machines, HOUR))).toBe('23456');
  });

  it('gives no machine up whose replacement exists: it is the first of the surplus, which may go', async () => {
    const machines = but(await grown(4), {
      0: notReady(NOON),
      3: (machine) => {
        const record = JSON.stringify({ machine: 'general-0', retryCount: 0 });
        return marked(machine, { annotations: { 'slipway.dev/remediation-for': record } });
      },
    }).map((machine, slot) =>
      slot === 0 ? { ...machine, metadata: { ...machine.metadata, name: 'general-0' } } : machine,
    );
    const paused = await look(machines, HOUR, {}, { paused: true, replicas: 3 });
    expect(groupOf(paused).releases).toMatchObject([{ name: 'general-0', why: 'Surplus' }]);
    const goes = await look(machines, HOUR, {}, { replicas: 3 });
    expect(groupOf(goes).releases).toMatchObject([{ name: 'general-0', why: 'Unhealthy' }]);
  });
});

describe('an annotation on a machine', () => {
  it('keeps it from being replaced, and from being counted', async () => {
    for (const annotations of [{ 'slipway.dev/skip-remediation': '' }, { 'crossplane.io/paused': 'true' }]) {
      const machines = but(await grown(3), { 0: (machine) => marked(lost()(machine), { annotations }), 1: lost() });
      expect(numbers(await look(machines, HOUR))).toBe('023');
    }
  });

  const annotations = { 'slipway.dev/remediate-machine': '' };
  const asked = (machine: KubeObject) => marked(machine, { annotations });

  it('has a healthy machine replaced, in its own slot and once its replacement is ready', async () => {
    const machines = but(await grown(3), { 0: asked });
    const reply = await look(machines, 0);
    expect(numbers(reply)).toBe('012');
    expect(groupOf(reply)).toMatchObject({ releases: [], replacements: [machines[0]?.metadata?.name] });
    expect(remediating(reply)?.message).toMatch(
      /^Machine general-0-\w+ has annotation slipway.dev\/remediate-machine and is deleted once its replacement is ready$/,
    );
    const paused = await look(machines, 0, {}, { paused: true });
    expect(groupOf(paused).releases).toEqual([]);
    expect(remediating(paused)).toMatchObject({ status: 'False', reason: 'Paused' });
    expect(remediating(paused)?.message).toMatch(/; the pool is paused; set spec.paused to false to have it replaced$/);
  });

  it('gives the machine up at once when it has a problem, before its timeouts end', async () => {
    const machines = but(await grown(3), { 0: (machine) => asked(notReady(after(1))(machine)) });
    expect(numbers(await look(machines, 2))).toBe('123');
  });
});

describe('the number of replacements at the same time', () => {
  const health = { maxInFlight: 1, maxUnhealthy: '100%' };

  it('is limited: the next machine is replaced once the replacement of the one before is a Node', async () => {
    const machines = but(await grown(4), { 0: notReady(NOON), 1: notReady(NOON) });
    const first = await look(machines, HOUR, health);
    expect(numbers(first)).toBe('1234');
    expect(remediating(first)?.message).toMatch(/; it waits until another one is replaced: health.maxInFlight is 1$/);

    const successor = marked(starting(first.resources.get('slot-4')!.resource), { creationTimestamp: after(HOUR) });
    const joining = [...machines.slice(1), successor];
    expect(numbers(await look(joining, HOUR + 60, health, { replicas: 4 }))).toBe('1234');
    const joined = withStatus(successor, { ...conditions(true), nodeRef: { name: 'x' } });
    expect(numbers(await look([...machines.slice(1), joined], HOUR + 60, health, { replicas: 4 }))).toBe('2340');
  });

  it('includes a machine that was given up and whose replacement could not be created yet', async () => {
    const machines = but(await grown(3), { 0: notReady(NOON) });
    const status = { pendingRemediations: [{ machine: 'general-9-gone', retryCount: 2 }] };
    const reply = await look(machines, HOUR, health, { replicas: 4 }, status);
    expect(numbers(reply)).toBe('0123');
    const successor = reply.resources.get('slot-3')?.resource;
    expect(successor?.metadata?.annotations).toEqual({
      'slipway.dev/remediation-for': '{"machine":"general-9-gone","retryCount":2}',
    });
    expect(reply.status['pendingRemediations'], 'until its replacement is observed').toEqual(
      status.pendingRemediations,
    );
  });

  it('is reported until the replacement is a Node, with no more than one event', async () => {
    const machines = but(await grown(4), { 0: notReady(NOON) });
    const first = await look(machines, HOUR);
    const successor = marked(starting(first.resources.get('slot-4')!.resource), { creationTimestamp: after(HOUR) });
    const conditions = first.conditions.map((one) => ({ ...one }));
    const joining = await look([...machines.slice(1), successor], HOUR + 60, {}, { replicas: 4 }, { conditions });
    expect(remediating(joining)).toMatchObject({ status: 'True', reason: 'Remediating' });
    expect(remediating(joining)?.message).toBe(
      `Machine ${successor.metadata?.name}, which replaces ${machines[0]?.metadata?.name}, has not become a Node yet`,
    );
    expect(joining.events).toEqual([]);
    const machine = machines[0]?.metadata?.name ?? '';
    const pendingRemediations = [{ machine, retryCount: 0 }];
    const waiting = await look(machines.slice(1), HOUR + 60, {}, { replicas: 4 }, { pendingRemediations });
    expect(remediating(waiting)?.message).toBe(`Machine ${machine} was given up and is being replaced`);
  });

  it('is remembered as long as the budget keeps the machine, also when it gets no replacement', async () => {
    const ready = { type: 'Ready', status: 'False', timeout: '5m' };
    const full = { type: 'DiskPressure', status: 'True', timeout: '5m' };
    const policy = { maxUnhealthy: '100%', unhealthyConditions: [ready, full] };
    const pressed = (machine: KubeObject) =>
      withStatus(machine, { nodeConditions: [{ type: 'DiskPressure', status: 'True', lastTransitionTime: NOON }] });
    const machines = but(await grown(5), { 0: pressed, 1: notReady(after(HOUR)), 2: notReady(after(HOUR)) });
    const spec = { replicas: 4 };
    const first = await look(machines, HOUR, policy, spec);
    const { pendingRemediations } = first.status;
    expect(pendingRemediations).toEqual([{ machine: machines[0]?.metadata?.name, retryCount: 0 }]);
    const next = await lookOnce(machines, HOUR, policy, spec, { pendingRemediations: pendingRemediations! });
    expect(next.status['pendingRemediations'], 'the same at every call').toEqual(pendingRemediations);
    const gone = await lookOnce(machines.slice(1), HOUR, policy, spec, { pendingRemediations: pendingRemediations! });
    expect(gone.status['pendingRemediations'], 'and not longer').toBeUndefined();
  });

  it('may be 0, which turns remediation off', async () => {
    expect(numbers(await look(but(await grown(3), { 0: lost() }), HOUR, { maxInFlight: 0 }))).toBe('012');
  });
});

describe('a replacement that fails as well', () => {
  const succeeded =
    (retryCount: number, at = NOON) =>
    (machine: KubeObject) =>
      marked(machine, {
        creationTimestamp: at,
        annotations: { 'slipway.dev/remediation-for': JSON.stringify({ machine: 'general-7-first', retryCount }) },
      });
  const failing = (retryCount: number) => async () =>
    but(await grown(3), { 0: (machine) => lost(after(60))(succeeded(retryCount)(machine)) });

  test.for([
    { retryCount: 0, waits: 600 },
    { retryCount: 1, waits: 1200 },
    { retryCount: 2, waits: 2400 },
    { retryCount: 30, waits: 7200 },
  ])(
    'waits before it is replaced, longer with every attempt: $waits s after $retryCount',
    async ({ retryCount, waits }) => {
      const machines = await failing(retryCount)();
      const early = await look(machines, waits - 1);
      expect(numbers(early)).toBe('012');
      expect(remediating(early)).toMatchObject({ status: 'False', reason: 'RemediationDeferred' });
      expect(remediating(early)?.message).toMatch(new RegExp(`it is replaced at ${after(waits)}$`));
      const reply = await look(machines, waits);
      expect(numbers(reply)).toBe('123');
      expect(
        at(reply.resources.get('slot-3')?.resource, 'metadata', 'annotations', 'slipway.dev/remediation-for'),
      ).toBe(JSON.stringify({ machine: machines[0]?.metadata?.name, retryCount: retryCount + 1 }));
    },
  );

  it('is not replaced more than maxRetry times', async () => {
    const reply = await look(await failing(2)(), 9 * HOUR, { maxRetry: 2 });
    expect(numbers(reply)).toBe('012');
    expect(remediating(reply)).toMatchObject({ status: 'False', reason: 'CannotBeRemediated' });
    expect(numbers(await look(await failing(1)(), 9 * HOUR, { maxRetry: 2 }))).toBe('123');
  });

  it('does not wait if it was healthy for minHealthyPeriod, because that is another failure', async () => {
    const machines = but(await grown(3), { 0: (machine) => lost(after(HOUR + 1))(succeeded(5)(machine)) });
    const reply = await look(machines, HOUR + 1, { maxRetry: 0 });
    expect(numbers(reply)).toBe('123');
    expect(JSON.stringify(reply.resources.get('slot-3')?.resource.metadata?.annotations)).toContain(
      '\\"retryCount\\":0',
    );
  });

  it('keeps the record of the machine it replaced', async () => {
    const machines = but(await grown(3), { 0: succeeded(1) });
    const reply = await look(machines, HOUR);
    expect(reply.resources.get('slot-0')?.resource.metadata?.annotations).toEqual(machines[0]?.metadata?.annotations);
  });

  it('is replaced despite an invalid annotation', async () => {
    const annotations = { 'slipway.dev/remediation-for': '{' };
    const machines = but(await grown(3), { 0: (machine) => marked(lost()(machine), { annotations }) });
    expect(numbers(await look(machines, 0))).toBe('123');
  });
});

describe('a machine with an update in place', () => {
  it.each([
    ['Running', '01234', 'its node is expected to be away, and its order has a time limit'],
    ['Pending', '02345', 'an order that does not begin may wait for ever'],
    ['Failed', '02345', 'its order is over'],
  ])('that is %s and whose Node is not ready: slots %s, since %s', async (phase, expected) => {
    const machines = but(await grown(5), { 1: (machine) => ordered(phase)(notReady(NOON)(machine)) });
    expect(numbers(await look(machines, 2 * HOUR))).toBe(expected);
  });
});
