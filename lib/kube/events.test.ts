import { beforeEach, expect, test } from 'vitest';
import type { KubeObject } from '#lib/api/json.ts';
import { TestTime } from '../../test/support/test-time.ts';
import type { KubeClient } from './client.ts';
import { Events } from './events.ts';

const about = (name: string, namespace?: 'none'): KubeObject => ({
  apiVersion: 'example.org/v1',
  kind: 'Thing',
  metadata: {
    name,
    uid: `uid-${name}`,
    resourceVersion: '7',
    ...(namespace === 'none' ? {} : { namespace: 'team-a' }),
  },
});

let time: TestTime;
let written: KubeObject[];
let errors: unknown[];
let fails: boolean;
let events: Events;
beforeEach(() => {
  [time, written, errors, fails] = [new TestTime(), [], [], false];
  const client = {
    apply: async (_resource: unknown, event: KubeObject) => {
      if (fails) throw new Error('refused');
      written.push(event);
      return event;
    },
  } as unknown as KubeClient;
  events = new Events({ client, timing: time, component: 'slipway', onError: (thrown) => errors.push(thrown) });
});

test('an event says what happened to which object, and who says so', async () => {
  await events.tell(about('one'), 'Warning', 'CannotDrain', 'a budget\nforbids it');
  expect(written).toEqual([
    {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { namespace: 'team-a', name: expect.stringMatching(/^one\.[0-9a-f]{16}$/) as string },
      involvedObject: {
        apiVersion: 'example.org/v1',
        kind: 'Thing',
        namespace: 'team-a',
        name: 'one',
        uid: 'uid-one',
        resourceVersion: '7',
      },
      type: 'Warning',
      reason: 'CannotDrain',
      message: 'a budget forbids it',
      count: 1,
      firstTimestamp: '2026-01-01T00:00:00Z',
      lastTimestamp: '2026-01-01T00:00:00Z',
      source: { component: 'slipway' },
      reportingComponent: 'slipway',
      reportingInstance: '',
    },
  ]);
});

test('an event about an object without a namespace is where kubectl looks for it', async () => {
  await events.tell(about('node', 'none'), 'Normal', 'Seen', 'seen');
  expect(written[0]?.metadata?.namespace).toBe('default');
  expect(written[0]?.['involvedObject']).not.toHaveProperty('namespace');
});

test('the same event again is counted, and written once a minute under the same name', async () => {
  for (let second = 0; second < 130; second += 10) {
    await events.tell(about('one'), 'Normal', 'Waits', 'it waits');
    time.pass(10);
  }
  expect(written.map(({ count, lastTimestamp }) => [count, lastTimestamp])).toEqual([
    [1, '2026-01-01T00:00:00Z'],
    [7, '2026-01-01T00:01:00Z'],
    [13, '2026-01-01T00:02:00Z'],
  ]);
  expect(new Set(written.map(({ metadata }) => metadata?.name)).size).toBe(1);
});

test('an object with ever new events gets 25 of them, and one every five minutes; others are not affected', async () => {
  for (let nth = 0; nth < 100; nth += 1) await events.tell(about('one'), 'Normal', 'Waits', `${nth} seconds left`);
  expect([written.length, events.dropped]).toEqual([25, 75]);
  await events.tell(about('two'), 'Normal', 'Waits', 'it waits');
  expect(written).toHaveLength(26);
  time.pass(300);
  for (const word of ['a', 'b']) await events.tell(about('one'), 'Normal', 'Waits', word);
  expect(written).toHaveLength(27);
});

test('an event that cannot be written is reported, and nobody waits for it', async () => {
  fails = true;
  await events.tell(about('one'), 'Normal', 'Waits', 'it waits');
  expect(errors).toEqual([new Error('refused')]);
});

test('the name of an event is a name, however long that of its object is', async () => {
  await events.tell(about(`${'x'.repeat(229)}.and-more`), 'Normal', 'Waits', 'it waits');
  expect(written[0]?.metadata?.name).toMatch(/^[a-z0-9]+\.[0-9a-f]{16}$/);
});
