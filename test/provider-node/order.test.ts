/**
 * Whatever happens to a WorkloadNode, in whatever order, repeated, or lost until the next look: it comes to the same end, and
 * nothing is evicted twice (the player on paper throws then).
 */
import { describe, expect, test } from 'vitest';
import { at } from '#lib/api/json.ts';
import { paperPlayer } from './paper-player.ts';
import type { Scene, Stage } from './player.ts';
import { said, strangersAmong } from './said.ts';

const SEEDS = Array.from({ length: 150 }, (_none, seed) => seed + 1);
const SCENE: Scene = {
  node: {},
  pods: [
    { name: 'web', refusals: 3 },
    { name: 'db', labels: { app: 'db' } },
    { name: 'log', daemonSet: 'log' },
  ],
  daemonSets: ['default/log'],
  scripts: ['sysctls'],
  etcd: ['general-0', 'general-1', 'general-2'].map((name) => ({ name, isHealthy: true, isLeader: false })),
  detachedAfter: 400,
  spec: {
    membership: { kind: 'KubeadmEtcd' },
    drain: {
      timeout: '0s',
      volumeDetachTimeout: '0s',
      rules: [{ behaviour: 'Drain', order: 1, podSelector: { matchLabels: { app: 'db' } } }],
    },
  },
};
const HOOK = 'pre-drain.hooks.slipway.dev/a';

/** Each may come at any time, and more than once. */
const EVENTS: readonly ((stage: Stage) => void)[] = [
  (stage) => stage.cut(45),
  (stage) => stage.setClock?.(3600),
  (stage) => stage.setClock?.(-3600),
  (stage) => stage.mark({ annotations: { 'crossplane.io/paused': 'true' } }),
  (stage) => stage.mark({ annotations: { 'crossplane.io/paused': null } }),
  (stage) => stage.mark({ annotations: { [HOOK]: 'x' } }),
  (stage) => stage.mark({ annotations: { [HOOK]: null } }),
  (stage) => stage.mark({ annotations: { 'crossplane.io/reconcile-requested-at': 'now' } }),
  (stage) => stage.edit({ labels: { a: 'b' } }),
  (stage) => stage.edit({ managementPolicies: [] }),
  (stage) => stage.edit({ managementPolicies: ['*'] }),
  (stage) => stage.node() !== undefined && stage.change({ labels: { theirs: 'c' } }),
];

/** A small generator of numbers, so that a failure can be repeated by its seed. */
function numbers(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

async function disturbed(stage: Stage, next: (below: number) => number, times: number): Promise<void> {
  for (let count = 0; count < times; count += 1) {
    EVENTS[next(EVENTS.length)]?.(stage);
    await stage.pass(next(40));
    expect(strangersAmong(stage.object())).toEqual([]);
  }
  stage.mark({ annotations: { 'crossplane.io/paused': null, [HOOK]: null } });
  stage.edit({ managementPolicies: ['*'], labels: { a: 'b' } });
}

describe('in any order of events', () => {
  test.for(SEEDS)('a WorkloadNode is served and comes to the same end (seed %i)', async (seed) => {
    const next = numbers(seed);
    const stage = await paperPlayer(next(2) === 0 ? undefined : next(12), next(2) === 0).begin(SCENE);
    await disturbed(stage, next, next(12));
    await stage.pass(1500);
    expect(said(stage, 'Ready')).toBe('True Available');
    expect(said(stage, 'Synced')).toBe('True ReconcileSuccess');
    expect(stage.node()?.metadata?.labels).toMatchObject({ a: 'b' });
    expect(at(stage.node(), 'spec', 'unschedulable')).not.toBe(true);
    stage.delete();
    await disturbed(stage, next, next(12));
    await stage.pass(3000);
    expect(stage.object()).toBeUndefined();
    expect(stage.events.filter((event) => event !== 'uncordoned')).toEqual([
      'cordoned',
      'evicted web',
      'evicted db',
      'left etcd',
      'Node deleted',
      'object gone',
    ]);
  });
});
