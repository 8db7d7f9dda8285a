/** What Crossplane, its command line and people expect of every managed resource, of any provider. */
import { describe, expect, test } from 'vitest';
import { at } from '#lib/api/json.ts';
import { beginner, SOON, WHILE } from './begin.ts';
import type { Player } from './player.ts';
import { said } from './said.ts';

const PAUSED = { 'crossplane.io/paused': 'true' };

export function describeManaged(player: Player): void {
  const begin = beginner(player);

  describe(`${player.name}: a managed resource`, () => {
    test('has the name of its Node as external name, once it was found', async () => {
      const stage = await begin();
      expect(stage.object()?.metadata?.annotations ?? {}).toEqual({});
      stage.register({});
      await stage.pass(SOON);
      expect(stage.object()?.metadata?.annotations).toMatchObject({ 'crossplane.io/external-name': 'general-0' });
    });

    test.for([
      {
        title: 'the annotation',
        pause: PAUSED,
        goOn: { 'crossplane.io/paused': null },
        by: 'the annotation crossplane.io/paused',
      },
      { title: 'an empty list of policies', policies: [], by: 'spec.managementPolicies, which is empty' },
    ])('that is paused by $title is left alone, and goes on later', async ({ pause, goOn, policies, by }) => {
      const stage = await begin({ node: {} });
      if (pause !== undefined) stage.mark({ annotations: pause });
      if (policies !== undefined) stage.edit({ managementPolicies: policies });
      await stage.pass(SOON);
      stage.edit({ labels: { a: 'b' } });
      await stage.pass(SOON);
      expect(said(stage, 'Synced')).toBe(`False ReconcilePaused: paused by ${by}`);
      expect(stage.node()?.metadata?.labels ?? {}).not.toHaveProperty('a');
      if (goOn !== undefined) stage.mark({ annotations: goOn });
      if (policies !== undefined) stage.edit({ managementPolicies: ['*'] });
      await stage.pass(SOON);
      expect(said(stage, 'Synced')).toBe('True ReconcileSuccess');
      expect(stage.node()?.metadata?.labels).toMatchObject({ a: 'b' });
    });

    test('that is paused is not deleted', async () => {
      const stage = await begin({ node: {} });
      stage.mark({ annotations: PAUSED });
      await stage.pass(SOON);
      stage.delete();
      await stage.pass(WHILE);
      expect(stage.object()).toBeDefined();
      expect(at(stage.node(), 'spec', 'unschedulable')).not.toBe(true);
      stage.mark({ annotations: { 'crossplane.io/paused': null } });
      await stage.pass(WHILE);
      expect(stage.object()).toBeUndefined();
    });

    test('that is only observed changes nothing, and tells what it sees', async () => {
      const stage = await begin({ node: {}, spec: { managementPolicies: ['Observe'], labels: { a: 'b' } } });
      expect(said(stage, 'Ready')).toBe('True Available');
      expect(stage.node()?.metadata?.labels ?? {}).not.toHaveProperty('a');
      stage.delete();
      await stage.pass(SOON);
      expect(stage.object()).toBeUndefined();
      expect(stage.node()).toBeDefined();
    });

    test('that is only observed tells what it sees of a Node that another WorkloadNode manages', async () => {
      const stage = await begin({ node: {}, manager: true, spec: { managementPolicies: ['Observe'] } });
      expect(said(stage, 'Synced')).toBe('True ReconcileSuccess');
      expect(said(stage, 'Ready')).toBe('True Available');
      stage.delete();
      await stage.pass(SOON);
      expect(stage.object()).toBeUndefined();
      expect(stage.node()?.spec?.['unschedulable']).not.toBe(true);
    });

    test('of a Node that another WorkloadNode manages says which, and leaves it alone', async () => {
      const stage = await begin({ node: {}, manager: true, spec: { labels: { a: 'b' } } });
      expect(said(stage, 'Synced')).toBe(
        'False ReconcileError: cannot manage Node "general-0": WorkloadNode "team-a/another" does',
      );
      expect(stage.node()?.metadata?.labels ?? {}).not.toHaveProperty('a');
      stage.delete();
      await stage.pass(WHILE);
      expect(stage.object()).toBeUndefined();
      expect(stage.node()?.spec?.['unschedulable']).not.toBe(true);
    });

    test('that is only observed, and missing, is an error until somebody makes it', async () => {
      const stage = await begin({ spec: { managementPolicies: ['Observe'] } });
      expect(said(stage, 'Synced')).toBe(
        'False ReconcileError: Node "general-0" does not exist, and spec.managementPolicies is [Observe]',
      );
      stage.register({});
      await stage.pass(SOON);
      expect(said(stage, 'Synced')).toBe('True ReconcileSuccess');
    });

    test('is refused with policies that no provider supports', async () => {
      const stage = await begin({ node: {}, spec: { managementPolicies: ['Delete'] } });
      expect(said(stage, 'Synced')).toMatch(/^False ReconcileError: cannot accept spec.managementPolicies: \[Delete\]/);
    });

    test('that may not be deleted is released at once, without a look at its cluster', async () => {
      const policies = ['Observe', 'Create', 'Update', 'LateInitialize'];
      const stage = await begin({ node: {}, pods: [{ name: 'web' }], spec: { managementPolicies: policies } });
      stage.cut(3600);
      stage.delete();
      await stage.pass(SOON);
      expect(stage.object()).toBeUndefined();
      expect(stage.node()).toBeDefined();
      expect(stage.events.filter((event) => event !== 'object gone')).toEqual([]);
    });

    test('says which request for a look it has answered', async () => {
      const stage = await begin({ node: {} });
      stage.mark({ annotations: { 'crossplane.io/reconcile-requested-at': '2026-01-01T00:00:30Z' } });
      await stage.pass(SOON);
      expect(stage.object()?.status).toMatchObject({ lastHandledReconcileAt: '2026-01-01T00:00:30Z' });
    });

    test('is drained only after everybody else has let go of it', async () => {
      const stage = await begin({ node: {}, pods: [{ name: 'web' }] });
      stage.mark({ finalizers: ['workloadnode.node.slipway.dev', 'backup.example.org/copy', 'foregroundDeletion'] });
      stage.delete();
      await stage.pass(WHILE);
      expect(said(stage, 'Drained')).toBe(
        'False WaitingForHook: waits until its controller removes the finalizer backup.example.org/copy',
      );
      expect(at(stage.node(), 'spec', 'unschedulable')).not.toBe(true);
      stage.mark({ finalizers: ['workloadnode.node.slipway.dev', 'foregroundDeletion'] });
      await stage.pass(WHILE);
      expect(stage.node()).toBeUndefined();
    });
  });
}
