import { describe, expect, it, test } from 'vitest';
import type { JsonObject } from '#lib/api/json.ts';
import { decision } from './shipped.fixture.ts';

const XLARGE: JsonObject = { size: { instanceType: 'm6i.xlarge', classes: ['standard-4', 'general-4', 'm6i.xlarge'] } };
const size = (machine: JsonObject): JsonObject => ({ machine });
const order = (id: string): JsonObject => ({ update: { id, disruptive: true, updaters: [] } });

describe('another way to state the same size', () => {
  test.for([
    {
      name: 'a class instead of the type it maps to',
      old: { class: 'standard-4' },
      now: { instanceType: 'm6i.xlarge' },
    },
    {
      name: 'a type instead of a class that maps to it',
      old: { instanceType: 'm6i.xlarge' },
      now: { class: 'standard-4' },
    },
    {
      name: 'a class instead of another one of the same type',
      old: { class: 'standard-4' },
      now: { class: 'general-4' },
    },
    {
      name: 'a class instead of a class that is not mapped any more',
      old: { class: 'standard-4' },
      now: { class: 'm6i.xlarge' },
    },
    {
      name: 'a class that is not mapped any more instead of the type',
      old: { class: 'm6i.xlarge' },
      now: { instanceType: 'm6i.xlarge' },
    },
    { name: 'a class that maps to another type by now', old: { class: 'small' }, now: { instanceType: 'm6i.xlarge' } },
  ])('is written to the machine, and nothing else happens: $name', ({ old, now }) => {
    expect(decision({ old: size(old), now: size(now), status: XLARGE })).toBe('Patch');
  });

  it('does not hide other changes', () => {
    const old = { ...size({ class: 'standard-4' }), version: 'v1.34.4' };
    expect(
      decision({ old, now: { ...size({ instanceType: 'm6i.xlarge' }), version: 'v1.35.4' }, status: XLARGE }),
    ).toBe('Recreate');
  });
});

describe('another size', () => {
  test.for([
    { name: 'a larger class', now: { class: 'standard-8' }, status: XLARGE },
    { name: 'a larger type', now: { instanceType: 'm6i.2xlarge' }, status: XLARGE },
    { name: 'a type with the name of a class', now: { instanceType: 'standard-4' }, status: XLARGE },
    { name: 'the cloud does not report the type of the machine', now: { instanceType: 'm6i.xlarge' }, status: {} },
    {
      name: 'a type that the machine does not have any more',
      now: { instanceType: 'm6i.xlarge' },
      status: { size: { instanceType: 'm7i.xlarge', classes: ['standard-4'] } },
    },
  ])('is an update that stops the machine: $name', ({ now, status }) => {
    expect(decision({ old: size({ class: 'standard-4' }), now: size(now), status })).toBe('Update');
  });

  test.for([
    { name: 'not started', update: undefined, want: 'Update' },
    { name: 'in progress', update: { id: 'u1', phase: 'Draining' }, want: 'Update' },
    { name: 'the end of an earlier one', update: { id: 'u0', phase: 'Succeeded' }, want: 'Update' },
    { name: 'done', update: { id: 'u1', phase: 'Succeeded' }, want: 'Patch' },
    { name: 'failed, with the machine unchanged', update: { id: 'u1', phase: 'Failed' }, want: 'Patch' },
  ])('may still result from an update request: $name', ({ update, want }) => {
    const status = { ...XLARGE, ...(update === undefined ? {} : { update }) };
    const old = { ...size({ class: 'standard-8' }), ...order('u1') };
    expect(decision({ old, now: size({ instanceType: 'm6i.xlarge' }), status })).toBe(want);
  });
});
