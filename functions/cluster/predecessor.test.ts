/** A Cluster that is made again under its name while the first one is still being deleted. */
import { expect, test } from 'vitest';
import type { KubeObject } from '#lib/api/json.ts';
import type { ReplyData } from '#lib/fn/reply.ts';
import { aClaim, call, condition, keys, observe } from './cluster.fixture.ts';

const claim = { ...aClaim(), metadata: { ...aClaim().metadata, uid: 'second' } };
const first = await call({ claim });
const vpc = first.resources.get('vpc')!.resource;
const ownedBy = (uid: string): KubeObject => ({
  ...vpc,
  metadata: { ...vpc.metadata, ownerReferences: [{ kind: 'Cluster', name: 'prod', uid, controller: true }] },
});
const asked = [...first.requirements.keys()].find((name) => name.endsWith('/VPC')) ?? '';
const seeing = (object: KubeObject, observed: Readonly<Record<string, KubeObject>> = {}): Promise<ReplyData> =>
  call({ claim, required: { [asked]: [object] }, observed });

test('waits before it composes anything, and says for what', async () => {
  const reply = await seeing(ownedBy('first'));
  expect(keys(reply)).toEqual([]);
  expect(condition(reply, 'InfrastructureReady')?.message).toBe(
    'waiting for the deletion of what another Cluster of this name had: VPC prod-vpc',
  );
});

test('goes on with objects of its own, with objects of other names, and once it has any', async () => {
  expect(keys(await seeing(ownedBy('second')))).toEqual(keys(first));
  const other = { ...ownedBy('first'), metadata: { ...ownedBy('first').metadata, name: 'prod-other' } };
  expect(keys(await seeing(other))).toEqual(keys(first));
  expect(keys(await seeing(ownedBy('first'), observe(first)))).toEqual(expect.arrayContaining(keys(first)));
});

test('asks no more once its infrastructure exists', async () => {
  const later = await call({ claim, observed: observe(first) });
  expect([...later.requirements.keys()].filter((name) => name.startsWith('predecessor'))).toEqual([]);
});
