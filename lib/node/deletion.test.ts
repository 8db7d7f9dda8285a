/** A Node with the provider id of a machine, and a name that nobody told, when its WorkloadNode is deleted. */
import { describe, expect, test } from 'vitest';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { decide } from './decide.ts';
import { FINALIZER } from './leaving.ts';
import type { NodeSituation } from './situation.ts';

const NOW = Date.parse('2026-01-01T12:00:00Z');
const STRANGE = 'Node "a-host" has provider id aws:///a/i-1, and none of the names of its machine';

/** @param minutes  since it is waited for */
function situation(
  drain: JsonObject,
  minutes: number,
  more: { metadata?: object; status?: object } = {},
): NodeSituation {
  const since = new Date(NOW - minutes * 60_000).toISOString();
  const object = {
    apiVersion: 'node.slipway.dev/v1alpha1',
    kind: 'WorkloadNode',
    metadata: { name: 'a', finalizers: [FINALIZER], deletionTimestamp: '2026-01-01T00:00:00Z', ...more.metadata },
    spec: { node: { name: 'a', providerID: 'aws:///a/i-1' }, drain },
    status: { drain: { unidentifiedSince: since }, ...more.status },
  } as unknown as KubeObject;
  const config = { found: { apiVersion: 'node.slipway.dev/v1alpha1', kind: 'ProviderConfig' }, usage: undefined };
  const spec = { providerID: 'aws:///a/i-1' };
  const node: KubeObject = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'a-host', uid: 'u' }, spec };
  return { object, now: NOW, config, workload: { nodes: [node] } };
}

function decided(drain: JsonObject, minutes: number, more?: Parameters<typeof situation>[2]) {
  const decision = decide(situation(drain, minutes, more));
  if ('next' in decision) throw new Error(`it does ${decision.next.do}`);
  const { release, report } = decision.end;
  const drained = report?.conditions.find(({ type }) => type === 'Drained');
  return { isHeld: release === undefined, told: release?.undrained, reason: drained?.reason };
}

describe('a Node that may be the one', () => {
  test.for<[string, JsonObject, number, string]>([
    ['as a drain may take', { timeout: '5m' }, 5, '5m (spec.drain.timeout)'],
    ['as half an hour, where a drain may take for ever', { timeout: '0s' }, 30, '30 minutes'],
    [
      'as half an hour, where a drain that takes longer is held',
      { timeout: '5m', onTimeout: 'Hold' },
      30,
      '30 minutes',
    ],
  ])('is waited for as long %s, and let go with a word', ([, drain, minutes, limit]) => {
    expect(decided(drain, minutes - 1)).toMatchObject({ isHeld: true, reason: 'Unidentified' });
    expect(decided(drain, minutes)).toEqual({
      isHeld: false,
      told: `${STRANGE}; it was left alone, and waited for ${limit}`,
      reason: 'TimedOut',
    });
  });

  test('is let go at once with a word, where nothing is to be drained', () => {
    expect(decided({ skip: true }, 0)).toMatchObject({
      isHeld: false,
      told: `${STRANGE}; it was left alone, and waited for 0s (spec.drain.skip)`,
    });
  });

  test('is not let go while a hook holds the object', () => {
    const metadata = { annotations: { 'pre-drain.hooks.slipway.dev/backup': 'us' } };
    expect(decided({}, 60, { metadata })).toMatchObject({ isHeld: true, reason: 'WaitingForHook' });
  });

  test('is somebody else where the Node of the machine was found before', () => {
    const status = { nodeRef: { name: 'a', uid: 'another' } };
    expect(decided({}, 0, { status })).toMatchObject({ isHeld: false, told: undefined });
  });

  test('leaves a member of the store behind, which is said', () => {
    const { object, ...others } = situation({}, 60);
    const spec = { ...object.spec, membership: { kind: 'K3s' } };
    const decision = decide({ ...others, object: { ...object, spec } });
    expect('end' in decision && decision.end.release?.undrained).toMatch(/; its member of the store may be left$/);
  });
});
