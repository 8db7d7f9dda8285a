/**
 * `spec.deletionProtection`: a Usage of the Cluster by nobody, there exactly as long as it is asked for. And one of the
 * control plane's pool, there as long as the pool.
 */
import { expect, it } from 'vitest';
import { aClaim, call } from './cluster.fixture.ts';

const usageOf = async (spec: Parameters<typeof aClaim>[0]) =>
  (await call({ claim: aClaim(spec) })).resources.get('deletion-protection');

it('is a Usage that says how it is taken away', async () => {
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

it('is named by nobody as the user: deleted in the foreground the Cluster would wait for it, and it for the Cluster', async () => {
  expect((await usageOf({ deletionProtection: true }))?.resource.spec).not.toHaveProperty('by');
});

it('does not make a Cluster that serves unready', async () => {
  expect((await usageOf({ deletionProtection: true }))?.ready).toBe('True');
});

it('is not there unless it is asked for', async () => {
  expect(await usageOf({})).toBeUndefined();
  expect(await usageOf({ deletionProtection: false })).toBeUndefined();
});

it('goes once it is no longer desired, though what is not known is kept', async () => {
  const made = (await usageOf({ deletionProtection: true }))!.resource;
  const observed = { 'deletion-protection': made };
  expect((await call({ observed })).resources.has('deletion-protection')).toBe(false);
});

const POOL = {
  apiVersion: 'slipway.dev/v1alpha1',
  kind: 'NodePool',
  metadata: { name: 'prod-control-plane', namespace: 'team-a' },
};

it('refuses the deletion of the pool of the control plane, with which the cluster would be lost', async () => {
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

it('has no Usage of a pool that does not exist yet, which Crossplane would not find', async () => {
  expect((await call({})).resources.has('control-plane-protection')).toBe(false);
});
