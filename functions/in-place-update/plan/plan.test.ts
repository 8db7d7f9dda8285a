import { describe, expect, it, test } from 'vitest';
import { UpdateClaims } from '#lib/api/contracts/update-claims.ts';
import { UpdatePlan } from '#lib/api/contracts/update-plan.ts';
import { type Json, type JsonObject, type KubeObject, at } from '#lib/api/json.ts';
import { shown } from '#lib/api/shown.ts';
import { CONTEXT, LABEL } from '#lib/api/words.ts';
import type { ReplyData } from '#lib/fn/reply.ts';
import { aMachine, aNodePool, conditions, withStatus } from '../../../test/support/claims.ts';
import { aRequest, aWorld } from '../../../test/support/request.ts';
import { run } from '../fn.ts';
import { InPlaceUpdateInput } from '../input.ts';
import { planEntries } from './entries.ts';
import { slotPlans } from './plan.fixture.ts';

const RULES: readonly JsonObject[] = [
  { path: 'spec.labels', decision: 'Patch' },
  { path: 'spec.machine.class', decision: 'Update', updater: 'resize' },
];
const input = (more: JsonObject = {}): JsonObject => ({
  apiVersion: 'fn.slipway.dev/v1alpha1',
  kind: 'InPlaceUpdateInput',
  rules: RULES,
  updaters: [{ name: 'resize', runsOn: 'Machine' }],
  ...more,
});
const machine = (slot: number, spec: JsonObject = {}): KubeObject => {
  const base = aMachine();
  const name = `prod-general-${slot}-aaaaa`;
  const labels = { ...base.metadata?.labels, [LABEL.slot]: String(slot) };
  return withStatus(
    { ...base, metadata: { ...base.metadata, name, labels }, spec: { ...base.spec, ...spec } },
    conditions(true),
  );
};
interface Given {
  readonly edit: JsonObject;
  readonly count?: number;
  readonly update?: JsonObject;
  readonly more?: JsonObject;
  readonly context?: JsonObject;
  readonly status?: JsonObject;
}
async function call({ edit, count = 3, update = {}, more, context = {}, status = {} }: Given): Promise<ReplyData> {
  const machines = Array.from({ length: count }, (_, slot) => machine(slot));
  const desired = machines.map(({ status: _status, ...one }, slot) => [
    `slot-${slot}`,
    { ...one, metadata: { ...one.metadata, name: `prod-general-${slot}-bbbbb` }, spec: { ...one.spec, ...edit } },
  ]);
  const request = aRequest({
    composite: aNodePool({ spec: { replicas: count, update: { maxUnavailable: 1, ...update } }, status }),
    observed: Object.fromEntries(machines.map((one) => [one.metadata?.name ?? '', one])),
    desired: Object.fromEntries(desired) as Record<string, KubeObject>,
    context,
    input: input(more),
  });
  return (await run(request, aWorld())).build();
}
const plan = (reply: ReplyData): Json | undefined => reply.status['plan'];
const condition = (reply: ReplyData, type: string) => reply.conditions.find((one) => one.type === type);

describe('the status of a pool', () => {
  it('has no plan while nothing changes', async () => {
    expect(plan(await call({ edit: {} }))).toBeUndefined();
  });

  it('has one line for the same change of many machines', async () => {
    const reply = await call({ count: 40, edit: { machine: { class: 'standard-8' }, labels: { team: 'a' } } });
    await expect(`${JSON.stringify(plan(reply), undefined, 2)}\n`).toMatchFileSnapshot('golden/summary.json');
  });

  it('names the first few changes and how many more there are, however many machines', async () => {
    const labels = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`l${i}`, 'x'.repeat(63)]));
    const reply = await call({ count: 200, edit: { labels } });
    const changes = at(plan(reply), 'changes') as readonly string[];
    expect(changes).toHaveLength(6);
    expect(changes[5]).toBe('and 25 more');
    expect(JSON.stringify(plan(reply)).length).toBeLessThan(3500);
  });
});

describe('the plan as data', () => {
  it('contains what happens and why for each machine and field, always in the same order', async () => {
    const edit = { machine: { class: 'standard-8' }, labels: { team: 'a' }, version: 'v1.36.0' };
    const entries = planEntries(slotPlans({ edit, input: InPlaceUpdateInput.parse(input()) }));
    await expect(`${JSON.stringify(entries, undefined, 2)}\n`).toMatchFileSnapshot('golden/entries.json');
  });

  test.for([
    { name: 'a file', path: ['spec', 'provisioning', 'files', 0, 'content'], value: 'hunter2' },
    { name: 'all files', path: ['spec', 'provisioning', 'files'], value: [{ path: '/a', content: 'hunter2' }] },
    { name: 'a command', path: ['spec', 'provisioning', 'commands', 'pre', 0], value: 'echo hunter2' },
    { name: 'bootstrap settings', path: ['spec', 'bootstrap', 'config'], value: { certificateKey: 'hunter2' } },
    {
      name: 'deep settings',
      path: ['spec', 'bootstrap', 'config', 'nodeRegistration', 'password'],
      value: 'hunter2',
    },
  ])('never contains a secret: $name', ({ path, value }) => {
    expect(shown(value, path, aMachine())).not.toContain('hunter2');
    const next = { ...aMachine(), apiVersion: 'slipway.dev/v1beta1' };
    expect(shown(value, path, next), 'as another release writes it').not.toContain('hunter2');
  });

  it('shortens long values', () => {
    expect(shown('x'.repeat(500), ['spec', 'machine', 'image'], aMachine())).toHaveLength(80);
  });
});

describe('the whole plan in the pipeline context', () => {
  const planIn = (reply: ReplyData): UpdatePlan => UpdatePlan.parse(reply.context[CONTEXT.updatePlan]);

  it('contains the end state: machines that wait for their turn have their decision and what they wait for', async () => {
    const { changes } = planIn(await call({ edit: { version: 'v1.36.0' }, count: 40, update: { maxSurge: 1 } }));
    const fields = changes.filter(({ field }) => field === 'spec.version');
    expect(fields.map(({ decision }) => decision)).toEqual(fields.map(() => 'Recreate'));
    expect(fields.flatMap(({ machines }) => machines)).toHaveLength(40);
    expect(fields.map(({ machines, blockedBy }) => [machines.length, blockedBy])).toContainEqual([
      38,
      'update.maxSurge',
    ]);
  });

  it('contains the same change of many machines once, because a pool may have thousands', async () => {
    const { changes } = planIn(await call({ edit: { labels: { team: 'a' } }, count: 40 }));
    expect(changes).toHaveLength(1);
    expect(changes[0]).toMatchObject({ field: 'spec.labels.team', new: '"a"', decision: 'Patch', rule: 0 });
  });

  it('distinguishes a machine that needs a user to act from one that waits for its turn', async () => {
    const held = planIn(await call({ edit: { version: 'v1.36.0' }, update: { fallback: 'Hold' } })).changes;
    expect(held.map(({ decision, held }) => [decision, held])).toEqual([['Hold', true]]);
    const byHand = planIn(await call({ edit: { version: 'v1.36.0' }, update: { strategy: 'OnDelete' } })).changes;
    expect(byHand.map(({ decision, held }) => [decision, held])).toEqual([['Recreate', true]]);
  });

  it('is absent when nothing changes, so that it costs nothing for a settled pool', async () => {
    expect(Object.keys((await call({ edit: {} })).context)).not.toContain(CONTEXT.updatePlan);
    const kept = await call({
      edit: { bootstrap: { provider: 'kubeadm', action: 'Init' } },
      more: { rules: [...RULES, { path: 'spec.bootstrap.action', decision: 'Ignore' }] },
    });
    expect(Object.keys(kept.context)).not.toContain(CONTEXT.updatePlan);
  });

  it.for([
    { asked: CONTEXT.updatePlanIgnored, reason: 'under a key of its own' },
    { asked: CONTEXT.updatePlan, reason: 'as in the first releases' },
  ])('contains ignored changes when the caller asked for them $reason', async ({ asked }) => {
    const { changes } = planIn(
      await call({
        edit: { bootstrap: { provider: 'kubeadm', action: 'Init' } },
        more: { rules: [...RULES, { path: 'spec.bootstrap.action', decision: 'Ignore' }] },
        context: { [asked]: true },
      }),
    );
    expect(changes).toMatchObject([{ field: 'spec.bootstrap.action', decision: 'Ignore' }]);
  });
});

describe('machines that the step before keeps unchanged, because their pool is paused', () => {
  it('cause no event: their status stays, and they are not called up to date', async () => {
    const kept = [0, 1].map((slot) => machine(slot));
    const byName = Object.fromEntries(kept.map((one) => [one.metadata?.name ?? '', one]));
    const conditions = [
      { type: 'RollingOut', status: 'True', reason: 'RollingOut' },
      { type: 'MachinesUpToDate', status: 'False', reason: 'RollingOut' },
    ];
    const composite = aNodePool({ spec: { replicas: 2, paused: true }, status: { conditions, upToDateReplicas: 1 } });
    const reply = await run(aRequest({ composite, observed: byName, desired: byName, input: input() }), aWorld());
    const { conditions: said, events, status, resources } = reply.build();
    expect([said, events, status]).toEqual([[], [], {}]);
    expect([...resources.keys()]).toEqual(Object.keys(byName));
  });
});

describe('an update in place', () => {
  const edit = { machine: { class: 'standard-8' } };

  it('is requested together with the new fields, within the budget', async () => {
    const reply = await call({ edit, more: {} });
    const ordered = [...reply.resources.values()].filter(
      ({ resource }) => at(resource, 'spec', 'update') !== undefined,
    );
    expect(ordered).toHaveLength(1);
    expect(ordered[0]?.resource.spec).toMatchObject({
      machine: { class: 'standard-8' },
      update: {
        id: expect.stringMatching(/^[a-z0-9]{10}$/) as string,
        disruptive: true,
        updaters: [
          { name: 'resize', runsOn: 'Machine', disruptive: true, timeout: '30m', fields: ['spec.machine.class'] },
        ],
      },
    });
    expect([...reply.resources.keys()]).toEqual([
      'prod-general-0-aaaaa',
      'prod-general-1-aaaaa',
      'prod-general-2-aaaaa',
    ]);
    expect(condition(reply, 'Updating')).toMatchObject({ status: 'True', reason: 'InPlaceUpdating' });
    expect(reply.compositeReady).toBe('False');
  });

  it('is done by the function that claims it, field by field', async () => {
    const claims = { contract: 1, claims: [{ updater: 'acme', path: 'spec.provisioning.sysctls', disruptive: false }] };
    expect(UpdateClaims.safeParse(claims).success).toBe(true);
    const reply = await call({
      edit: { ...edit, provisioning: { sysctls: { 'vm.max_map_count': '1' } } },
      context: { [CONTEXT.updateClaims]: claims },
    });
    const order = [...reply.resources.values()].map(({ resource }) => at(resource, 'spec', 'update')).find(Boolean);
    expect((at(order, 'updaters') as readonly JsonObject[]).map(({ name }) => name)).toEqual(['acme', 'resize']);
    expect(at(order, 'disruptive')).toBe(true);
  });

  it('stops the call if its claim breaks the contract, so that no machine is replaced because of it', async () => {
    const context = { [CONTEXT.updateClaims]: { contract: 1, claims: [{ updater: 'acme' }] } };
    await expect(call({ edit, context })).rejects.toMatchObject({ code: 'BrokenContract' });
  });

  it('waits when no machine may be unavailable and none may be replaced, and reports that', async () => {
    const reply = await call({ edit, update: { maxUnavailable: 0, maxSurge: 1, fallback: 'Hold' } });
    expect(condition(reply, 'MachinesUpToDate')).toMatchObject({ reason: 'Held' });
    expect(condition(reply, 'MachinesUpToDate')?.message).toContain('maxUnavailable is 0');
    expect(reply.resources.size).toBe(3);
  });
});

describe('an invalid rule', () => {
  const more = { rules: [{ path: 'spec.mashine', decision: 'Patch' }, ...RULES] };

  it('is reported with its index, holds the machines it may affect, and does not stop the rest', async () => {
    const reply = await call({ edit: { version: 'v1.36.0', labels: { team: 'a' } }, more });
    expect(condition(reply, 'UpdateRulesAccepted')).toEqual({
      type: 'UpdateRulesAccepted',
      status: 'False',
      reason: 'InvalidRule',
      message:
        'rules[0].path: Machine has no field spec.mashine; it has only spec; changes that these rules may decide are held',
    });
    expect(reply.events).toContainEqual(expect.objectContaining({ severity: 'Warning', reason: 'InvalidRule' }));
    expect(condition(reply, 'MachinesUpToDate')?.message).toContain('spec.version');
    const specs = [...reply.resources.values()].map(({ resource }) => resource.spec);
    expect(specs.map((spec) => at(spec, 'labels', 'team'))).toEqual(['a', 'a', 'a']);
    expect(specs.map((spec) => at(spec, 'version'))).toEqual(['v1.35.4', 'v1.35.4', 'v1.35.4']);
  });

  it('is reported with one event, and cleared when it is corrected', async () => {
    const first = await call({ edit: {}, more });
    const conditions = first.conditions.map((one) => ({ ...one }));
    const second = await call({ edit: {}, more, status: { conditions } });
    expect(second.events.filter(({ reason }) => reason === 'InvalidRule')).toEqual([]);
    const mended = await call({ edit: {}, status: { conditions } });
    expect(condition(mended, 'UpdateRulesAccepted')).toMatchObject({ status: 'True' });
  });
});
