import { describe, expect, it, test } from 'vitest';
import type { JsonObject } from '#lib/api/json.ts';
import { decision } from './shipped.fixture.ts';

const XLARGE: JsonObject = { size: { instanceType: 'm6i.xlarge', classes: ['standard-4', 'general-4', 'm6i.xlarge'] } };
const size = (machine: JsonObject): JsonObject => ({ machine });
const order = (id: string): JsonObject => ({ update: { id, disruptive: true, updaters: [] } });

describe('other words for the size that a machine has', () => {
  test.for([
    { name: 'a class by the type it maps to', old: { class: 'standard-4' }, now: { instanceType: 'm6i.xlarge' } },
    { name: 'a type by a class that maps to it', old: { instanceType: 'm6i.xlarge' }, now: { class: 'standard-4' } },
    { name: 'a class by another one of the same type', old: { class: 'standard-4' }, now: { class: 'general-4' } },
    { name: 'a class by a class nobody maps', old: { class: 'standard-4' }, now: { class: 'm6i.xlarge' } },
    { name: 'a class nobody maps by the type', old: { class: 'm6i.xlarge' }, now: { instanceType: 'm6i.xlarge' } },
    { name: 'a class that means another type by now', old: { class: 'small' }, now: { instanceType: 'm6i.xlarge' } },
  ])('are written to it, and nothing else happens: $name', ({ old, now }) => {
    expect(decision({ old: size(old), now: size(now), status: XLARGE })).toBe('Patch');
  });

  it('do not hide what else changes', () => {
    const old = { ...size({ class: 'standard-4' }), version: 'v1.34.4' };
    expect(
      decision({ old, now: { ...size({ instanceType: 'm6i.xlarge' }), version: 'v1.35.4' }, status: XLARGE }),
    ).toBe('Recreate');
  });
});

describe('words for another size', () => {
  test.for([
    { name: 'a larger class', now: { class: 'standard-8' }, status: XLARGE },
    { name: 'a larger type', now: { instanceType: 'm6i.2xlarge' }, status: XLARGE },
    { name: 'a type called like a class', now: { instanceType: 'standard-4' }, status: XLARGE },
    { name: 'the cloud does not say what the machine is', now: { instanceType: 'm6i.xlarge' }, status: {} },
    {
      name: 'a type that the machine does not have any more',
      now: { instanceType: 'm6i.xlarge' },
      status: { size: { instanceType: 'm7i.xlarge', classes: ['standard-4'] } },
    },
  ])('are an update that stops the machine: $name', ({ now, status }) => {
    expect(decision({ old: size({ class: 'standard-4' }), now: size(now), status })).toBe('Update');
  });

  test.for([
    { name: 'not begun', update: undefined, want: 'Update' },
    { name: 'under way', update: { id: 'u1', phase: 'Draining' }, want: 'Update' },
    { name: 'the end of an earlier one', update: { id: 'u0', phase: 'Succeeded' }, want: 'Update' },
    { name: 'done', update: { id: 'u1', phase: 'Succeeded' }, want: 'Patch' },
    { name: 'failed, the machine as before', update: { id: 'u1', phase: 'Failed' }, want: 'Patch' },
  ])('may still come about while one is ordered: $name', ({ update, want }) => {
    const status = { ...XLARGE, ...(update === undefined ? {} : { update }) };
    const old = { ...size({ class: 'standard-8' }), ...order('u1') };
    expect(decision({ old, now: size({ instanceType: 'm6i.xlarge' }), status })).toBe(want);
  });
});
