/** How a machine joins its cluster by a token of its own. */
import { describe, expect, test } from 'vitest';
import { type JsonObject, stringAt } from '#lib/api/json.ts';
import { beginner, SOON } from './begin.ts';
import type { Player } from './player.ts';
import { said } from './said.ts';
import { READY } from './scene.ts';

export function describeJoins(player: Player): void {
  const begin = beginner(player);

  describe(`${player.name}: a machine that joins by a token`, () => {
    const join: JsonObject = { kind: 'Kubeadm', secretRef: { name: 'general-0-join-token', key: 'token' } };
    const spec = { join };
    const joinToken = 'fake42.0123456789abcdef';

    test('has its token accepted before its Node is there, and no longer after', async () => {
      const stage = await begin({ spec, joinToken });
      expect(said(stage, 'Ready')).toMatch(/^False WaitingForNode/);
      expect(Object.keys(stage.tokens())).toEqual(['fake42']);
      expect(stage.object()?.status?.['join']).toMatchObject({ tokenSecret: 'bootstrap-token-fake42' });
      stage.register(READY);
      await stage.pass(SOON);
      expect(stage.tokens()).toEqual({});
      expect(stage.object()?.status?.['join']).toEqual({ joined: true });
      expect(said(stage, 'Ready')).toBe('True Available');
    });

    test('has its token extended for as long as it takes, and never for more than its life', async () => {
      const stage = await begin({ spec, joinToken });
      for (let minutes = 0; minutes < 60; minutes += 5) {
        expect(stage.tokens()['fake42']).toBeGreaterThan(7 * 60);
        expect(stage.tokens()['fake42']).toBeLessThanOrEqual(15 * 60);
        await stage.pass(5 * 60);
      }
    });

    test('is not joined a second time, whatever happens to its Node', async () => {
      const stage = await begin({ spec, joinToken, node: READY });
      stage.change({ ready: false });
      stage.edit({ labels: { a: 'b' } });
      await stage.pass(20 * 60);
      expect(stage.tokens()).toEqual({});
      expect(stage.object()?.status?.['join']).toEqual({ joined: true });
    });

    test('waits for its token, and says where', async () => {
      const stage = await begin({ spec });
      const where = 'key "token" of Secret "team-a/general-0-join-token"';
      expect(said(stage, 'Ready')).toBe(`False WaitingForJoinToken: waiting for ${where}`);
      expect(said(stage, 'Synced'), 'to wait for a Secret is no error').toBe('True ReconcileSuccess');
      stage.bringToken(joinToken);
      await stage.pass(SOON);
      expect(Object.keys(stage.tokens())).toEqual(['fake42']);
    });

    test.for(['HUNTER2', `${joinToken}\nx`, 'a/../b.0123456789abcdef', 'fake42.0123456789ABCDEF'])(
      'has nothing else written into its cluster, and nobody reads it: %j',
      async (hostile) => {
        const stage = await begin({ spec, joinToken: hostile });
        const where = 'key "token" of Secret "team-a/general-0-join-token"';
        expect(said(stage, 'Ready')).toBe(
          `False WaitingForJoinToken: cannot use ${where}: it is not a bootstrap token`,
        );
        expect(stage.tokens()).toEqual({});
      },
    );

    test('takes its token with it when its object is deleted before it joined', async () => {
      const stage = await begin({ spec, joinToken });
      stage.delete();
      await stage.pass(SOON);
      expect(stage.object()).toBeUndefined();
      expect(stage.tokens()).toEqual({});
    });

    const asked = {
      kind: 'CanonicalKubernetesWorker',
      secretRef: { name: 'general-0-join-token', key: 'token' },
      authSecretRef: { name: 'prod-capi-auth-token' },
      ttl: '1h',
    };

    test('gets the token that its cluster makes before there is a machine, and it is deleted after use', async () => {
      const stage = await begin({ spec: { join: asked } });
      expect(stage.heldToken()).toBeDefined();
      const join = { secretRef: { name: 'general-0-join-token' } };
      expect(stage.object()?.status?.['join']).toMatchObject(join);
      expect(said(stage, 'Ready')).toMatch(/^False WaitingForNode/);
      expect(said(stage, 'Synced')).toBe('True ReconcileSuccess');
      stage.register(READY);
      await stage.pass(SOON);
      expect(stage.heldToken()).toBeUndefined();
      expect(stage.object()?.status?.['join']).toEqual({ joined: true });
    });

    test('gets another token when that of its cluster has expired, as long as it has not joined', async () => {
      const stage = await begin({ spec: { join: asked } });
      const ends = () => Date.parse(stringAt(stage.object(), 'status', 'join', 'expiresAt') ?? '');
      const first = ends();
      await stage.pass(30 * 60);
      expect(ends(), 'one that is valid is not asked for again').toBe(first);
      await stage.pass(31 * 60);
      expect(ends()).toBe(first + 3600_000);
    });

    test('says why its cluster makes no token, and that is no error of the provider', async () => {
      const stage = await begin({ spec: { join: asked }, refusesTokens: true });
      expect(said(stage, 'Ready')).toMatch(/^False WaitingForJoinToken: waiting for a join token: .*invalid token$/);
      expect(said(stage, 'Synced')).toBe('True ReconcileSuccess');
      expect(stage.heldToken()).toBeUndefined();
    });

    test('joins by the token that a person supplied instead, which is left alone', async () => {
      const stage = await begin({ spec: { join: asked }, joinToken: 'supplied' });
      expect(stage.heldToken()).toBe('supplied');
      stage.register(READY);
      await stage.pass(SOON);
      expect(stage.heldToken()).toBe('supplied');
      expect(stage.object()?.status?.['join']).toEqual({ joined: true });
    });

    test('takes the token of its cluster with it when its object is deleted before it joined', async () => {
      const stage = await begin({ spec: { join: asked } });
      stage.delete();
      await stage.pass(SOON);
      expect(stage.object()).toBeUndefined();
      expect(stage.heldToken()).toBeUndefined();
    });

    test('lets a token expire that other machines join by too, and does not bring it back', async () => {
      const shared = { join: { ...join, shared: true } };
      const stage = await begin({ spec: shared, joinToken, oldToken: joinToken });
      stage.register(READY);
      await stage.pass(SOON);
      expect(stage.tokens()['fake42']).toBeLessThanOrEqual(15 * 60);
      await stage.pass(15 * 60);
      expect(stage.tokens()).toEqual({});
      const late = await begin({ spec: shared, joinToken });
      expect(late.tokens(), 'somebody deleted it').toEqual({});
    });
  });
}
