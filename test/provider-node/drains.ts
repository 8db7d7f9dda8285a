/** How a Node is emptied before it is deleted: rules, hooks, volumes, time limits, and what is reported meanwhile. */
import { describe, expect, test } from 'vitest';
import { type JsonObject, at } from '#lib/api/json.ts';
import { beginner, SOON, WHILE } from './begin.ts';
import type { Player, PodScene, Scene, Stage } from './player.ts';
import { said } from './said.ts';
import { READY } from './scene.ts';

const STUCK: PodScene = { name: 'web', refusals: Infinity };
const BUDGET = /^False BlockedByBudget: cannot evict Pod "default\/web" since \S+Z: its disruption budget allows none$/;

export function describeDrains(player: Player): void {
  const begin = (scene: Scene): Promise<Stage> => beginner(player)({ node: READY, ...scene });
  const deleted = async (scene: Scene, seconds = 3): Promise<Stage> => {
    const stage = await begin(scene);
    stage.delete();
    await stage.pass(seconds);
    return stage;
  };
  const drain = (parts: object): JsonObject => ({ drain: parts as JsonObject });
  const progress = (stage: Stage) => at(stage.object(), 'status', 'drain');

  describe(`${player.name}: hooks`, () => {
    test('before the drain hold it, and nothing but the cordon is done until they are removed', async () => {
      const stage = await begin({ pods: [{ name: 'web' }] });
      stage.mark({ annotations: { 'pre-drain.hooks.slipway.dev/backup': 'the team' } });
      stage.delete();
      await stage.pass(1200);
      expect(said(stage, 'Drained')).toBe(
        'False WaitingForHook: waits until the annotation pre-drain.hooks.slipway.dev/backup is removed',
      );
      expect(said(stage, 'Synced')).toBe('True ReconcileSuccess');
      expect(stage.events).toEqual(['cordoned']);
      stage.mark({ annotations: { 'pre-drain.hooks.slipway.dev/backup': null } });
      await stage.pass(WHILE);
      expect(stage.object()).toBeUndefined();
    });

    test('before the end hold an empty Node', async () => {
      const stage = await begin({ pods: [{ name: 'web' }] });
      stage.mark({ annotations: { 'pre-terminate.hooks.slipway.dev/copy': '' } });
      stage.delete();
      await stage.pass(1200);
      expect(said(stage, 'Drained')).toBe(
        'False WaitingForHook: waits until the annotation pre-terminate.hooks.slipway.dev/copy is removed',
      );
      expect(stage.node()).toBeDefined();
      stage.mark({ annotations: { 'pre-terminate.hooks.slipway.dev/copy': null } });
      await stage.pass(WHILE);
      expect(stage.node()).toBeUndefined();
    });

    test('do not hold a Node whose whole cluster is deleted', async () => {
      const stage = await begin({});
      stage.mark({ annotations: { 'pre-drain.hooks.slipway.dev/backup': '' } });
      stage.deleteCluster();
      stage.delete();
      await stage.pass(SOON);
      expect(stage.object()).toBeUndefined();
    });
  });

  test(`${player.name}: a Node that is not to be drained is deleted with its pods`, async () => {
    const stage = await deleted({ pods: [STUCK], spec: drain({ skip: true }) }, SOON);
    expect(stage.object()).toBeUndefined();
    expect(stage.events.filter((event) => event.startsWith('evicted'))).toEqual([]);
  });

  test(`${player.name}: a machine that never started its cluster has nothing to drain`, async () => {
    const start = { kind: 'Talos', secretRef: { name: 'prod-talosconfig', key: 'talosconfig' }, addresses: [] };
    const stage = await player.begin({ spec: { start } });
    stage.cut(3600);
    await stage.pass(SOON);
    stage.delete();
    await stage.pass(SOON);
    expect(stage.object()).toBeUndefined();
  });

  test(`${player.name}: a Node is held although its cluster cannot be reached, if the object says so`, async () => {
    const stage = await begin({ spec: drain({ onTimeout: 'Hold' }) });
    stage.cut(86_400);
    stage.delete();
    await stage.pass(7200);
    expect(said(stage, 'Drained')).toMatch(
      /^False Unreachable: .*; waits without limit because spec.drain.onTimeout is Hold$/,
    );
  });

  describe.skipIf(!player.abilities.has('pods'))(`${player.name}: pods on a Node that is drained`, () => {
    test('are named, with the time since when they block, ten of them at most', async () => {
      const pods = Array.from({ length: 12 }, (_none, index) => ({
        name: `web-${String(index).padStart(2, '0')}`,
        refusals: Infinity,
      }));
      const stage = await deleted({ pods, spec: drain({ timeout: '0s' }) });
      const began = at(progress(stage), 'startedAt');
      await stage.pass(600);
      expect(said(stage, 'Drained')).toMatch(/^False BlockedByBudget: .*; 9 more$/);
      expect(progress(stage)).toMatchObject({ startedAt: began, moreWaiting: 2 });
      expect(at(progress(stage), 'waiting')).toHaveLength(10);
      expect(at(progress(stage), 'waiting')).toMatchObject([
        { pod: 'default/web-00', why: 'its disruption budget allows none', since: began },
        ...Array.from({ length: 9 }, () => ({})),
      ]);
    });

    test('are counted when they were evicted', async () => {
      const stage = await deleted({ pods: [STUCK, { name: 'a' }, { name: 'b' }] });
      await stage.pass(WHILE);
      expect(progress(stage)).toMatchObject({ evicted: 2, waiting: [{ pod: 'default/web' }] });
    });

    test('that finish by themselves are waited for, and those that a rule skips stay', async () => {
      const rules = [
        { behaviour: 'Skip', podSelector: { matchLabels: { app: 'cache' } } },
        { behaviour: 'WaitCompleted', namespaceSelector: { matchLabels: { kind: 'batch' } } },
      ];
      const pods = [{ name: 'cache', labels: { app: 'cache' } }, { name: 'job', namespace: 'jobs' }, { name: 'web' }];
      const namespaces = { jobs: { kind: 'batch' }, default: {} };
      const stage = await deleted({ pods, namespaces, spec: drain({ rules }) }, 300);
      expect(progress(stage)).toMatchObject({
        evicted: 1,
        waiting: [{ pod: 'jobs/job', why: 'it is not evicted, and has not finished' }],
      });
      await stage.pass(360);
      expect(stage.object(), 'its time is up').toBeUndefined();
      expect(stage.events.filter((event) => event.startsWith('evicted'))).toEqual(['evicted web']);
    });

    test('of a higher order are evicted when those of a lower one are gone', async () => {
      const rules = [{ behaviour: 'Drain', order: 5, podSelector: { matchLabels: { app: 'db' } } }];
      const pods = [
        { name: 'db', labels: { app: 'db' } },
        { name: 'web', refusals: 3 },
      ];
      const stage = await deleted({ pods, spec: drain({ rules }) });
      expect(at(progress(stage), 'waiting')).toMatchObject([
        { pod: 'default/db', why: 'waits until pods of order 0 are gone' },
        { pod: 'default/web' },
      ]);
      await stage.pass(300);
      expect(stage.object()).toBeUndefined();
      expect(stage.events.filter((event) => event.startsWith('evicted'))).toEqual(['evicted web', 'evicted db']);
    });

    test('in a namespace that is being deleted end with it, and nothing is forced', async () => {
      const stage = await deleted({ pods: [{ name: 'web', refusals: 3, isNamespaceTerminating: true }] });
      expect(said(stage, 'Drained')).toMatch(
        /^False Draining: cannot evict Pod "default\/web" since \S+: its namespace is being deleted/,
      );
      await stage.pass(300);
      expect(stage.object()).toBeUndefined();
    });

    test.skipIf(!player.abilities.has('clock'))(
      'are waited for without a limit, and told about, whatever happens to the clock',
      async () => {
        const pods = [STUCK, { name: 'db', refusals: 12 }];
        const stage = await deleted({ pods, spec: drain({ timeout: '0s', volumeDetachTimeout: '0s' }) });
        await stage.pass(60);
        expect(at(progress(stage), 'waiting')).toHaveLength(2);
        stage.setClock?.(-3600);
        await stage.pass(400);
        expect(at(progress(stage), 'waiting'), 'what is said is not an hour old').toMatchObject([
          { pod: 'default/web' },
        ]);
        stage.setClock?.(7200);
        await stage.pass(60);
        expect(said(stage, 'Drained')).toMatch(BUDGET);
        expect(stage.node()).toBeDefined();
        expect(stage.events.filter((event) => event.startsWith('evicted'))).toEqual(['evicted db']);
      },
    );

    test('that outlast the time limit are held, if the object says so', async () => {
      const stage = await deleted({ pods: [STUCK], spec: drain({ timeout: '2m', onTimeout: 'Hold' }) });
      expect(said(stage, 'Drained')).toMatch(BUDGET);
      await stage.pass(3600);
      expect(said(stage, 'Drained')).toMatch(
        /^False TimedOut: took longer than 2m \(spec.drain.timeout\), and spec.drain.onTimeout is Hold: cannot evict Pod "default\/web"/,
      );
      expect(said(stage, 'Synced')).toBe('True ReconcileSuccess');
    });
  });

  describe.skipIf(!player.abilities.has('pods'))(`${player.name}: volumes of a Node that is drained`, () => {
    test('are detached before it is deleted', async () => {
      const stage = await deleted({ detachedAfter: 120 }, WHILE);
      expect(said(stage, 'Drained')).toBe('False WaitingForVolumes: waits until pv-1 is detached');
      await stage.pass(WHILE);
      expect(stage.object()).toBeUndefined();
    });

    test('that are not detached in time are left behind, or held', async () => {
      const left = await deleted({ detachedAfter: 86_400, spec: drain({ volumeDetachTimeout: '2m' }) }, 150);
      expect(left.object()).toBeUndefined();
      const limits = { volumeDetachTimeout: '2m', onTimeout: 'Hold' };
      const held = await deleted({ detachedAfter: 86_400, spec: drain(limits) }, 3600);
      expect(said(held, 'Drained')).toMatch(/^False TimedOut: took longer than 2m \(spec.drain.volumeDetachTimeout\)/);
    });

    test('are not waited for on an unreachable Node, where nobody detaches them', async () => {
      const stage = await begin({ detachedAfter: 86_400 });
      stage.stopMachine();
      stage.delete();
      await stage.pass(WHILE);
      expect(stage.object()).toBeUndefined();
    });
  });
}
