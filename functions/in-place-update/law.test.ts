import { describe, expect, it } from 'vitest';
import type { Existing } from '#lib/fn/law.ts';
import { aMachine, conditions, withStatus } from '../../test/support/claims.ts';
import { InPlaceUpdateInput } from './input.ts';
import { lawOfGroup, type Limits } from './law.ts';

const INPUT = InPlaceUpdateInput.parse({ apiVersion: 'fn.slipway.dev/v1alpha1', kind: 'InPlaceUpdateInput' });
const DRAINING = { update: { id: 'o1', phase: 'Draining' } };

const machine = (name: string, ready: boolean, status = {}): Existing => ({
  key: name,
  object: withStatus(aMachine({ name }), { ...conditions(ready), nodeRef: { name }, ...status }),
});
const ready = (...names: readonly string[]): readonly Existing[] => names.map((name) => machine(name, true));
const unready = (...names: readonly string[]): readonly Existing[] => names.map((name) => machine(name, false));
const ordered = (existing: Existing): Existing => ({
  ...existing,
  object: {
    ...existing.object,
    spec: { ...existing.object.spec, update: { id: 'o1', disruptive: true } },
  },
});

function objection(
  gone: readonly Existing[],
  staying: readonly Existing[],
  limits: Partial<Limits['received'] & Limits['budget']> = {},
  paused = false,
) {
  const { replicas = 3, maxUnavailable = 1, quorum = false, leaving = 0, releases = [], unobserved = [] } = limits;
  const law = lawOfGroup(INPUT, {
    paused,
    budget: { replicas, maxUnavailable },
    received: { quorum, leaving, releases, unobserved },
  });
  return law.objection({ gone, staying, desired: new Map() });
}

describe('a response', () => {
  it('may remove as many ready machines as the budget allows', () => {
    expect(objection(ready('a'), ready('b', 'c'))).toBeUndefined();
    expect(objection(ready('a', 'b'), ready('c'))).toBe('only 1 ready machine would remain, required: 2');
    expect(objection(ready('a'), [...ready('b'), ordered(machine('c', true, DRAINING))])).toBe(
      'only 1 ready machine would remain, required: 2',
    );
  });

  it('may not remove more machines that are not ready, because they may become ready in a moment', () => {
    expect(objection(unready('a'), unready('b', 'c'))).toBeUndefined();
    expect(objection(unready('a', 'b', 'c'), [])).toBe('only 0 machines would remain, required: 2');
  });

  it('may remove all machines that were given up and are not ready', () => {
    const releases = ['a', 'b', 'c'].map((name) => ({ name, why: 'Unhealthy' as const, message: 'given up' }));
    expect(objection(unready('a', 'b', 'c'), [], { releases })).toBeUndefined();
    expect(objection(ready('a', 'b', 'c'), [], { releases })).toBe('only 0 ready machines would remain, required: 2');
  });

  it('may only remove what is surplus while the pool is paused, since scaling continues', () => {
    const release = (why: 'Surplus' | 'Unhealthy' | 'Lost') => [{ name: 'a', why, message: 'it goes' }];
    const paused = 'spec.paused is true';
    const four = ready('b', 'c', 'd');
    expect(objection(unready('a'), four, {}, true)).toBe(paused);
    expect(objection(unready('a'), four, { releases: release('Unhealthy') }, true)).toBe(paused);
    expect(objection(unready('a'), four, { releases: release('Lost') }, true)).toBe(paused);
    expect(objection(ready('a'), four, { releases: release('Surplus') }, true)).toBeUndefined();
    expect(objection(ready('a'), ready('b', 'c'), { releases: release('Surplus') }, true)).toBe(paused);
    expect(objection(ready('a', 'e'), four, { releases: release('Surplus') }, true)).toBe(paused);
    const bound = { releases: release('Surplus'), maxUnavailable: 0 };
    expect(objection(ready('a'), [...ready('b', 'c'), ...unready('d')], bound, true)).toBe(
      'only 2 ready machines would remain, required: 3',
    );
    expect(objection(ready('a'), four, { releases: release('Surplus'), quorum: true, leaving: 1 }, true)).toBe(
      'etcd members are removed one at a time',
    );
  });

  it('may remove one member of etcd at a time, and only while a majority remains', () => {
    const quorum = true;
    expect(objection(ready('a'), ready('b', 'c'), { quorum })).toBeUndefined();
    expect(objection(ready('a'), ready('b', 'c'), { quorum, leaving: 1 })).toBe(
      'etcd members are removed one at a time',
    );
    expect(objection(ready('a'), ready('b', 'c'), { quorum, unobserved: ['d'] })).toBe(
      'etcd members are removed one at a time',
    );
    expect(objection(ready('a'), [...ready('b'), ...unready('c')], { quorum, maxUnavailable: 3 })).toBe(
      'only 1 of 2 etcd members would be healthy, which is not a majority',
    );
    expect(objection(ready('a'), [], { quorum, maxUnavailable: 3 })).toBe(
      'only 0 of 0 etcd members would be healthy, which is not a majority',
    );
  });
});

describe('the step of a group', () => {
  it('checks all objects of its kind, in whatever version they are read and whatever their labels', () => {
    const { answersFor } = lawOfGroup(INPUT, {
      paused: false,
      budget: { replicas: 1, maxUnavailable: 0 },
      received: { quorum: false, leaving: 0, releases: [], unobserved: [] },
    });
    const { object } = machine('a', true);
    expect(answersFor({ key: 'a', object })).toBe(true);
    expect(answersFor({ key: 'a', object: { ...object, apiVersion: 'slipway.dev/v2' } })).toBe(true);
    expect(answersFor({ key: 'a', object: { ...object, kind: 'NodePool' } })).toBe(false);
  });
});
