import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { isJsonObject, type Json, type JsonObject, type KubeObject } from '#lib/api/json.ts';
import { readMachineSpec } from '#lib/api/kinds/machine-spec.ts';
import { aMachine } from '../../test/support/claims.ts';
import { EVERY_PROVISIONING } from '../../test/support/everything.ts';
import { formatPath } from './change.ts';
import { changesBetween, leavesOf } from './diff.ts';
import { isFilledIn } from './filled.ts';

const instance = (forProvider: JsonObject, metadata: JsonObject = {}): KubeObject => ({
  apiVersion: 'ec2.aws.m.upbound.io/v1beta1',
  kind: 'Instance',
  metadata: { name: 'a', ...metadata },
  spec: { forProvider },
});
const paths = (old: KubeObject, now: KubeObject, ownership: 'Whole' | 'Desired'): readonly string[] =>
  changesBetween(old, now, ownership).map(({ path }) => formatPath(path));
const applied = (spec: JsonObject, operation = 'Apply', manager = 'apiextensions.crossplane.io/composed/0f') => ({
  managedFields: [
    { manager: 'upjet', operation: 'Update', fieldsV1: { 'f:spec': { 'f:forProvider': { 'f:ami': {} } } } },
    { manager, operation, fieldsV1: { 'f:spec': spec } },
  ],
});

/** Other values for some fields of an object, which are counted through all of its objects. Undefined: none. */
function withChanges(object: JsonObject, changes: readonly (readonly [number, Json | undefined])[]): JsonObject {
  const copy = structuredClone(object) as Record<string, Json | undefined>;
  const places: (readonly [Record<string, Json | undefined>, string])[] = [];
  const count = (inside: Record<string, Json | undefined>): void => {
    for (const [key, value] of Object.entries(inside)) {
      places.push([inside, key]);
      if (isJsonObject(value)) count(value);
    }
  };
  count(copy);
  for (const [at, value] of changes) {
    const [inside, key] = places[at % places.length]!;
    if (value === undefined) delete inside[key];
    else inside[key] = value;
  }
  return copy;
}

describe('fields that are only observed', () => {
  const late = { instanceType: 'a', monitoring: false, tags: { team: 'x' } };
  const wanted = { instanceType: 'a' };

  test.for([
    { ownership: 'Whole' as const, metadata: {}, want: ['spec.forProvider.monitoring', 'spec.forProvider.tags'] },
    { ownership: 'Desired' as const, metadata: {}, want: [] },
    {
      ownership: 'Desired' as const,
      metadata: applied({ 'f:forProvider': { 'f:instanceType': {}, 'f:tags': { 'f:team': {} } } }),
      want: ['spec.forProvider.tags'],
    },
    {
      ownership: 'Desired' as const,
      metadata: applied({ 'f:forProvider': { 'f:tags': {} } }, 'Update'),
      want: [],
    },
    {
      ownership: 'Desired' as const,
      metadata: applied({ 'f:forProvider': { 'f:tags': {} } }, 'Apply', 'kubectl'),
      want: [],
    },
  ])('count as removed only if we owned them: $ownership $want', ({ ownership, metadata, want }) => {
    expect(paths(instance(late, metadata), instance(wanted), ownership)).toEqual(want);
  });

  it('count as removed only for the keys that we own, in a map that others share', () => {
    const metadata = applied({ 'f:forProvider': { 'f:tags': { '.': {}, 'f:mine': {} } } });
    const old = instance({ tags: { mine: '1', theirs: '2' } }, metadata);
    expect(paths(old, instance({ tags: {} }), 'Desired')).toEqual(['spec.forProvider.tags.mine']);
  });
});

describe('what does not count as a change', () => {
  test.for([
    { name: 'an empty list where there was none', old: {}, now: { securityGroups: [] } },
    { name: 'an empty object where there was none', old: {}, now: { tags: {} } },
    { name: 'the order of keys', old: { a: '1', b: '2' }, now: { b: '2', a: '1' } },
  ])('$name', ({ old, now }) => {
    expect(paths(instance(old), instance(now), 'Whole')).toEqual([]);
  });

  it('a default that an older release did not write', () => {
    const { spec = {}, ...rest } = aMachine();
    const { drain: _drain, ...older } = spec;
    expect(paths({ ...rest, spec: older }, { ...rest, spec }, 'Whole')).toEqual([]);
  });

  test.for<{ readonly name: string; readonly filled: JsonObject; readonly want: readonly string[] }>([
    { name: 'defaults of the API server', filled: { provisioning: { commands: {} }, drain: {} }, want: [] },
    { name: 'a default in a default', filled: { drain: { podSelector: {}, timeout: '10m' } }, want: [] },
    {
      name: 'but not another value than the default',
      filled: { drain: { timeout: '11m' } },
      want: ['spec.drain.timeout'],
    },
    { name: 'but not a field without a default', filled: { rank: 1 }, want: ['spec.rank'] },
    { name: 'but not a field that every object inherits', filled: { constructor: {} }, want: [] },
  ])('$name', ({ filled, want }) => {
    const { spec = {}, ...rest } = aMachine({ spec: { provisioning: {} } });
    const { drain: _drain, ...bare } = spec;
    expect(paths({ ...rest, spec: { ...bare, ...filled } }, { ...rest, spec: bare }, 'Whole')).toEqual(want);
  });

  it('a spec that is filled in, and never one that its schema reads as another', () => {
    const { spec = {} } = aMachine();
    const full = readMachineSpec({ ...spec, provisioning: EVERY_PROVISIONING });
    const values = fc.constantFrom<Json | undefined>(undefined, {}, [], '10m', 0, false, null);
    fc.assert(
      fc.property(
        fc.array(fc.nat(), { maxLength: 8 }),
        fc.array(fc.tuple(fc.nat(), values), { maxLength: 2 }),
        (gone, changes) => {
          const least = withChanges(
            full,
            gone.map((at) => [at, undefined] as const),
          );
          const some = withChanges(full, changes);
          const isSame = isDeepStrictEqual(readMachineSpec(some), readMachineSpec(least));
          expect(isSame || !isFilledIn(some, least)).toBe(true);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('the update request of this step itself, and the machinery of Crossplane', () => {
    const { spec = {}, ...rest } = aMachine();
    const requested = { ...rest, spec: { ...spec, update: { id: 'x' }, crossplane: { resourceRefs: [] } } };
    expect(paths(requested, { ...rest, spec }, 'Whole')).toEqual([]);
  });

  it('labels and annotations of others', () => {
    const theirs = { labels: { theirs: '1' }, annotations: { 'crossplane.io/external-name': 'i-1' } };
    expect(paths(instance({}, theirs), instance({}), 'Whole')).toEqual([]);
  });

  it('any object and itself', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), (spec) => {
        expect(paths(instance(spec as JsonObject), instance(spec as JsonObject), 'Whole')).toEqual([]);
      }),
    );
  });
});

describe('the fields of a change', () => {
  test.for([
    {
      name: 'a list that grew changes the fields of its new items',
      change: { old: [{ key: 'a' }], new: [{ key: 'a' }, { key: 'b', effect: 'NoSchedule' }] },
      want: ['spec.x[1].effect', 'spec.x[1].key'],
    },
    {
      name: 'a new first item changes the items that it moves',
      change: { old: ['a'], new: ['b', 'a'] },
      want: ['spec.x[0]', 'spec.x[1]'],
    },
    {
      name: 'an object that was removed',
      change: { old: { servers: ['a'] }, new: undefined },
      want: ['spec.x.servers[0]'],
    },
    { name: 'a value', change: { old: 1, new: 2 }, want: ['spec.x'] },
    { name: 'an object instead of a value', change: { old: 1, new: { a: 2 } }, want: ['spec.x'] },
  ])('$name', ({ change, want }) => {
    expect(leavesOf({ path: ['spec', 'x'], ...change }).map(({ path }) => formatPath(path))).toEqual(want);
  });
});
