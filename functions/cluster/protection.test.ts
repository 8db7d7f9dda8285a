/**
 * `spec.deletionProtection`: a Usage of the Cluster without a user, which exists exactly as long as the field is true.
 * And a Usage of the control-plane pool, which exists as long as the pool.
 */
import { expect, it } from 'vitest';
import { aClaim, call } from './cluster.fixture.ts';

const usageOf = async (spec: Parameters<typeof aClaim>[0]) =>
  (await call({ claim: aClaim(spec) })).resources.get('deletion-protection');

it('is a Usage whose reason says how to remove it', async () => {
  expect(await usageOf({ deletionProtection: true })).toMatchObject({
    resource: {
      metadata: { name: 'prod-deletion-protection', namespace: 'team-a' },
      spec: {
        of: { kind: 'Cluster', resourceRef: { name: 'prod' } },
        reason: 'spec.deletionProtection is true: set it to false first',
      },
    },
  });
});

it('names no user, because a Cluster deleted in the foreground would wait for it, and it for the Cluster', async () => {
  expect((await usageOf({ deletionProtection: true }))?.resource.spec).not.toHaveProperty('by');
});

it('does not make a running Cluster unready', async () => {
  expect((await usageOf({ deletionProtection: true }))?.ready).toBe('True');
});

it('is not created unless the claim asks for it', async () => {
  expect(await usageOf({})).toBeUndefined();
  expect(await usageOf({ deletionProtection: false })).toBeUndefined();
});

it('is removed once it is no longer desired, and kept while that is unknown', async () => {
  const made = (await usageOf({ deletionProtection: true }))!.resource;
  const observed = { 'deletion-protection': made };
  expect((await call({ observed })).resources.has('deletion-protection')).toBe(false);
});

const POOL = {
  apiVersion: 'slipway.dev/v1alpha1',
  kind: 'NodePool',
  metadata: { name: 'prod-control-plane', namespace: 'team-a' },
};

it('prevents deleting the control-plane pool, because the cluster would be lost with it', async () => {
  const { resources } = await call({ observed: { 'control-plane': POOL } });
  expect(resources.get('control-plane-protection')).toMatchObject({
    ready: 'True',
    resource: {
      kind: 'Usage',
      metadata: { name: 'prod-control-plane-protection', namespace: 'team-a' },
      spec: {
        of: { kind: 'NodePool', resourceRef: { name: 'prod-control-plane' } },
        reason: 'it is the control plane of Cluster "prod": delete the Cluster instead',
      },
    },
  });
  expect(resources.get('control-plane-protection')?.resource.spec).not.toHaveProperty('by');
});

it('has no Usage of a pool that does not exist yet, because Crossplane would not find it', async () => {
  expect((await call({})).resources.has('control-plane-protection')).toBe(false);
});
