import { beforeEach, describe, expect, test } from 'vitest';
import { falseCondition, trueCondition } from '#lib/api/conditions.ts';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { TestTime } from '../../test/support/test-time.ts';
import type { KubeClient } from './client.ts';
import { isStale, KubeRefusal } from './refusal.ts';
import type { Resource } from './resource.ts';
import { planStatus, type Report, StatusWriter } from './status.ts';

const THINGS: Resource = { apiVersion: 'example.org/v1', kind: 'Thing', plural: 'things', namespaced: true };
const NOW = Date.parse('2026-01-01T12:00:00Z');
const BEFORE = '2025-12-24T00:00:00Z';

const condition = (type: string, status: string, more: JsonObject = {}): JsonObject => ({
  type,
  status,
  reason: 'Available',
  observedGeneration: 3,
  lastTransitionTime: BEFORE,
  ...more,
});

const object = (status: JsonObject, resourceVersion = '1'): KubeObject => ({
  apiVersion: 'example.org/v1',
  kind: 'Thing',
  metadata: { namespace: 'team-a', name: 'one', uid: 'u', generation: 3, resourceVersion },
  status,
});

const READY: Report = { conditions: [trueCondition('Ready', 'Available')] };

describe('a status', () => {
  const known = object({ conditions: [condition('Ready', 'True'), condition('Theirs', 'False')], size: 1 });

  test.for<{ title: string; report: Report; change: string }>([
    { title: 'the same', report: READY, change: 'None' },
    { title: 'the same field', report: { ...READY, fields: { size: 1, other: undefined } }, change: 'None' },
    { title: 'a condition that is gone already', report: { ...READY, without: ['Drained'] }, change: 'None' },
    { title: 'another field', report: { ...READY, fields: { size: 2 } }, change: 'Detail' },
    { title: 'a field that is gone', report: { ...READY, fields: { size: undefined } }, change: 'Detail' },
    { title: 'another message', report: { conditions: [{ ...READY.conditions[0]!, message: 'm' }] }, change: 'Detail' },
    { title: 'another reason', report: { conditions: [trueCondition('Ready', 'Other')] }, change: 'Phase' },
    { title: 'another status', report: { conditions: [falseCondition('Ready', 'Available')] }, change: 'Phase' },
    {
      title: 'one condition more',
      report: { conditions: [...READY.conditions, trueCondition('New', 'New')] },
      change: 'Phase',
    },
    { title: 'one condition less', report: { ...READY, without: ['Theirs'] }, change: 'Phase' },
  ])('changes: $title', ({ report, change }) => {
    expect(planStatus(known, report, NOW).change).toBe(change);
  });

  test('has only conditions of its writer, since when their status is what it is', () => {
    const report = { conditions: [trueCondition('Ready', 'Other'), falseCondition('Synced', 'Error', 'why')] };
    expect(planStatus(known, report, NOW).status).toEqual({
      conditions: [
        { type: 'Ready', status: 'True', reason: 'Other', observedGeneration: 3, lastTransitionTime: BEFORE },
        {
          type: 'Synced',
          status: 'False',
          reason: 'Error',
          message: 'why',
          observedGeneration: 3,
          lastTransitionTime: '2026-01-01T12:00:00Z',
        },
      ],
    });
  });

  test('is about the generation that was seen', () => {
    const old = object({ conditions: [condition('Ready', 'True', { observedGeneration: 2 })] });
    expect(planStatus(old, READY, NOW)).toMatchObject({
      change: 'Phase',
      status: { conditions: [{ observedGeneration: 3 }] },
    });
  });

  test.for<JsonObject>([{}, { conditions: 'broken' }, { conditions: [null, 'x', { status: 'True' }] }])(
    'is written over a broken one: %o',
    (status) => expect(planStatus(object(status), READY, NOW).change).toBe('Phase'),
  );
});

describe('a writer', () => {
  let time: TestTime;
  let applied: KubeObject[];
  let writer: StatusWriter;
  /** What the API has; undefined: what was read. */
  let stored: KubeObject | undefined;
  beforeEach(() => {
    time = new TestTime();
    applied = [];
    stored = undefined;
    const client = {
      apply: async (_resource: unknown, given: KubeObject) => {
        const { resourceVersion } = given.metadata ?? {};
        if (stored !== undefined && stored.metadata?.resourceVersion !== resourceVersion)
          throw new KubeRefusal(409, 'cannot apply: the object has been modified');
        applied.push(given);
        return object(given.status ?? {}, `after-${applied.length}`);
      },
      get: async () => stored,
    } as unknown as KubeClient;
    writer = new StatusWriter({ client, timing: time, resource: THINGS, manager: 'slipway' });
  });
  const detail = (size: number): Report => ({ ...READY, fields: { size } });

  test('sends nothing when nothing changed, and only for the version that was read', async () => {
    expect(await writer.write(object({}), READY)).toBeUndefined();
    expect(applied).toMatchObject([{ metadata: { namespace: 'team-a', name: 'one', resourceVersion: '1' } }]);
    await writer.write(object({ conditions: [condition('Ready', 'True')] }, '2'), READY);
    expect(applied).toHaveLength(1);
  });

  test('sends nothing again while what it read is from before its last write', async () => {
    const stale = object({});
    await writer.write(stale, READY);
    time.pass(5);
    await writer.write(stale, READY);
    expect(applied).toHaveLength(1);
  });

  test('sends details every ten seconds, and a new phase at once', async () => {
    const read = (size: number): KubeObject => object({ conditions: [condition('Ready', 'True')], size }, `${size}`);
    expect(await writer.write(read(0), detail(1))).toBeUndefined();
    time.pass(4);
    expect(await writer.write(read(1), detail(2))).toBe(6);
    expect(applied).toHaveLength(1);
    expect(
      await writer.write(read(1), { ...detail(2), conditions: [falseCondition('Ready', 'Deleting')] }),
    ).toBeUndefined();
    time.pass(10);
    expect(await writer.write(read(2), detail(3))).toBeUndefined();
    expect(applied).toHaveLength(3);
  });

  test('writes at once what somebody else wrote over, from what is there now', async () => {
    const since = '2025-11-11T00:00:00Z';
    stored = object({ conditions: [condition('Ready', 'True', { lastTransitionTime: since, reason: 'Old' })] }, '9');
    await writer.write(object({}), READY);
    expect(applied).toMatchObject([
      {
        metadata: { resourceVersion: '9' },
        status: { conditions: [{ reason: 'Available', lastTransitionTime: since }] },
      },
    ]);
  });

  test('sends nothing when the newest version says it already', async () => {
    stored = object({ conditions: [condition('Ready', 'True')] }, '9');
    await writer.write(object({}), READY);
    expect(applied).toEqual([]);
  });

  test('writes nothing to another object of the name', async () => {
    const { metadata, ...rest } = object({}, '9');
    stored = { ...rest, metadata: { ...metadata, uid: 'another' } };
    await expect(writer.write(object({}), READY)).rejects.toSatisfy(isStale);
    expect(applied).toEqual([]);
  });
});
