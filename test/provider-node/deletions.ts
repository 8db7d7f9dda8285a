/** What happens to a Node whose object is deleted: emptied, deleted, and only then released. */
import { describe, expect, test } from 'vitest';
import { beginner, SOON, WHILE } from './begin.ts';
import type { Ability, Player } from './player.ts';
import { evicted, inOrder, isCordoned, said } from './said.ts';
import { BUSY, ETCD, MEMBER, READY } from './scene.ts';

export function describeDeletions(player: Player): void {
  const begin = beginner(player);
  const cannot = (ability: Ability): boolean => !player.abilities.has(ability);

  describe(`${player.name}: an object that is deleted`, () => {
    test('remains until its Node is drained and deleted', async () => {
      const stage = await begin(BUSY);
      stage.delete();
      await stage.pass(3);
      expect(said(stage, 'Ready')).toBe('False Deleting');
      expect(said(stage, 'Drained')).toBe('False Draining: evicting pods from Node "general-0"');
      expect(isCordoned(stage)).toBe(true);
      await stage.pass(WHILE);
      expect(stage.object()).toBeUndefined();
      expect(inOrder(stage)).toEqual(['cordoned', 'Node deleted', 'object gone']);
    });

    test.skipIf(cannot('pools'))('keeps what its pool composed as long, and so the Cluster', async () => {
      const stage = await begin(BUSY);
      stage.addPoolUsage?.();
      await stage.pass(SOON);
      stage.deletePoolUsage?.();
      stage.delete();
      await stage.pass(3);
      expect(said(stage, 'Ready')).toBe('False Deleting');
      expect(stage.poolUsage?.()).toBeDefined();
      await stage.restart();
      await stage.pass(WHILE);
      expect(stage.object()).toBeUndefined();
      expect(stage.poolUsage?.()).toBeUndefined();
    });

    test('is gone at once when its Node never registered', async () => {
      const stage = await begin();
      stage.delete();
      await stage.pass(SOON);
      expect(stage.object()).toBeUndefined();
    });

    test('does not wait for pods on an unreachable Node', async () => {
      const stage = await begin({ node: READY });
      stage.stopMachine();
      await stage.pass(SOON);
      stage.delete();
      await stage.pass(WHILE);
      expect(stage.object()).toBeUndefined();
      expect(stage.node()).toBeUndefined();
    });

    test('is gone without a drain when its whole Cluster is deleted, reachable or not', async () => {
      for (const isCut of [false, true]) {
        const stage = await begin({ node: READY, spec: MEMBER });
        if (isCut) stage.cut(3600);
        stage.deleteCluster();
        stage.delete();
        await stage.pass(SOON);
        expect(stage.object()).toBeUndefined();
        expect(stage.events).not.toContain('left etcd');
      }
    });

    test('is drained although its kubeconfig is missing for a while, because that may be a mistake', async () => {
      const stage = await begin(BUSY);
      stage.loseKubeconfig();
      stage.delete();
      await stage.pass(SOON);
      expect(stage.object()).toBeDefined();
      expect(stage.node()).toBeDefined();
    });

    test.skipIf(cannot('forbid'))('waits without a limit while the cluster answers, and refuses', async () => {
      const stage = await begin(BUSY);
      stage.forbid?.();
      stage.delete();
      await stage.pass(7200);
      expect(said(stage, 'Drained')).toMatch(
        /^False Unreachable: .*forbidden.*; waits without limit because the API answers$/,
      );
      expect(said(stage, 'Synced')).toMatch(/^False ReconcileError: .*forbidden/);
      expect(stage.node()).toBeDefined();
    });

    test('waits while the cluster is unreachable, and is let go after half an hour', async () => {
      const stage = await begin({ node: READY });
      stage.loseKubeconfig();
      stage.delete();
      await stage.pass(1780);
      expect(said(stage, 'Drained')).toMatch(
        /^False Unreachable: .*"team-a\/prod-kubeconfig" not found; deleted without a drain if its cluster cannot/,
      );
      expect(said(stage, 'Synced'), 'to wait for a Secret is no error').toBe('True ReconcileSuccess');
      await stage.pass(40);
      expect(stage.object()).toBeUndefined();
    });

    test.for([MEMBER, { drain: { timeout: '0s' } }])(
      'waits for ever while nothing can be reached: %j',
      async (spec) => {
        const stage = await begin({ node: READY, spec, etcd: ETCD });
        stage.cut(3600);
        stage.delete();
        await stage.pass(1800);
        expect(said(stage, 'Drained')).toMatch(/^False Unreachable: .*connection refused;.* waits /);
        expect(said(stage, 'Synced')).toMatch(/^False ReconcileError: .*connection refused/);
      },
    );
  });

  describe.skipIf(cannot('pods'))(`${player.name}: a drain`, () => {
    test('evicts all pods except those of a DaemonSet and those of the kubelet', async () => {
      const pods = [
        { name: 'web' },
        { name: 'log', daemonSet: 'log' },
        { name: 'orphan', daemonSet: 'gone' },
        { name: 'static', annotations: { 'kubernetes.io/config.mirror': 'x' } },
        { name: 'left-alone', labels: { 'cluster.x-k8s.io/drain': 'skip' } },
      ];
      const stage = await begin({ node: READY, pods, daemonSets: ['default/log'] });
      stage.delete();
      await stage.pass(WHILE);
      expect(stage.object()).toBeUndefined();
      expect(evicted(stage)).toEqual(['evicted orphan', 'evicted web']);
    });

    test('reports the pods whose budget refuses the eviction, and continues when it no longer does', async () => {
      const stage = await begin({ node: READY, pods: [{ name: 'web', refusals: 3 }, { name: 'db' }] });
      stage.delete();
      await stage.pass(3);
      expect(said(stage, 'Drained')).toMatch(
        /^False BlockedByBudget: cannot evict Pod "default\/web" since \S+Z: its disruption budget allows none$/,
      );
      expect(evicted(stage)).toEqual(['evicted db']);
      await stage.pass(3 * WHILE);
      expect(stage.object()).toBeUndefined();
    });

    test('that takes too long ends, and 0s waits without a limit', async () => {
      const scene = { node: READY, pods: [{ name: 'web', refusals: Infinity }] };
      const short = await begin({ ...scene, spec: { drain: { timeout: '2m' } } });
      short.delete();
      await short.pass(110);
      expect(short.object()).toBeDefined();
      await short.pass(30);
      expect(short.object()).toBeUndefined();
      const endless = await begin({ ...scene, spec: { drain: { timeout: '0s' } } });
      endless.delete();
      await endless.pass(3600);
      expect(said(endless, 'Drained')).toMatch(/^False BlockedByBudget/);
    });
  });
}
