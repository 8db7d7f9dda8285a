/** Updates in place: drained, run once, verified, and reported. */
import { describe, expect, test } from 'vitest';
import { at } from '#lib/api/json.ts';
import { beginner, SOON, WHILE } from './begin.ts';
import type { Ability, Player } from './player.ts';
import { cordons, isCordoned, said, updateOf } from './said.ts';
import { BUSY, READY, anUpdate } from './scene.ts';

export function describeUpdates(player: Player): void {
  const begin = beginner(player);
  const cannot = (ability: Ability): boolean => !player.abilities.has(ability);

  describe(`${player.name}: an update in place`, () => {
    test.skipIf(cannot('scripts'))(
      'that disrupts the Node cordons it, drains it and uncordons it, and reports each phase',
      async () => {
        const stage = await begin(
          { ...BUSY, scripts: ['sysctls'], spec: { update: anUpdate({ disruptive: true }) } },
          3,
        );
        expect(updateOf(stage)).toBe('one Draining');
        expect(said(stage, 'Ready')).toBe('False Updating: update one: evicting pods from Node "general-0"');
        expect(said(stage, 'Drained')).toMatch(/^False Draining/);
        expect(isCordoned(stage)).toBe(true);
        await stage.pass(2 * WHILE);
        expect(updateOf(stage)).toBe('one Succeeded');
        expect(said(stage, 'Updated')).toBe('True Succeeded');
        expect(said(stage, 'Ready')).toBe('True Available');
        expect(said(stage, 'Drained'), 'pods come back').toBeUndefined();
        expect(cordons(stage)).toEqual(['cordoned', 'uncordoned']);
      },
    );

    test.skipIf(cannot('scripts') || cannot('pods'))(
      'that a disruption budget holds up says so, and names the pods, until they have left',
      async () => {
        const pods = [{ name: 'db', refusals: 8 }, { name: 'web' }];
        const spec = { update: anUpdate({ disruptive: true }) };
        const stage = await begin({ node: READY, pods, scripts: ['sysctls'], spec }, 35);
        const why =
          /^False BlockedByBudget: update one: cannot evict Pod "default\/db" since \S+Z: its disruption budget/;
        expect(said(stage, 'Drained')).toMatch(why);
        expect(said(stage, 'Updated')).toMatch(/^False Draining: update one: cannot evict Pod "default\/db"/);
        const db = { pod: 'default/db', why: 'its disruption budget allows none' };
        expect(at(stage.object(), 'status', 'drain', 'evicted')).toBe(1);
        expect(at(stage.object(), 'status', 'drain', 'waiting')).toContainEqual(expect.objectContaining(db));
        await stage.pass(4 * WHILE);
        expect(updateOf(stage)).toBe('one Succeeded');
        expect(at(stage.object(), 'status', 'drain')).toBeUndefined();
      },
    );

    test.skipIf(cannot('scripts'))('without disruption leaves the Node available', async () => {
      const stage = await begin({ node: READY, scripts: ['sysctls'], spec: { update: anUpdate() } }, 2 * WHILE);
      expect(updateOf(stage)).toBe('one Succeeded');
      expect(cordons(stage)).toEqual([]);
    });

    test('waits, drained, while another function changes the machine', async () => {
      const update = anUpdate({ disruptive: true, hold: true, updaters: [] });
      const stage = await begin({ node: READY, spec: { update } }, 2 * WHILE);
      expect(updateOf(stage)).toBe('one Drained');
      expect(said(stage, 'Drained')).toBe('True Drained');
      expect(isCordoned(stage)).toBe(true);
      stage.edit({ update: { ...update, hold: false } });
      await stage.pass(SOON);
      expect(updateOf(stage)).toBe('one Succeeded');
      expect(said(stage, 'Drained')).toBeUndefined();
      expect(isCordoned(stage)).toBe(false);
    });

    test('that is withdrawn while the Node is empty gives it back', async () => {
      const update = anUpdate({ disruptive: true, hold: true, updaters: [] });
      const stage = await begin({ node: READY, spec: { update } }, WHILE);
      expect(said(stage, 'Drained')).toBe('True Drained');
      stage.edit({ update: null });
      await stage.pass(WHILE);
      expect(said(stage, 'Drained')).toBeUndefined();
      expect(isCordoned(stage)).toBe(false);
    });

    test.skipIf(cannot('scripts'))('waits for the scripts of its updaters', async () => {
      const stage = await begin({ node: READY, scripts: [], spec: { update: anUpdate() } });
      expect(said(stage, 'Updated')).toBe('False Running: update one: waiting for the script of updater sysctls');
    });

    test.skipIf(cannot('scripts'))('that failed leaves the Node cordoned, and is not tried again', async () => {
      const scene = { node: READY, scripts: ['sysctls'], failing: 'sysctls' };
      const stage = await begin({ ...scene, spec: { update: anUpdate({ disruptive: true }) } }, 2 * WHILE);
      const why = 'update one: updater sysctls failed on Node "general-0": exit code 1';
      expect(said(stage, 'Updated')).toBe(`False Failed: ${why}`);
      expect(said(stage, 'Ready')).toBe(`False UpdateFailed: ${why}`);
      stage.edit({ labels: { a: 'b' } });
      await stage.pass(2 * WHILE);
      expect(updateOf(stage)).toBe('one Failed');
      expect(cordons(stage)).toEqual(['cordoned']);
    });

    test.skipIf(cannot('scripts'))('runs once for an id, and again for another', async () => {
      const stage = await begin({ ...BUSY, scripts: ['sysctls'], spec: { update: anUpdate() } }, 2 * WHILE);
      expect(updateOf(stage)).toBe('one Succeeded');
      stage.edit({ update: anUpdate({ id: 'two', disruptive: true }) });
      await stage.pass(3);
      expect(updateOf(stage)).toBe('two Draining');
      await stage.pass(2 * WHILE);
      expect(updateOf(stage)).toBe('two Succeeded');
    });

    test.skipIf(cannot('scripts') || cannot('restart'))(
      'goes on when its provider was stopped in the middle, and leaves nothing behind',
      async () => {
        for (const seconds of [1, 3, 16, 30]) {
          const spec = { update: anUpdate({ disruptive: true }) };
          const stage = await begin({ ...BUSY, scripts: ['sysctls'], spec }, seconds);
          await stage.restart();
          await stage.pass(2 * WHILE);
          expect(updateOf(stage), `stopped after ${seconds} s`).toBe('one Succeeded');
          expect(at(stage.object(), 'status', 'update', 'pod')).toBeUndefined();
          expect(cordons(stage)).toEqual(['cordoned', 'uncordoned']);
        }
      },
    );

    test.skipIf(cannot('scripts'))('ends when the kubelet reports the wanted version', async () => {
      const update = anUpdate({ version: 'v1.35.5' });
      const scene = { node: READY, scripts: ['sysctls'], spec: { update } };
      const stage = await begin({ ...scene, versionAfter: 'v1.35.5' }, 2 * WHILE);
      expect(updateOf(stage)).toBe('one Succeeded');
      const late = await begin(scene, 2 * WHILE);
      expect(said(late, 'Updated')).toBe('False Verifying: update one: the kubelet reports v1.35.4, expected v1.35.5');
    });

    test('that takes too long fails, and reports its phase', async () => {
      const update = anUpdate({ disruptive: true, hold: true, timeout: '5m' });
      const stage = await begin({ node: READY, scripts: ['sysctls'], spec: { update } }, 280);
      expect(updateOf(stage)).toBe('one Drained');
      await stage.pass(40);
      expect(said(stage, 'Updated')).toBe('False Failed: update one: not done within 5m, while Drained');
      expect(said(stage, 'Drained'), 'nothing drains it any more').toBeUndefined();
      expect(isCordoned(stage)).toBe(true);
    });
  });
}
