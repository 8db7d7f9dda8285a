import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { Json, JsonObject } from '#lib/api/json.ts';
import { AWS_FIELDS } from '#clouds/aws/fields.ts';
import { CLOUD_FIELDS } from '#clouds/fields.ts';
import { stopping } from '#lib/cloud/fields.ts';
import { readExtract } from './files.ts';
import { liveComplaints, liveOverrides } from './overrides.ts';
import { decision } from './shipped.fixture.ts';

const mutability = readExtract('aws');

const instance = (forProvider: JsonObject, rest: JsonObject = {}): JsonObject => ({
  kind: 'Instance',
  patch: { spec: { forProvider } },
  ...rest,
});
const tag = (value: string): JsonObject => instance({ tags: { team: value } });
const AMI = instance({ ami: 'ami-1' });
const decided = (old: readonly JsonObject[], now: readonly JsonObject[]) =>
  decision({ old: { infrastructure: { overrides: old } }, now: { infrastructure: { overrides: now } } });

describe('an override that the cloud applies to a running machine', () => {
  test.for([
    { name: 'a first override is added', old: [], now: [tag('a')] },
    { name: 'the override changes', old: [tag('a')], now: [tag('b')] },
    { name: 'the override is removed', old: [tag('a')], now: [] },
    { name: 'one is added before another that stays', old: [AMI], now: [tag('a'), AMI] },
    { name: 'one moves behind another that stays', old: [tag('a'), AMI], now: [AMI, tag('a')] },
    { name: 'two are merged into one', old: [tag('a'), tag('b')], now: [tag('b')] },
    { name: 'security groups', old: [], now: [instance({ vpcSecurityGroupIds: ['sg-1', 'sg-2'] })] },
    { name: 'security groups are removed', old: [instance({ vpcSecurityGroupIds: ['sg-1'] })], now: [] },
    { name: 'a field of a block', old: [], now: [instance({ metadataOptions: { httpTokens: 'optional' } })] },
    { name: 'a field that the cloud keeps is added', old: [], now: [instance({ monitoring: true })] },
    {
      name: 'a field that the cloud keeps changes',
      old: [instance({ monitoring: true })],
      now: [instance({ monitoring: false })],
    },
    { name: 'a tag that the machine has is removed', old: [], now: [instance({ tags: { Name: null } })] },
    { name: 'the resource is named', old: [], now: [instance({ tags: { a: 'b' } }, { resource: 'instance' })] },
  ])('is patched: $name', ({ old, now }) => {
    expect(decided(old, now)).toBe('Patch');
  });
});

describe('every other override', () => {
  test.for([
    { name: 'a field that the provider refuses to change', old: [], now: [AMI] },
    { name: 'a field that stops the machine', old: [], now: [instance({ instanceType: 'm6i.large' })] },
    { name: 'such a field beside a tag', old: [tag('a')], now: [instance({ tags: { team: 'a' }, ami: 'ami-1' })] },
    { name: 'one of several is removed', old: [tag('a'), AMI], now: [tag('a')] },
    { name: 'two change places', old: [AMI, instance({ ami: 'ami-2' })], now: [instance({ ami: 'ami-2' }), AMI] },
    { name: 'a block with a field that is not live', old: [], now: [instance({ metadataOptions: { x: 'y' } })] },
    { name: 'a field that the cloud keeps is removed', old: [instance({ monitoring: true })], now: [] },
    { name: 'the field is removed from one of two', old: [instance({ monitoring: true }), tag('a')], now: [tag('a')] },
    { name: 'a field is removed', old: [], now: [instance({ tags: null })] },
    { name: 'a list is left to the cloud', old: [], now: [instance({ vpcSecurityGroupIds: [] })] },
    {
      name: 'a field that only counts at the first boot',
      old: [],
      now: [{ kind: 'Instance', patch: { spec: { initProvider: { tags: {} } } } }],
    },
    { name: 'the object itself', old: [], now: [{ kind: 'Instance', patch: { metadata: { labels: { a: 'b' } } } }] },
    {
      name: 'another kind',
      old: [],
      now: [{ kind: 'SecretVersion', patch: { spec: { forProvider: { tags: { a: 'b' } } } } }],
    },
    { name: 'a name that matches by a pattern', old: [], now: [instance({ tags: { a: 'b' } }, { resource: 'inst*' })] },
  ])('needs a new machine: $name', ({ old, now }) => {
    expect(decided(old, now)).toBe('Recreate');
  });

  it('needs a new machine for each field that the provider refuses to change, or that stops the machine', () => {
    const fields = [...(mutability[AWS_FIELDS.kind]?.refused ?? []), ...stopping(AWS_FIELDS)].map(
      (path) => path.split(/\[\]|\./)[0] ?? '',
    );
    for (const field of fields)
      expect(decided([tag('a')], [tag('a'), instance({ [field]: 'x' })]), field).toBe('Recreate');
  });
});

describe('two lists of overrides', () => {
  const scalar = fc.constantFrom<Json>('x', 'y', true);
  const item = fc.oneof(
    fc.record({ team: scalar }).map((tags) => instance({ tags })),
    scalar.map((monitoring) => instance({ monitoring })),
    scalar.map((ami) => instance({ ami })),
    fc.tuple(scalar, scalar).map(([ami, team]) => instance({ ami, tags: { team } })),
  );
  /** The machine after all overrides: a later one has priority. */
  const outcome = (list: readonly JsonObject[], field: string): unknown =>
    list.reduce<unknown>((last, { patch }) => {
      const given = (patch as { spec: { forProvider: JsonObject } }).spec.forProvider;
      return given[field] ?? last;
    }, undefined);

  it('are patched only if the image stays the same, and the cloud gets the same fields that it keeps', () => {
    fc.assert(
      fc.property(fc.array(item, { maxLength: 4 }), fc.array(item, { maxLength: 4 }), (old, now) => {
        const isKept = outcome(old, 'monitoring') === undefined || outcome(now, 'monitoring') !== undefined;
        return decided(old, now) !== 'Patch' || (isKept && outcome(now, 'ami') === outcome(old, 'ami'));
      }),
    );
  });
});

describe('the live fields of a cloud', () => {
  test.for(Object.entries(CLOUD_FIELDS))('are changed by its provider on a running machine: %s', ([name, cloud]) => {
    expect(liveComplaints(cloud, readExtract(name))).toEqual([]);
  });

  test.for([
    { field: 'ami', why: 'ami: the provider refuses to change it' },
    { field: 'rootBlockDevice', why: 'rootBlockDevice: the provider refuses to change it' },
    { field: 'instanceType', why: 'instanceType: its change stops the machine' },
    { field: 'colour', why: 'colour: the provider does not know it' },
  ])('may not include $field', ({ field, why }) => {
    const cloud = { ...AWS_FIELDS, live: { resource: 'instance', returning: [field], lasting: [] } };
    expect(liveComplaints(cloud, mutability)).toEqual([why]);
  });

  it('give no rule if there are none', () => {
    const { live: _live, ...without } = AWS_FIELDS;
    expect(liveOverrides(without)).toBeUndefined();
  });
});
