/** How a Node leaves the store of its cluster. */
import { describe, expect, test } from 'vitest';
import { beginner, SOON, WHILE } from './begin.ts';
import type { Ability, Player } from './player.ts';
import { inOrder, said } from './said.ts';
import { ETCD, MEMBER, READY } from './scene.ts';

export function describeMembers(player: Player): void {
  const begin = beginner(player);
  const cannot = (ability: Ability): boolean => !player.abilities.has(ability);

  describe.skipIf(cannot('etcd'))(`${player.name}: a member of etcd`, () => {
    const spec = MEMBER;

    test('is removed from etcd after the drain and before its Node is deleted', async () => {
      const stage = await begin({ node: READY, spec, etcd: ETCD });
      stage.delete();
      await stage.pass(WHILE);
      expect(inOrder(stage)).toEqual(['cordoned', 'left etcd', 'Node deleted', 'object gone']);
    });

    test('is known by the field of earlier releases as well', async () => {
      const stage = await begin({ node: READY, spec: { etcdMember: true }, etcd: ETCD });
      stage.delete();
      await stage.pass(WHILE);
      expect(inOrder(stage)).toEqual(['cordoned', 'left etcd', 'Node deleted', 'object gone']);
    });

    test('is removed although somebody else deleted its Node: the store still counts it', async () => {
      const stage = await begin({ node: READY, spec, etcd: ETCD });
      stage.loseNode();
      await stage.pass(SOON);
      stage.delete();
      await stage.pass(WHILE);
      expect(inOrder(stage)).toEqual(['Node deleted', 'left etcd', 'object gone']);
    });

    test('stays while the others would lose their majority, or while there are no others', async () => {
      const broken = ETCD.map((member) => ({ ...member, isHealthy: member.name === 'general-0' }));
      for (const [etcd, why] of [
        [broken, 'etcd would keep 0 healthy of 2 members, and needs 2'],
        [ETCD.slice(0, 1), 'Node "general-0" is the last etcd member'],
      ] as const) {
        const stage = await begin({ node: READY, spec, etcd });
        stage.delete();
        await stage.pass(1800);
        expect(said(stage, 'MembershipLeft')).toBe(`False WouldLoseQuorum: ${why}`);
        expect(said(stage, 'Drained')).toBe('True Drained');
        expect(stage.node()).toBeDefined();
      }
    });

    test.for(['MicroK8s', 'CanonicalKubernetes'])('of %s leaves as well, and is not taken out twice', async (kind) => {
      const stage = await begin({ node: READY, spec: { membership: { kind } }, etcd: ETCD });
      stage.delete();
      await stage.pass(WHILE);
      expect(inOrder(stage)).toEqual(['cordoned', 'left etcd', 'Node deleted', 'object gone']);
      const lost = await begin({ node: READY, spec: { membership: { kind } }, etcd: ETCD });
      lost.loseNode();
      await lost.pass(SOON);
      lost.delete();
      await lost.pass(WHILE);
      expect(inOrder(lost)).toEqual(['Node deleted', 'left etcd', 'object gone']);
    });

    test('of MicroK8s stays as long as only one would be left', async () => {
      const stage = await begin({ node: READY, spec: { membership: { kind: 'MicroK8s' } }, etcd: ETCD.slice(0, 2) });
      stage.delete();
      await stage.pass(1800);
      expect(said(stage, 'MembershipLeft')).toBe(
        'False WouldLoseQuorum: dqlite would keep 1 of 2 members, and needs 2',
      );
    });

    test('waits while another one leaves', async () => {
      const etcd = ETCD.map((member) =>
        member.name === 'general-2' ? { ...member, leaving: 'Asked' as const } : member,
      );
      const stage = await begin({ node: READY, spec, etcd });
      stage.delete();
      await stage.pass(1800);
      expect(said(stage, 'MembershipLeft')).toBe('False Waiting: Node "general-2" leaves etcd first');
    });
  });
}
