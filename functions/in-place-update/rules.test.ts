import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { UpdateClaim } from '#lib/api/contracts/update-claims.ts';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { aMachine, aNodePool } from '../../test/support/claims.ts';
import { Claims } from './claims.ts';
import { changesBetween } from './diff.ts';
import { InPlaceUpdateInput } from './input.ts';
import { rulebook } from './rulebook.ts';
import type { Decided } from './decision.ts';
import { decideAll, strongest } from './rules.ts';

interface World {
  readonly rules?: readonly JsonObject[];
  readonly input?: JsonObject;
  readonly claims?: readonly Partial<UpdateClaim>[];
  readonly fallback?: 'Recreate' | 'Hold';
  readonly old?: JsonObject;
  readonly now: JsonObject;
}

const UPDATERS = [
  { name: 'resize', runsOn: 'Machine' },
  { name: 'kubelet', runsOn: 'Node', disruptive: false },
];

const machine = (spec: JsonObject): KubeObject => {
  const { spec: base, ...rest } = aMachine();
  return { ...rest, spec: { ...base, ...spec } };
};
const instance = (ami: string): KubeObject => ({ apiVersion: 'x/v1', kind: 'Instance', spec: { ami } });
const inputOf = ({ rules = [], input = {} }: Pick<World, 'rules' | 'input'>): InPlaceUpdateInput =>
  InPlaceUpdateInput.parse({
    apiVersion: 'fn.slipway.dev/v1alpha1',
    kind: 'InPlaceUpdateInput',
    updaters: UPDATERS,
    rules,
    ...input,
  });
function decide(world: World): readonly Decided[] {
  const { claims = [], fallback = 'Recreate' } = world;
  const [observed, desired] = [machine(world.old ?? {}), machine(world.now)];
  const claim = { answer: 'Claimed' as const, disruptive: true, timeout: '30m', updater: 'acme', path: 'spec' };
  return decideAll(changesBetween(observed, desired, 'Whole'), {
    book: rulebook(inputOf(world)),
    claims: new Claims(claims.map((one) => ({ ...claim, ...one }))),
    fallback,
    observed,
    desired,
    composite: aNodePool(),
  });
}
const one = (world: World): Decided | undefined => decide(world)[0];

const disk = (sizeGiB: number) => ({ machine: { class: 'standard-4', rootDisk: { sizeGiB } } });
const size = (name: string) => ({ machine: { class: name } });

describe('the first rule that matches a field decides', () => {
  test.for([
    { name: 'the same field', rules: [{ path: 'spec.machine.class', decision: 'Patch' }], want: 'Patch' },
    { name: 'a prefix', rules: [{ path: 'spec.machine', decision: 'Ignore' }], want: 'Ignore' },
    {
      name: 'the first of two',
      rules: [
        { path: 'spec.machine.class', decision: 'Patch' },
        { path: 'spec.machine', decision: 'Ignore' },
      ],
      want: 'Patch',
    },
    { name: 'no match, so the default', rules: [{ path: 'spec.labels', decision: 'Patch' }], want: 'Recreate' },
    {
      name: 'one whose condition is true',
      rules: [
        { path: 'spec.machine.class', when: 'new == "m"', decision: 'Ignore' },
        { path: 'spec.machine.class', when: 'new == "standard-8" && old == "standard-4"', decision: 'Patch' },
      ],
      want: 'Patch',
    },
    {
      name: 'a condition over values nearby: the value at the path of the rule',
      rules: [{ path: 'spec.machine', when: 'new.class.startsWith("standard-")', decision: 'Patch' }],
      want: 'Patch',
    },
    {
      name: 'a condition over object and composite',
      rules: [
        {
          path: 'spec',
          when: 'resource.spec.role == "worker" && composite.kind == "NodePool"',
          decision: 'Patch',
        },
      ],
      want: 'Patch',
    },
  ])('$name', ({ rules, want }) => {
    expect(one({ rules, now: size('standard-8') })).toMatchObject({ decision: want });
  });

  it('allows a larger disk and not a smaller one', () => {
    const rules = [{ path: 'spec.machine.rootDisk.sizeGiB', when: 'new > old', decision: 'Patch' }];
    expect(one({ rules, old: disk(40), now: disk(80) })).toMatchObject({ decision: 'Patch', rule: 0 });
    expect(one({ rules, old: disk(80), now: disk(40) })).toMatchObject({
      decision: 'Recreate',
      rule: undefined,
      reason: 'no rule allows a change in place: a disk cannot shrink',
    });
  });

  it('uses the default decision', () => {
    expect(one({ input: { otherwise: 'Ignore' }, now: size('m') })).toMatchObject({
      decision: 'Ignore',
      reason: 'no rule is about this field; otherwise: Ignore',
    });
  });

  it('never replaces for a label or annotation of the object itself', () => {
    const old = machine({});
    const desired = { ...old, metadata: { ...old.metadata, annotations: { new: 'release' } } };
    const about = { observed: old, desired, composite: aNodePool(), fallback: 'Recreate' as const };
    const book = rulebook(inputOf({}));
    expect(decideAll(changesBetween(old, desired, 'Whole'), { ...about, book, claims: new Claims([]) })).toMatchObject([
      { decision: 'Patch' },
    ]);
  });
});

describe('a list that changed as a whole', () => {
  const taints = { taints: [{ key: 'a', value: '1', effect: 'NoSchedule' }] };
  const valueOnly = [{ path: 'spec.taints[*].value', decision: 'Patch' }];

  it('is not covered by a rule for one field of its items', () => {
    expect(one({ rules: valueOnly, now: taints })).toMatchObject({ decision: 'Recreate' });
    const all = [{ path: 'spec.taints', decision: 'Patch' }];
    expect(one({ rules: all, now: taints })).toMatchObject({ decision: 'Patch' });
  });

  it('is covered by the rule for any item when only that changed', () => {
    const now = { taints: [{ key: 'a', value: '2', effect: 'NoSchedule' }] };
    expect(one({ rules: valueOnly, old: taints, now })).toMatchObject({ decision: 'Patch', rule: 0 });
  });
});

describe('Update', () => {
  const resize = [{ path: 'spec.machine.class', decision: 'Update', updater: 'resize' }];
  const open = [{ path: 'spec.machine.class', decision: 'Update' }];
  const now = size('standard-8');

  it('names its updater', () => {
    expect(one({ rules: resize, now })).toMatchObject({
      decision: 'Update',
      updaters: [{ name: 'resize', runsOn: 'Machine', disruptive: true, timeout: '30m' }],
    });
  });

  test.for([
    { name: 'no function claims it', claims: [], why: 'no function claims it' },
    {
      name: 'the claiming function refuses',
      claims: [{ answer: 'Refused' as const, reason: 'no such size' }],
      why: 'acme refuses it: no such size',
    },
    {
      name: 'the claiming function failed',
      claims: [{ answer: 'Failed' as const }],
      why: 'acme could not answer for it',
    },
    { name: 'another machine is claimed', claims: [{ object: 'other' }], why: 'no function claims it' },
    { name: 'another field is claimed', claims: [{ path: 'spec.version' }], why: 'no function claims it' },
  ])('leads to the fallback when $name', ({ claims, why }) => {
    expect(one({ rules: open, claims, now })).toMatchObject({ decision: 'Recreate', rule: 0 });
    const held = one({ rules: open, claims, now, fallback: 'Hold' });
    expect(held).toMatchObject({ decision: 'Hold', blockedBy: 'update.fallback is Hold' });
    expect(held?.reason).toContain(why);
  });

  test.for([
    { name: 'a rule without updater', rules: open },
    { name: 'no rule at all', rules: [] },
  ])('is made from a claim when $name decides', ({ rules }) => {
    expect(one({ rules, claims: [{ path: 'spec.machine' }], now })).toMatchObject({
      decision: 'Update',
      updaters: [{ name: 'acme', runsOn: 'Claimant' }],
    });
  });

  it('is not made from a claim when a rule decides, because the Composition comes first', () => {
    const rules = [{ path: 'spec.machine', decision: 'Recreate' }];
    expect(one({ rules, claims: [{ path: 'spec.machine' }], now })).toMatchObject({ decision: 'Recreate', rule: 0 });
  });

  it('uses the second claim when the first refuses', () => {
    const claims = [{ answer: 'Refused' as const }, { updater: 'other' }];
    expect(one({ rules: open, claims, now })?.updaters).toMatchObject([{ name: 'other' }]);
  });

  it('may have several updaters: each field has its own, and one field without an updater decides for all', () => {
    const rules = [...resize, { path: 'spec.version', decision: 'Update', updater: 'kubelet' }];
    const claims = [{ path: 'spec.provisioning.sysctls' }];
    const both = { ...now, version: 'v1.35.5', provisioning: { sysctls: { a: '1' } } };
    const fields = decide({ rules, claims, now: both });
    expect(fields.flatMap(({ updaters }) => updaters.map(({ name }) => name)).toSorted()).toEqual([
      'acme',
      'kubelet',
      'resize',
    ]);
    expect(strongest(fields)).toBe('Update');
    const more = { ...both, provisioning: { sysctls: { a: '1' }, timezone: 'Europe/Zurich' } };
    expect(strongest(decide({ rules, claims, now: more }))).toBe('Recreate');
  });

  it('is for Machines only, because other kinds have no update request', () => {
    const [old, desired] = [instance('a'), instance('b')];
    const input = { select: { apiVersion: 'x/v1', kind: 'Instance' } };
    const rules = [{ path: 'spec.ami', decision: 'Update', updater: 'resize' }];
    const book = rulebook(inputOf({ rules, input }));
    const about = { observed: old, desired, composite: aNodePool(), fallback: 'Recreate' as const };
    const [field] = decideAll(changesBetween(old, desired, 'Whole'), { ...about, book, claims: new Claims([]) });
    expect(field?.reason).toBe('Instance cannot be updated in place; fallback: Recreate');
  });
});

describe('an invalid rule', () => {
  test.for([
    { name: 'a condition that cannot be parsed', rule: { path: 'spec.machine', when: 'new >', decision: 'Patch' } },
    { name: 'a condition that fails', rule: { path: 'spec.machine', when: 'new.nme == 1', decision: 'Recreate' } },
    {
      name: 'an unknown updater',
      rule: { path: 'spec.machine', decision: 'Update', updater: 'reszie' },
    },
    { name: 'a field that Machines do not have', rule: { path: 'spec.machine.clas', decision: 'Patch' } },
    { name: 'a field near the top', rule: { path: 'spec.mashine', decision: 'Patch' } },
  ])('holds the fields that it matches or may have been meant to match: $name', ({ rule }) => {
    const field = one({ rules: [{ path: 'spec.labels', decision: 'Patch' }, rule], now: size('standard-8') });
    expect(field).toMatchObject({ decision: 'Hold', rule: 1, blockedBy: 'rules[1]' });
  });

  it('holds no other field', () => {
    const rules = [
      { path: 'spec.machine.rootDsk', decision: 'Patch' },
      { path: 'spec.labels', decision: 'Patch' },
    ];
    const fields = decide({ rules, now: { labels: { a: 'b' }, version: 'v1.36.0' } });
    expect(fields.map(({ decision }) => decision)).toEqual(['Patch', 'Recreate']);
  });

  it('does not hold a patch that it may have been meant for, because a patch can be taken back', () => {
    const rules = [
      { path: 'spec.lables', decision: 'Recreate' },
      { path: 'spec.labels', decision: 'Patch' },
    ];
    expect(one({ rules, now: { labels: { a: 'b' } } })).toMatchObject({ decision: 'Patch' });
  });

  it('holds a field for which two rules differ, if the first one would replace', () => {
    const rules = [
      { path: 'spec.machine', decision: 'Recreate' },
      { path: 'spec.machine.class', decision: 'Patch' },
    ];
    expect(one({ rules, now: size('m') })).toMatchObject({ decision: 'Hold', blockedBy: 'rules[1]' });
    const other = { ...disk(80), machine: { ...disk(80).machine, rootDisk: { sizeGiB: 80 } } };
    expect(one({ rules, now: other })).toMatchObject({ decision: 'Recreate', rule: 0 });
  });
});

describe('errors are reported with their index', () => {
  test.for([
    {
      rules: [{ path: 'spec.lables', decision: 'Patch' }],
      want: ['rules[0] path: Machine has no field spec.lables; it has only spec'],
    },
    {
      rules: [
        { path: 'spec.labels', decision: 'Patch' },
        { path: 'spec.labels', decision: 'Patch' },
      ],
      want: ['rules[1] path: spec.labels is already decided by rules[0]; put the narrower rule first or remove one'],
    },
    {
      rules: [{ path: 'spec', when: 'nw', decision: 'Patch' }],
      want: ['rules[0] when: cannot be evaluated: Unknown variable: nw'],
    },
    {
      rules: [{ path: 'spec', decision: 'Patch', updater: 'resize' }],
      want: ['rules[0] updater: "resize" has no effect in a rule with decision Patch'],
    },
    {
      rules: [{ path: 'spec', decision: 'Update', updater: 'x' }],
      want: ['rules[0] updater: "x" is not accepted; accepted: kubelet, resize'],
    },
    {
      rules: [
        { path: 'spec.machine.class', when: 'new == "m"', decision: 'Patch' },
        { path: 'spec.machine.class', decision: 'Ignore' },
        { path: 'spec.machine', decision: 'Patch' },
      ],
      want: [],
    },
  ])('$want', ({ rules, want }) => {
    expect(rulebook(inputOf({ rules })).faults.map(({ at, message }) => `${at} ${message}`)).toEqual(want);
  });
});

it('no machine is ever replaced when every rule is broken, whatever is edited', () => {
  const broken = fc.constantFrom<JsonObject>(
    { path: 'spec', when: 'new >', decision: 'Recreate' },
    { path: 'spec', when: 'new.nothing.there', decision: 'Recreate' },
    { path: 'spec.nothing', decision: 'Recreate' },
    { path: 'spec', decision: 'Update', updater: 'nobody' },
  );
  const edit = fc.record({
    machine: fc.record({ class: fc.constantFrom('a', 'b') }),
    version: fc.constantFrom('v1.35.4', 'v1.36.0'),
    labels: fc.dictionary(fc.constantFrom('x', 'y'), fc.constantFrom('1', '2')),
  });
  fc.assert(
    fc.property(fc.array(broken, { minLength: 1, maxLength: 3 }), edit, (rules, now) => {
      expect(strongest(decide({ rules, now }))).not.toBe('Recreate');
    }),
  );
});
