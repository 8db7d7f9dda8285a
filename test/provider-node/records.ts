/** What is remembered of a Node is in the status of its WorkloadNode: a kubelet may write annotations of its own Node. */
import { describe, expect, test } from 'vitest';
import { at } from '#lib/api/json.ts';
import { beginner, SOON, WHILE } from './begin.ts';
import type { Player } from './player.ts';
import { evicted, isCordoned, labelsOf, said, taintsOf } from './said.ts';
import { BUSY, READY } from './scene.ts';

const OWNED = 'node.slipway.dev/owned';
const RESTRICTED = 'zone.node-restriction.kubernetes.io/tier';
const QUARANTINE = { key: 'quarantine', effect: 'NoExecute' };

export function describeRecords(player: Player): void {
  const begin = beginner(player);

  describe(`${player.name}: what is remembered of a Node`, () => {
    test('is nothing that the Node says: a quarantined one keeps its taint, its restricted label and its cordon', async () => {
      const stage = await begin({
        node: { labels: { [RESTRICTED]: 'low' }, taints: [QUARANTINE], unschedulable: true },
        spec: { labels: { team: 'a' } },
      });
      for (const by of ['team-a/general-0', undefined, 'team-a/another']) {
        const note = {
          by,
          labels: [RESTRICTED],
          annotations: ['note'],
          taints: ['quarantine:NoExecute'],
          cordoned: true,
        };
        stage.change({ annotations: { [OWNED]: JSON.stringify(note), note: 'mine' } });
        await stage.pass(SOON);
        stage.edit({ labels: { team: `of ${by}` } });
        await stage.pass(SOON);
        expect(labelsOf(stage)).toMatchObject({ [RESTRICTED]: 'low', team: `of ${by}` });
        expect(stage.node()?.metadata?.annotations).toMatchObject({ note: 'mine' });
        expect(taintsOf(stage)).toEqual(['quarantine:NoExecute']);
        expect(isCordoned(stage)).toBe(true);
        expect(said(stage, 'Synced')).toBe('True ReconcileSuccess');
      }
    });

    test('is nothing that the Node says: one that names another manager is drained before it goes', async () => {
      const stage = await begin(BUSY);
      stage.change({ annotations: { [OWNED]: JSON.stringify({ by: 'team-a/another' }) } });
      await stage.pass(SOON);
      stage.delete();
      await stage.pass(2 * WHILE);
      expect(stage.object()).toBeUndefined();
      expect(stage.node()).toBeUndefined();
      expect(evicted(stage)).toEqual(player.abilities.has('pods') ? ['evicted web'] : []);
      expect(stage.events).toContain('cordoned');
    });

    test('is in the status, and outlasts a restart: what left the spec is removed, and no more', async () => {
      const spec = { labels: { team: 'a', tier: 'one' }, taints: [QUARANTINE], annotations: { note: 'ours' } };
      const stage = await begin({ node: READY, spec });
      expect(at(stage.object(), 'status', 'marks')).toEqual({
        labels: ['team', 'tier'],
        annotations: ['note'],
        taints: ['quarantine:NoExecute'],
        cordoned: false,
      });
      expect(stage.node()?.metadata?.annotations ?? {}).not.toHaveProperty(OWNED);
      stage.change({ labels: { theirs: 'x' } });
      await stage.restart();
      stage.edit({ labels: { team: 'a', tier: null }, taints: [], annotations: null });
      await stage.pass(SOON);
      expect(labelsOf(stage)).toMatchObject({ team: 'a', theirs: 'x' });
      expect(labelsOf(stage)).not.toHaveProperty('tier');
      expect(taintsOf(stage)).toEqual([]);
      expect(stage.node()?.metadata?.annotations ?? {}).not.toHaveProperty('note');
      stage.edit({ labels: null });
      await stage.pass(SOON);
      expect(at(stage.object(), 'status', 'marks')).toBeUndefined();
    });

    test('is forgotten with the Node: what another Node of the machine brings along is its own', async () => {
      const stage = await begin({ node: READY, spec: { labels: { team: 'a' }, taints: [QUARANTINE] } });
      stage.loseNode();
      await stage.pass(SOON);
      stage.edit({ labels: { team: null }, taints: [] });
      stage.register({ labels: { team: 'by its kubelet' }, taints: [QUARANTINE], uid: 'node-2' });
      await stage.pass(WHILE);
      expect(labelsOf(stage)).toMatchObject({ team: 'by its kubelet' });
      expect(taintsOf(stage)).toEqual(['quarantine:NoExecute']);
    });
  });
}
