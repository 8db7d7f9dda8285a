/** What a pool reports about each machine that it does not change yet: the name, the cause, and what ends it. */
import { describe, expect, it, test } from 'vitest';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { CONTEXT, LABEL } from '#lib/api/words.ts';
import type { ReplyData } from '#lib/fn/reply.ts';
import { aMachine, aNodePool, conditions, withStatus } from '../../test/support/claims.ts';
import { aRequest, aWorld } from '../../test/support/request.ts';
import { run } from './fn.ts';

const RULES: readonly JsonObject[] = [
  { path: 'spec.labels', decision: 'Patch' },
  { path: 'spec.machine.class', decision: 'Update', updater: 'resize' },
];
const LARGE = { machine: { class: 'standard-8' } };
const IMAGE = { machine: { class: 'standard-4', image: 'ami-2' } };
const RESIZE = { name: 'resize', runsOn: 'Machine', disruptive: true, timeout: '30m', fields: ['spec.machine.class'] };
const ORDER = { id: 'abc', disruptive: true, updaters: [RESIZE] };

interface Given {
  /** The spec in the claim. */
  readonly edit: JsonObject;
  readonly update?: JsonObject;
  readonly rules?: readonly JsonObject[];
  /** Machines by slot; by default one in each of three. */
  readonly machines?: readonly KubeObject[];
  /** Slots that the pool asks for now; by default all three. */
  readonly slots?: readonly number[];
  readonly context?: JsonObject;
  readonly status?: JsonObject;
}

const machine = (slot: number, spec: JsonObject = {}, status: JsonObject = {}, ready = true): KubeObject => {
  const { spec: base, ...rest } = aMachine();
  const labels = { [LABEL.slot]: String(slot) };
  const named = { ...rest, metadata: { name: `m-${slot}`, namespace: 'team-a', labels }, spec: { ...base, ...spec } };
  return withStatus(named, { ...conditions(ready), ...status });
};
const named = (name: string, object: KubeObject): KubeObject => ({ ...object, metadata: { ...object.metadata, name } });
const ordered = (phase: string, message?: string): KubeObject => {
  const update = { id: ORDER.id, phase, ...(message === undefined ? {} : { message }) };
  return machine(0, { ...LARGE, update: ORDER }, { update }, phase !== 'Failed');
};
const THREE = [0, 1, 2].map((slot) => machine(slot));

async function call({
  edit,
  update,
  rules = RULES,
  machines = THREE,
  slots = [0, 1, 2],
  context = {},
  status,
}: Given): Promise<ReplyData> {
  const desired = slots.map((slot) => {
    const { status: _status, ...one } = machine(slot, edit);
    return [`slot-${slot}`, named(`m-${slot}-new`, one)] as const;
  });
  const request = aRequest({
    composite: aNodePool({
      spec: { replicas: 3, update: { maxUnavailable: 1, maxSurge: 0, ...update } },
      ...(status === undefined ? {} : { status }),
    }),
    observed: Object.fromEntries(machines.map((one) => [one.metadata?.name ?? '', one])),
    desired: Object.fromEntries(desired),
    desiredStatus: { phase: 'Running' },
    context,
    input: {
      apiVersion: 'fn.slipway.dev/v1alpha1',
      kind: 'InPlaceUpdateInput',
      rules,
      updaters: [{ name: 'resize', runsOn: 'Machine' }],
    },
  });
  return (await run(request, aWorld())).build();
}

const said = ({ conditions: all }: ReplyData, type = 'MachinesUpToDate'): string =>
  all.find((one) => one.type === type)?.message ?? '';
const phase = ({ status }: ReplyData): unknown => status['phase'];

const STATES: readonly (Given & { readonly name: string; readonly phase: string; readonly says: string })[] = [
  {
    name: 'no update in place, and replacement is not allowed',
    edit: IMAGE,
    update: { fallback: 'Hold' },
    phase: 'Held',
    says: 'm-0 (spec.machine.image): its change cannot be made in place (no rule allows a change in place) and update.fallback is Hold: revert the change, set update.fallback to Recreate, or delete the Machine to have it replaced',
  },
  {
    name: 'the same for two fields',
    edit: { ...IMAGE, version: 'v1.36.0' },
    update: { fallback: 'Hold' },
    phase: 'Held',
    says: 'm-0 (spec.machine.image, spec.version): 2 fields are held, the first because its change cannot be made in place (no rule allows a change in place) and update.fallback is Hold: revert the change, set update.fallback to Recreate, or delete the Machine to have it replaced',
  },
  {
    name: 'a rule that cannot be parsed',
    edit: IMAGE,
    rules: [{ path: 'spec.machine', when: 'new >', decision: 'Patch' }],
    phase: 'Held',
    says: 'm-0 (spec.machine.image): rules[0] cannot be evaluated: correct it in the Composition; UpdateRulesAccepted says what is wrong',
  },
  {
    name: 'a rule with a typo',
    edit: IMAGE,
    rules: [{ path: 'spec.machine.imgae', decision: 'Patch' }],
    phase: 'Held',
    says: 'm-0 (spec.machine.image): rules[0] is invalid and may apply to this field: correct it in the Composition; UpdateRulesAccepted says what is wrong',
  },
  {
    name: 'replaced by hand only',
    edit: IMAGE,
    update: { strategy: 'OnDelete' },
    phase: 'Held',
    says: 'm-0 (spec.machine.image): it is replaced when you delete it: update.strategy is OnDelete',
  },
  {
    name: 'an update that makes a machine unavailable where none may be unavailable',
    edit: LARGE,
    update: { maxUnavailable: 0, maxSurge: 1, fallback: 'Hold' },
    phase: 'Held',
    says: 'm-0 (spec.machine.class): its update makes it unavailable, update.maxUnavailable is 0 and update.fallback is Hold: raise update.maxUnavailable, or set update.fallback to Recreate',
  },
  {
    name: 'a failed update',
    edit: LARGE,
    machines: [ordered('Failed', 'not done within 1800s, while Draining'), machine(1, LARGE), machine(2, LARGE)],
    phase: 'Held',
    says: 'm-0 (spec.machine.class): its update failed: not done within 1800s, while Draining; change the field again, or delete the Machine to have it replaced',
  },
  {
    name: 'an update request that a user removed',
    edit: LARGE,
    machines: [machine(0, LARGE, { update: { id: 'abc', phase: 'Draining' } }), machine(1, LARGE), machine(2, LARGE)],
    phase: 'Held',
    says: 'm-0: its update failed: spec.update was removed before the update ended; change the field again, or delete the Machine to have it replaced',
  },
  {
    name: 'an update that waits for its turn',
    edit: LARGE,
    phase: 'RollingOut',
    says: 'm-1 (spec.machine.class): its update waits until more than 2 machines are ready: 2 are',
  },
  {
    name: 'an update that waits for a temporary replacement',
    edit: LARGE,
    update: { maxUnavailable: 0, maxSurge: 1 },
    phase: 'RollingOut',
    says: 'm-1 (spec.machine.class): its update waits until more than 3 machines are ready: 3 are',
  },
  {
    name: 'a temporary replacement',
    edit: LARGE,
    update: { maxUnavailable: 0, maxSurge: 1 },
    machines: [machine(0), named('m-0-new', machine(0, LARGE)), machine(1), machine(2)],
    phase: 'RollingOut',
    says: 'm-0 (spec.machine.class): temporary replacement while others are updated, deleted once they are',
  },
  {
    name: 'a machine whose replacement is not ready',
    edit: IMAGE,
    update: { maxUnavailable: 0, maxSurge: 1 },
    machines: [machine(0), named('m-0-new', machine(0, IMAGE, {}, false)), machine(1), machine(2)],
    phase: 'RollingOut',
    says: 'm-0 (spec.machine.image): it is kept until its replacement m-0-new is ready',
  },
  {
    name: 'a machine whose replacement has no room',
    edit: IMAGE,
    update: { maxUnavailable: 0, maxSurge: 1 },
    phase: 'RollingOut',
    says: 'm-1 (spec.machine.image): its replacement waits until one of 4 machines is deleted: at most 4 may exist, 1 more than replicas',
  },
  {
    name: 'a machine that is replaced but still needed',
    edit: IMAGE,
    update: { maxUnavailable: 0, maxSurge: 1 },
    machines: [
      machine(0),
      named('m-0-new', machine(0, IMAGE)),
      machine(1, IMAGE, {}, false),
      machine(2, IMAGE, {}, false),
    ],
    phase: 'RollingOut',
    says: 'm-0 (spec.machine.image): its replacement m-0-new is ready; it waits until more than 3 machines are ready: 2 are',
  },
];

describe('a machine that is left as it is', () => {
  test.for(STATES)(
    'reports what it waits for, and the pool reports it too: $name',
    async ({ says, phase: want, ...given }) => {
      const reply = await call(given);
      expect(said(reply)).toContain(says);
      expect(phase(reply)).toBe(want);
    },
  );

  it('waits for the machine whose update failed, by name, though only that one is called held', async () => {
    const reply = await call({ edit: LARGE, machines: [ordered('Failed', 'no capacity'), machine(1), machine(2)] });
    const reasons = JSON.stringify(reply.context[CONTEXT.updatePlan]);
    expect(phase(reply)).toBe('Held');
    expect(said(reply)).toMatch(/^m-0 .*no capacity; .*delete the Machine to have it replaced$/);
    expect(reasons).toContain('"blockedBy":"m-0"');
  });

  it('waits for room if it cannot be created yet', async () => {
    const reply = await call({
      edit: {},
      machines: [machine(0), machine(1)],
      context: { [CONTEXT.group]: { contract: 1, leaving: 1, quorum: false, unobserved: [], releases: [] } },
    });
    expect(JSON.stringify(reply.context[CONTEXT.updatePlan])).toContain(
      'it waits until one of 3 machines is deleted: at most 3 may exist, 0 more than replicas',
    );
  });

  it.for(STATES)('is reported with the name of the machine first and what helps last: $name', async (given) => {
    for (const line of said(await call(given))
      .split(/; (?=m-\d)/)
      .filter((one) => !one.endsWith(' begins'))) {
      expect(line).toMatch(/^m-\d(-new)? ?(\([^)]+\))?: /);
      expect(line).toMatch(
        /(deletes? |delete the|UpdateRulesAccepted|set update\.|waits? |until |allows |once |replaced$)/,
      );
    }
  });
});

describe('a pool with held machines', () => {
  const held: Given = { edit: IMAGE, update: { fallback: 'Hold' } };
  const after = (reply: ReplyData): JsonObject => ({ conditions: reply.conditions.map((one) => ({ ...one })) });
  const events = (reply: ReplyData): readonly string[] =>
    reply.events.map(({ severity, reason }) => `${severity} ${reason}`);

  it('reports that with one event when it begins, and one when it ends', async () => {
    const first = await call(held);
    const second = await call({ ...held, status: after(first) });
    const third = await call({ edit: {}, status: after(second) });
    const fourth = await call({ edit: {}, status: after(third) });
    expect([first, second, third, fourth].map(events)).toEqual([['Warning Held'], [], ['Normal NoLongerHeld'], []]);
    expect(first.events[0]?.message).toBe(said(first));
    expect([first, third].map(phase)).toEqual(['Held', 'Running']);
  });

  it('reports a failed update with one event, not two', async () => {
    const failed = await call({
      edit: LARGE,
      machines: [ordered('Failed', 'no capacity'), machine(1, LARGE), machine(2, LARGE)],
    });
    expect(events(failed)).toEqual(['Warning InPlaceUpdateFailed']);
    expect(failed.events[0]?.message).toContain('no capacity; change the field again, or delete the Machine');
  });

  it('has not ended its roll-out: no event says that every machine matches the claim', async () => {
    const rolling = { conditions: [{ type: 'RollingOut', status: 'True', reason: 'RollingOut' }] };
    expect(events(await call({ ...held, status: rolling }))).toEqual(['Warning Held']);
  });
});

describe('a roll-out', () => {
  it('is not over while a deleted machine has no replacement yet', async () => {
    const rolling = { conditions: [{ type: 'RollingOut', status: 'True', reason: 'RollingOut' }] };
    const machines = [machine(1, IMAGE), machine(2, IMAGE)];
    const reply = await call({ edit: IMAGE, machines, status: rolling });
    expect(reply.events).toEqual([]);
    expect(said(reply, 'RollingOut')).toBe('the last machines are being replaced');
  });
});

describe('a control plane, whose pool asks for one machine after another', () => {
  test.for([
    { machines: [], says: '3 still to be created', status: 'False' },
    { machines: [0], says: '2 still to be created', status: 'False' },
    { machines: [0, 1], says: '1 still to be created', status: 'False' },
    { machines: [0, 1, 2], says: '', status: 'True' },
  ])('is up to date once it has every machine of its claim: with $machines.length', async ({ machines, ...rest }) => {
    // The first is asked for at once, each other one when those before it are nodes.
    const slots = machines.length === 0 ? [0] : machines;
    const reply = await call({ edit: {}, machines: machines.map((slot) => machine(slot)), slots });
    const condition = reply.conditions.find(({ type }) => type === 'MachinesUpToDate');
    expect({ says: condition?.message ?? '', status: condition?.status }).toEqual(rest);
  });
});

describe('an update under way', () => {
  it('names its fields without values in the summary, because they have the new values already', async () => {
    const reply = await call({ edit: LARGE, machines: [ordered('Draining'), machine(1, LARGE), machine(2, LARGE)] });
    expect(reply.status['plan']).toMatchObject({ changes: ['Update spec.machine.class: m-0: update abc is Draining'] });
  });
});
