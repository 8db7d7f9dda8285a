/** A kubelet writes the provider id of its own Node: another machine cannot take a WorkloadNode over by it. */
import { describe, expect, test } from 'vitest';
import { beginner, SOON, WHILE } from './begin.ts';
import type { Ability, Player, Stage } from './player.ts';
import { isCordoned, labelsOf, said } from './said.ts';
import { BUSY, ETCD, MEMBER, READY } from './scene.ts';

const ID = 'cloud:///general-0';
const SPEC = { node: { name: 'general-0', providerID: ID }, labels: { role: 'control-plane' } };
const STRANGER = 'worker-1';
const STRANGE = `Node "${STRANGER}" has provider id ${ID}, and none of the names of its machine`;

export function describeImpostors(player: Player): void {
  const begin = beginner(player);
  const cannot = (ability: Ability): boolean => !player.abilities.has(ability);

  describe(`${player.name}: a second Node with the provider id of another machine`, () => {
    test('is left alone and named, and the Node that was found stays the one', async () => {
      const stage = await begin({ node: READY, spec: SPEC });
      stage.register({ providerID: ID, ready: false }, STRANGER);
      stage.change({ labels: { touched: 'later' } });
      await stage.pass(WHILE);
      expect(stage.object()?.status).toMatchObject({ nodeRef: { name: 'general-0' } });
      expect(said(stage, 'Ready')).toBe('True Available');
      expect(said(stage, 'NodeIdentified')).toBe(
        `False Impersonated: Node "${STRANGER}" has provider id ${ID}, too, and is left alone`,
      );
      expect(labelsOf(stage)).toMatchObject({ role: 'control-plane' });
      untouched(stage);
      stage.loseNode(STRANGER);
      await stage.pass(SOON);
      expect(said(stage, 'NodeIdentified')).toBeUndefined();
    });

    test('that was there first is not the one either: its name is none of the machine', async () => {
      const stage = await begin({ spec: SPEC });
      stage.register({ providerID: ID }, STRANGER);
      await stage.pass(SOON);
      expect(said(stage, 'Ready'), 'its machine is replaced after a while').toBe(
        `False WaitingForNode: waiting for Node "general-0" to register; ${STRANGE}`,
      );
      expect(said(stage, 'NodeIdentified')).toBe(`False StrangeName: ${STRANGE}`);
      untouched(stage);
      stage.register(READY);
      await stage.pass(SOON);
      expect(stage.object()?.status).toMatchObject({ nodeRef: { name: 'general-0' } });
      untouched(stage);
    });

    test('is neither drained nor deleted with the object, whether the right Node is still there or not', async () => {
      for (const isThere of [true, false]) {
        const stage = await begin({ ...BUSY, spec: SPEC });
        stage.register({ providerID: ID }, STRANGER);
        if (!isThere) stage.loseNode();
        await stage.pass(SOON);
        stage.delete();
        await stage.pass(2 * WHILE);
        expect(stage.object()).toBeUndefined();
        expect(stage.node()).toBeUndefined();
        untouched(stage);
      }
    });

    test('with a name of the machine is not told from the first: nothing is done to either until it is clear', async () => {
      const names = ['ip-10-0-0-7.example.org'];
      const stage = await begin({ spec: { ...SPEC, servingCertificates: { names } } });
      stage.cut(1);
      stage.register(READY);
      stage.register({ providerID: ID }, names[0]);
      await stage.pass(WHILE);
      const both = `Nodes "general-0", "${names[0]}" have provider id ${ID} and names of its machine`;
      expect(said(stage, 'NodeIdentified')).toBe(`False SeveralNodes: ${both}`);
      expect(said(stage, 'Synced')).toBe(`False ReconcileError: cannot tell which Node is meant: ${both}`);
      expect(labelsOf(stage)).not.toHaveProperty('role');
      untouched(stage, names[0]);
      stage.delete();
      await stage.pass(WHILE);
      expect(said(stage, 'Synced')).toBe(`False ReconcileError: cannot tell which Node is meant: ${both}`);
      expect(isCordoned(stage)).toBe(false);
      stage.loseNode(names[0]);
      await stage.pass(WHILE);
      expect(stage.object()).toBeUndefined();
      expect(stage.node()).toBeUndefined();
    });

    test('may be the one where none was found before: a deletion waits for a while, says so, and leaves it alone', async () => {
      const stage = await begin({ spec: { ...SPEC, drain: { timeout: '120s' } } });
      stage.register({ providerID: ID }, STRANGER);
      await stage.pass(SOON);
      stage.delete();
      await stage.pass(WHILE);
      expect(said(stage, 'Synced')).toBe(`False ReconcileError: cannot tell which Node is meant: ${STRANGE}`);
      expect(said(stage, 'NodeIdentified')).toBe(`False StrangeName: ${STRANGE}`);
      expect(said(stage, 'Drained')).toBe(
        `False Unidentified: ${STRANGE}; deleted without a drain after 120s (spec.drain.timeout); if it is the one, put its name into spec.servingCertificates.names`,
      );
      untouched(stage);
      await stage.pass(2 * WHILE);
      expect(stage.object()).toBeUndefined();
      untouched(stage);
    });

    test('is drained and deleted with the object once somebody says that it is the one', async () => {
      const stage = await begin({ spec: SPEC });
      stage.register({ providerID: ID }, STRANGER);
      await stage.pass(SOON);
      stage.delete();
      await stage.pass(SOON);
      stage.edit({ servingCertificates: { names: [STRANGER] } });
      await stage.pass(WHILE);
      expect(stage.object()).toBeUndefined();
      expect(stage.node(STRANGER)).toBeUndefined();
    });

    test('holds no deletion any longer once it is gone', async () => {
      const stage = await begin({ spec: SPEC });
      stage.register({ providerID: ID }, STRANGER);
      await stage.pass(SOON);
      stage.delete();
      await stage.pass(WHILE);
      expect(stage.object()).toBeDefined();
      stage.loseNode(STRANGER);
      await stage.pass(SOON);
      expect(stage.object()).toBeUndefined();
    });

    test.skipIf(cannot('etcd'))('does not keep the member of the first one in etcd', async () => {
      const stage = await begin({ node: READY, spec: { ...SPEC, ...MEMBER }, etcd: ETCD });
      expect(stage.object()?.status).toMatchObject({ member: { name: 'general-0', id: 'e0' } });
      stage.register({ providerID: ID }, STRANGER);
      stage.loseNode();
      await stage.pass(SOON);
      stage.delete();
      await stage.pass(WHILE);
      expect(stage.events).toContain('left etcd');
      untouched(stage);
    });
  });
}

function untouched(stage: Stage, name = STRANGER): void {
  const node = stage.node(name);
  expect(node, 'it stays').toBeDefined();
  expect(node?.metadata?.labels ?? {}).not.toHaveProperty('role');
  expect(node?.spec?.['unschedulable']).not.toBe(true);
}
