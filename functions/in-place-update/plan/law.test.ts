/**
 * The law of a group: whatever is observed, desired and released, and in whatever version, one call removes no more
 * ready machines than the budget allows, and at most one etcd member.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { CONTEXT, LABEL } from '#lib/api/words.ts';
import { aMachine, aNodePool, conditions, withStatus } from '../../../test/support/claims.ts';
import { aRequest, aWorld } from '../../../test/support/request.ts';
import { run } from '../fn.ts';
import { InPlaceUpdateInput } from '../input.ts';
import { planEntries } from './entries.ts';
import { planOf } from './plan.ts';

const INPUT = {
  apiVersion: 'fn.slipway.dev/v1alpha1',
  kind: 'InPlaceUpdateInput',
  rules: [
    { path: 'spec.labels', decision: 'Patch' },
    { path: 'spec.machine.class', decision: 'Update', updater: 'resize' },
  ],
  updaters: [{ name: 'resize', runsOn: 'Machine' }],
};

const READ = InPlaceUpdateInput.parse(INPUT);

const aMember = fc.record({
  slot: fc.nat({ max: 7 }),
  ready: fc.boolean(),
  isNode: fc.boolean(),
  /** The parts of a generated case. */
  spec: fc.constantFrom<JsonObject>(
    { machine: { class: 'standard-4' } },
    { machine: { class: 'standard-8' } },
    { machine: { class: 'standard-4', image: 'old' } },
  ),
  order: fc.constantFrom(undefined, 'Pending', 'Draining', 'Succeeded', 'Failed'),
  apiVersion: fc.constantFrom('slipway.dev/v1alpha1', 'slipway.dev/v1beta1'),
  seen: fc.boolean(),
  why: fc.constantFrom(undefined, undefined, 'Lost', 'Unhealthy', 'Surplus'),
});

const aGroup = fc.record({
  members: fc.array(aMember, { maxLength: 9 }),
  wanted: fc.uniqueArray(fc.nat({ max: 9 }), { maxLength: 8 }),
  replicas: fc.nat({ max: 8 }),
  quorum: fc.boolean(),
  leaving: fc.nat({ max: 2 }),
  maxSurge: fc.nat({ max: 3 }),
  maxUnavailable: fc.nat({ max: 3 }),
  edit: fc.constantFrom<JsonObject>(
    { class: 'standard-4' },
    { class: 'standard-8' },
    { class: 'standard-4', image: 'new' },
  ),
  stopped: fc.boolean(),
});

type Group = (typeof aGroup extends fc.Arbitrary<infer T> ? T : never) & object;

/** The API refuses others. */
function allowsProgress({ maxSurge, maxUnavailable }: Group): boolean {
  return maxSurge + maxUnavailable > 0;
}

function machineOf(member: Group['members'][number], index: number): KubeObject {
  const base = aMachine();
  const name = `m-${index}`;
  const update = {
    id: 'o1',
    disruptive: true,
    updaters: [{ name: 'resize', runsOn: 'Machine', disruptive: true, timeout: '30m', fields: ['spec.machine.class'] }],
  };
  return withStatus(
    {
      ...base,
      apiVersion: member.apiVersion,
      metadata: { ...base.metadata, name, uid: name, labels: { [LABEL.slot]: String(member.slot) } },
      spec: { ...base.spec, ...member.spec, ...(member.order === undefined ? {} : { update }) },
    },
    {
      ...conditions(member.ready),
      ...(member.isNode ? { nodeRef: { name } } : {}),
      ...(member.order === undefined ? {} : { update: { id: 'o1', phase: member.order } }),
    },
  );
}

function requestOf(group: Group, members: readonly { readonly object: KubeObject; readonly seen: boolean }[]) {
  const { wanted, replicas, quorum, leaving, maxSurge, maxUnavailable, edit } = group;
  const slots = wanted.map((slot): [string, KubeObject] => {
    const base = aMachine();
    const metadata = { ...base.metadata, name: `new-${slot}`, labels: { [LABEL.slot]: String(slot) } };
    return [`slot-${slot}`, { ...base, metadata, spec: { ...base.spec, machine: edit } }];
  });
  const unseen = members
    .filter(({ seen }) => !seen)
    .map(({ object }): [string, KubeObject] => [nameOf(object), object]);
  const releases = group.members.flatMap(({ why }, index) =>
    why === undefined ? [] : [{ name: `m-${index}`, why, message: 'it is released' }],
  );
  const received = {
    contract: 1,
    leaving,
    quorum,
    unobserved: unseen.map(([name]) => name),
    releases,
    ...(group.stopped ? { stopped: { slots: ['0'], message: 'new machines fail' } } : {}),
  };
  return aRequest({
    composite: aNodePool({ spec: { replicas, update: { maxSurge, maxUnavailable } } }),
    observed: Object.fromEntries(members.filter(({ seen }) => seen).map(({ object }) => [nameOf(object), object])),
    desired: Object.fromEntries([...slots, ...unseen]),
    context: { [CONTEXT.group]: received },
    input: INPUT,
  });
}

const nameOf = ({ metadata }: KubeObject): string => metadata?.name ?? '';

test('no call removes more machines than the budget allows, for whatever reason', async () => {
  let taken = 0;
  await fc.assert(
    fc.asyncProperty(aGroup.filter(allowsProgress), async (group) => {
      const members = group.members.map((member, index) => ({ ...member, object: machineOf(member, index) }));
      const reply = (await run(requestOf(group, members), aWorld())).build();
      const isOpen = ({ order }: { readonly order: string | undefined }): boolean =>
        order === 'Pending' || order === 'Draining';
      const serves = members.filter((one) => one.ready && !isOpen(one));
      const gone = members.filter(({ object }) => !reply.resources.has(nameOf(object)));
      const stopped = members.filter(({ object }) => {
        const given = reply.resources.get(nameOf(object))?.resource.spec?.['update'] as JsonObject | undefined;
        const before = object.spec?.['update'] as JsonObject | undefined;
        return given !== undefined && given['id'] !== before?.['id'] && given['disruptive'] === true;
      });
      taken += gone.length + stopped.length;
      const lost = serves.filter((one) => gone.includes(one) || stopped.includes(one)).length;
      const slots = group.wanted.length;
      const most = Math.max(group.replicas, slots);
      const atLeast = Math.max(0, most - group.maxUnavailable);
      expect(lost).toBeLessThanOrEqual(Math.max(0, serves.length - atLeast));
      const made = [...reply.resources.keys()].filter((key) => key.startsWith('new-')).length;
      const total = members.length + group.leaving + made;
      expect(made === 0 || total <= most + group.maxSurge, `${total} machines`).toBe(true);
      expect(
        gone.filter(({ seen }) => !seen),
        'a machine that is not observed cannot be removed',
      ).toEqual([]);
      const steps = gone.length + stopped.length + made;
      const voters = members.filter(({ isNode }) => isNode);
      const left = voters.filter((one) => !gone.includes(one));
      const able = left.filter((one) => serves.includes(one) && !stopped.includes(one));
      const touched = left.length < voters.length || stopped.length > 0;
      expect(!group.quorum || steps <= (group.leaving > 0 ? 0 : 1), 'one step at a time').toBe(true);
      expect(!group.quorum || !touched || able.length > left.length / 2, 'the majority remains').toBe(true);
    }),
    { numRuns: 3000 },
  );
  expect(taken, 'some machines were removed, otherwise this test proves nothing').toBeGreaterThan(500);
});

/** Machines of which none is up to date, and perhaps a second one in a slot. */
const aRollOut = aGroup.filter(allowsProgress).map((group): Group => {
  const members = group.members.map((member) => ({ ...member, seen: true, why: undefined, order: undefined }));
  return { ...group, members, wanted: [...new Set(members.map(({ slot }) => slot))], stopped: false };
});

const entriesOf = (group: Group) => {
  const members = group.members.map((member, index) => ({ ...member, object: machineOf(member, index) }));
  return planEntries(planOf(requestOf(group, members), READ, aWorld().now).steps);
};

test('a machine whose replacement is created by a call waits for nothing, whatever the budget is', () => {
  let made = 0;
  fc.assert(
    fc.property(aRollOut, (group) => {
      const entries = entriesOf(group);
      const replaced = new Set(entries.flatMap(({ succeeds }) => succeeds ?? []));
      made += replaced.size;
      const waiting = entries.filter(({ machine, blockedBy }) => replaced.has(machine) && blockedBy !== undefined);
      expect(waiting).toEqual([]);
    }),
    { numRuns: 1000 },
  );
  expect(made, 'some machines were replaced, otherwise this test proves nothing').toBeGreaterThan(100);
});

test('of the machines of a slot, one is replaced; what is said of another is that it is deleted', () => {
  let others = 0;
  fc.assert(
    fc.property(aRollOut, (group) => {
      const entries = entriesOf({ ...group, edit: { class: 'standard-4', image: 'new' } });
      const ofSlot = Map.groupBy(entries, ({ machine }) => group.members[Number(machine.slice(2))]?.slot);
      for (const lines of ofSlot.values()) {
        const replaced = new Set(lines.filter(({ field }) => field !== '').map(({ machine }) => machine));
        expect(replaced.size).toBeLessThanOrEqual(1);
        others += lines.filter(({ decision, machine }) => decision === 'Drop' && !replaced.has(machine)).length;
      }
    }),
    { numRuns: 1000 },
  );
  expect(others, 'some machines were only deleted, otherwise this test proves nothing').toBeGreaterThan(100);
});
