/** Machines of a role have one service account, which may read every secret of the role whose name it knows. */
import { expect, test } from 'vitest';
import { at, type KubeObject, stringAt } from '#lib/api/json.ts';
import { aCluster, aMachine, call, NAME } from '../../../functions/machine/machine.fixture.ts';
import { INFRASTRUCTURE, INPUT } from './machine.fixture.ts';

const UID = '5d0c4c1e-8d5b-4a0e-9c57-2f3f1a7b6c55';
const machineOf = (uid: string): KubeObject => {
  const { metadata, ...rest } = aMachine({ failureDomain: 'europe-west1-b' });
  return { ...rest, metadata: { ...metadata, uid } };
};
const secretOf = async (uid: string, observed: Readonly<Record<string, KubeObject>> = {}): Promise<KubeObject> => {
  const input = { ...INPUT, gcp: { userData: 'SecretManager' } };
  const reply = await call({ machine: machineOf(uid), clusters: [aCluster(INFRASTRUCTURE)], input, observed });
  return reply.resources.get('first-boot-secret')!.resource;
};
const nameOf = (secret: KubeObject) =>
  stringAt(secret, 'metadata', 'annotations', 'crossplane.io/external-name') ?? 'none';

test('the name of a secret ends with what no sibling can guess', async () => {
  const name = nameOf(await secretOf(UID));
  expect(name).toMatch(/^x_node_team-a-prod-x7k2m9-general-0-x7k2p-[a-z0-9]{6}_[a-z0-9]{22}$/);
  expect(name).not.toContain(UID.slice(0, 8));
  expect(nameOf(await secretOf('another'))).not.toBe(name);
  expect(nameOf(await secretOf(UID))).toBe(name);
});

test('nothing else of the secret says its name', async () => {
  const { metadata: _own, spec } = await secretOf(UID);
  expect(JSON.stringify(at(spec, 'forProvider'))).not.toContain(nameOf(await secretOf(UID)).slice(-22));
});

test('a secret that exists keeps its name', async () => {
  const made = await secretOf('before a backup was restored');
  const observed = { 'first-boot-secret': made };
  expect(nameOf(await secretOf(UID, observed))).toBe(nameOf(made));
  expect(made.metadata?.name).toBe(`${NAME}-first-boot`);
});
