/** What is done about a Node that is there, or is to come: it is found, reported and marked. */
import { describe, expect, test } from 'vitest';
import type { Json } from '#lib/api/json.ts';
import { beginner, SOON, WHILE } from './begin.ts';
import type { Ability, NodeScene, Player } from './player.ts';
import { isCordoned, labelsOf, said, taintsOf, updateOf } from './said.ts';
import { READY, anUpdate } from './scene.ts';

export function describeNodes(player: Player): void {
  const begin = beginner(player);
  const cannot = (ability: Ability): boolean => !player.abilities.has(ability);

  describe(`${player.name}: looking for a Node`, () => {
    test('a WorkloadNode waits for the Node by name until it registers, and then reports it', async () => {
      const stage = await begin();
      expect(said(stage, 'Ready')).toBe('False WaitingForNode: waiting for Node "general-0" to register');
      expect(said(stage, 'Synced')).toBe('True ReconcileSuccess');
      stage.register(READY);
      await stage.pass(SOON);
      expect(said(stage, 'Ready')).toBe('True Available');
      expect(said(stage, 'NodeHealthy')).toBe('True KubeletReady');
      expect(stage.object()?.status).toMatchObject({
        nodeRef: { name: 'general-0' },
        nodeInfo: { kubeletVersion: 'v1.35.4' },
        addresses: expect.arrayContaining([expect.objectContaining({ type: 'InternalIP' })]) as Json,
        nodeConditions: [expect.objectContaining({ type: 'Ready', status: 'True' })] as Json,
      });
    });

    test('the Node is not ready while its kubelet is not', async () => {
      const stage = await begin({ node: { ready: false } });
      expect(said(stage, 'Ready')).toBe('False NodeNotReady: Node "general-0" is not ready');
      expect(said(stage, 'NodeHealthy')).toBe('False KubeletNotReady: Node "general-0" is not ready');
      stage.change({ ready: true });
      await stage.pass(SOON);
      expect(said(stage, 'Ready')).toBe('True Available');
    });

    test('the health of the Node is not known while its kubelet is not heard of', async () => {
      const stage = await begin({ node: READY });
      stage.stopMachine();
      await stage.pass(SOON);
      const why = 'the kubelet of Node "general-0" does not respond';
      expect(said(stage, 'Ready')).toBe(`False NodeUnknown: ${why}`);
      expect(said(stage, 'NodeHealthy')).toBe(`Unknown KubeletUnknown: ${why}`);
    });

    test('a Node that is not ready for a moment is no failure, one that stays so is', async () => {
      const stage = await begin({ node: READY });
      stage.change({ ready: false });
      await stage.pass(SOON);
      expect(said(stage, 'NodeHealthy')).toBe('True KubeletReady');
      expect(said(stage, 'Ready')).toBe('True Available');
      await stage.pass(WHILE);
      expect(said(stage, 'NodeHealthy')).toBe('False KubeletNotReady: Node "general-0" is not ready');
    });

    test('an unreachable Node is reported as such, and found when it is reachable again', async () => {
      const stage = await begin({ node: READY });
      stage.cut(40);
      stage.edit({ labels: { a: 'b' } });
      await stage.pass(SOON);
      expect(said(stage, 'Synced')).toMatch(/^False ReconcileError: .*connection refused/);
      await stage.pass(WHILE);
      expect(said(stage, 'Synced')).toBe('True ReconcileSuccess');
      expect(labelsOf(stage)).toMatchObject({ a: 'b' });
    });

    test.skipIf(cannot('answers'))('a report whose answer was lost is corrected once it is wrong', async () => {
      const stage = await begin({ node: READY });
      stage.cut(30);
      stage.loseAnswer?.(4 * WHILE);
      await stage.pass(30);
      expect(said(stage, 'Synced')).toMatch(/^False ReconcileError: .*connection refused/);
      await stage.pass(8 * WHILE);
      expect(said(stage, 'Synced')).toBe('True ReconcileSuccess');
    });
  });

  describe(`${player.name}: labels and taints on a Node`, () => {
    const wanted = {
      labels: { team: 'a' },
      annotations: { note: 'one' },
      taints: [{ key: 'dedicated', value: 'gpu', effect: 'NoSchedule' }],
    };
    const others: NodeScene = {
      labels: { zone: 'z' },
      annotations: { kubelet: 'k' },
      taints: [{ key: 'theirs', effect: 'NoExecute' }],
    };

    test('are added beside those of others', async () => {
      const stage = await begin({ node: others, spec: wanted });
      expect(labelsOf(stage)).toMatchObject({ zone: 'z', team: 'a' });
      expect(stage.node()?.metadata?.annotations).toMatchObject({ kubelet: 'k', note: 'one' });
      expect(taintsOf(stage)).toEqual(['dedicated:NoSchedule', 'theirs:NoExecute']);
    });

    test('are removed when they are no longer in the spec, and no others are', async () => {
      const stage = await begin({ node: others, spec: wanted });
      stage.edit({ labels: { team: null, other: 'x' }, annotations: { note: null }, taints: [] });
      await stage.pass(SOON);
      expect(labelsOf(stage)).toMatchObject({ zone: 'z', other: 'x' });
      expect(labelsOf(stage)).not.toHaveProperty('team');
      expect(stage.node()?.metadata?.annotations).toMatchObject({ kubelet: 'k' });
      expect(stage.node()?.metadata?.annotations).not.toHaveProperty('note');
      expect(taintsOf(stage)).toEqual(['theirs:NoExecute']);
    });

    test('that it had before are removed with those of its object, and all others stay', async () => {
      const stage = await begin({ node: { labels: { zone: 'z', feature: 'f' } } });
      stage.edit({ labels: { zone: 'z' } });
      await stage.pass(SOON);
      expect(stage.object()?.status).toMatchObject({ marks: { labels: ['zone'] } });
      stage.edit({ labels: { zone: null } });
      await stage.pass(SOON);
      expect(labelsOf(stage)).not.toHaveProperty('zone');
      expect(labelsOf(stage)).toMatchObject({ feature: 'f' });
    });

    test('are set again when somebody takes them away', async () => {
      const stage = await begin({ node: others });
      stage.edit({ labels: { team: 'a' } });
      await stage.pass(SOON);
      stage.change({ labels: { zone: 'z', team: 'another' } });
      await stage.pass(SOON);
      expect(labelsOf(stage)).toMatchObject({ zone: 'z', team: 'a' });
    });

    test('keep new pods off it as long as the object says so', async () => {
      const stage = await begin({ node: READY, spec: { unschedulable: true } });
      expect(isCordoned(stage)).toBe(true);
      stage.edit({ unschedulable: false });
      await stage.pass(SOON);
      expect(isCordoned(stage)).toBe(false);
    });

    test.skipIf(cannot('scripts'))('leave a Node cordoned that a user cordoned', async () => {
      const stage = await begin({ node: { unschedulable: true }, scripts: ['sysctls'] });
      expect(isCordoned(stage)).toBe(true);
      stage.edit({ update: anUpdate({ disruptive: true }) });
      await stage.pass(2 * WHILE);
      expect(updateOf(stage)).toBe('one Succeeded');
      expect(isCordoned(stage)).toBe(true);
    });
  });

  describe.skipIf(cannot('calls'))(`${player.name}: a cluster that has to be started by a call`, () => {
    const start = {
      kind: 'Talos',
      secretRef: { name: 'prod-talosconfig', key: 'talosconfig' },
      addresses: ['10.0.0.7'],
    };

    test('is called until the machine accepts the call, before its Node is looked for', async () => {
      const stage = await begin({ spec: { start }, refusedCalls: 2 }, 3);
      expect(said(stage, 'Ready')).toBe(
        'False WaitingForStart: waiting for the Talos API at 10.0.0.7 to accept the call that starts the cluster: connection refused',
      );
      await stage.pass(40);
      expect(stage.object()?.status).toMatchObject({ started: true });
      expect(said(stage, 'Ready')).toMatch(/^False WaitingForNode/);
      expect(stage.events.filter((event) => event === 'called')).toHaveLength(3);
    });

    test('is not called again', async () => {
      const stage = await begin({ spec: { start } });
      stage.register(READY);
      stage.edit({ labels: { a: 'b' } });
      await stage.pass(WHILE);
      expect(said(stage, 'Ready')).toBe('True Available');
      expect(stage.events.filter((event) => event === 'called')).toHaveLength(1);
    });
  });
}
