/** The decisions alone satisfy the contract, also when their process stops in the middle of a reconcile. */
import { describe, expect, test } from 'vitest';
import { describeProviderNode } from './conformance.ts';
import { paperPlayer } from './paper-player.ts';

describeProviderNode(paperPlayer());

describe('a provider that is stopped', () => {
  const etcd = ['general-0', 'general-1', 'general-2'].map((name) => ({ name, isHealthy: true, isLeader: false }));
  const pods = [{ name: 'web', refusals: 2 }, { name: 'db' }];
  const update = { id: 'one', disruptive: true, updaters: ['sysctls'], payloadSecretRef: { name: 'scripts' } };

  test.for([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])(
    'after %i actions repeats no action and ends in the same state',
    async (dies) => {
      const stage = await paperPlayer(dies).begin({
        node: {},
        pods,
        etcd,
        scripts: ['sysctls'],
        spec: { membership: { kind: 'KubeadmEtcd' }, labels: { a: 'b' }, update },
      });
      await stage.pass(300);
      expect(stage.object()?.status).toMatchObject({ update: { id: 'one', phase: 'Succeeded' } });
      expect(stage.node()?.spec).toMatchObject({ unschedulable: false });
      stage.delete();
      await stage.pass(300);
      expect(stage.events).toEqual([
        'cordoned',
        'evicted db',
        'evicted web',
        'uncordoned',
        'cordoned',
        'left etcd',
        'Node deleted',
        'object gone',
      ]);
    },
  );
});
