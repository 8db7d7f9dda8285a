/** Updates in place that do not go as wished; the usual ones are in test/provider-node. */
import { expect, test } from 'vitest';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import type { NodeSituation, Run } from './situation.ts';
import { advanceOf, clearingOf } from './update.ts';

const NOW = Date.parse('2026-01-01T00:10:00Z');
const BEGUN = { id: 'one', phase: 'Running', startedAt: '2026-01-01T00:00:00Z' };

test.for([
  { info: { osImage: 'Talos (v1.11.3)' }, why: 'Talos has no shell; accepted: another image of the machine' },
  {
    info: { osImage: 'Bottlerocket OS 1.50.0' },
    why: 'Bottlerocket has no shell; accepted: another image of the machine',
  },
  { info: { operatingSystem: 'windows' }, why: 'Windows has no systemd' },
])('no pod enters a host without a shell: $why', ({ info, why }) => {
  const advance = advanceOf(situation(BEGUN), node(info));
  expect(advance?.progress).toMatchObject({ phase: 'Failed', message: `no updater runs on Node "general-0": ${why}` });
  expect(advance?.decision).toBeUndefined();
});

test('a snap is refreshed by its own API, and only its version is refused', () => {
  const snap = node({}, { 'k8sd.io/role': 'worker' });
  expect(advanceOf(situation(BEGUN, { version: 'v1.35.5' }), snap)?.progress.message).toMatch(/^no updater runs/);
  expect(advanceOf(situation(BEGUN), snap)?.decision).toMatchObject({ next: { do: 'Look', at: 'Run' } });
});

test('what keeps the pod from running is said, and is still said when the time is over', () => {
  const cause = 'the cluster refuses the pod that runs updaters: policy "p" denied it';
  const waiting: Run = { state: 'Waiting', cause };
  const waits = advanceOf({ ...situation(BEGUN), run: waiting }, node());
  expect(waits).toMatchObject({ progress: { phase: 'Running', message: cause }, again: { poll: 30 } });
  const late = { ...situation({ ...BEGUN, message: cause }, { timeout: '5m' }), run: waiting };
  expect(advanceOf(late, node())?.progress).toMatchObject({
    phase: 'Failed',
    message: `not done within 5m, while Running: ${cause}`,
  });
});

test('the pod of a run is looked for before the update fails for its time, so that none is left behind', () => {
  const late = situation(BEGUN, { timeout: '5m' });
  expect(advanceOf(late, node())?.decision).toMatchObject({ next: { do: 'Look', at: 'Run' } });
  const found = advanceOf({ ...late, run: { state: 'Running', pod: 'p' } }, node());
  expect(found).toMatchObject({ progress: { phase: 'Failed', pod: 'p' }, again: { poll: 1 } });
});

test('a pod is removed only when the status says how its run ended, or nobody asks for it any more', () => {
  const cleared = (status: JsonObject, update: JsonObject | undefined = {}) => clearingOf(situation(status, update));
  expect(cleared({ ...BEGUN, pod: 'p' })).toBeUndefined();
  expect(cleared({ ...BEGUN, phase: 'Succeeded' })).toBeUndefined();
  for (const phase of ['Verifying', 'Succeeded', 'Failed'])
    expect(cleared({ ...BEGUN, phase, pod: 'p' })).toMatchObject({
      next: { do: 'ClearRun', pod: 'p', status: { update: { id: 'one', phase, pod: null } } },
    });
  expect(cleared({ ...BEGUN, pod: 'p' }, { id: 'two' })).toMatchObject({ next: { do: 'ClearRun' } });
  expect(
    clearingOf({ ...situation({ ...BEGUN, pod: 'p' }), object: withoutUpdate({ ...BEGUN, pod: 'p' }) }),
  ).toMatchObject({
    next: { do: 'ClearRun' },
  });
});

function situation(update: JsonObject, asked: JsonObject = {}): NodeSituation {
  const spec = { update: { id: 'one', updaters: ['a'], payloadSecretRef: { name: 's' }, ...asked } };
  return { object: { ...withoutUpdate(update), spec }, now: NOW };
}

function withoutUpdate(update: JsonObject): KubeObject {
  const metadata = { name: 'general-0', namespace: 'team-a' };
  return { apiVersion: 'node.slipway.dev/v1alpha1', kind: 'WorkloadNode', metadata, spec: {}, status: { update } };
}

function node(info: JsonObject = {}, labels: Readonly<Record<string, string>> = {}): KubeObject {
  const conditions = [{ type: 'Ready', status: 'True' }];
  const status = { conditions, nodeInfo: { kubeletVersion: 'v1.35.4', osImage: 'Debian', ...info } };
  return { apiVersion: 'v1', kind: 'Node', metadata: { name: 'general-0', uid: 'u', labels }, status };
}
