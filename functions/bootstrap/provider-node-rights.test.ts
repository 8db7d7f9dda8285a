/** A platform may give provider-node a name of its own in workload clusters, and only the rights that it needs. */
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { at, type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import { aCluster } from '../../test/support/claims.ts';
import { ENDPOINT, ONCE_MADE } from '../../test/support/first-boot.ts';
import { aRequest, aWorld, frozen } from '../../test/support/request.ts';
import { run } from './fn.ts';

const ABSENT = Object.fromEntries(ONCE_MADE.map((key) => [key, []]));

const INPUT = { apiVersion: 'fn.slipway.dev/v1alpha1', kind: 'BootstrapInput' };

type Objects = Readonly<Record<string, KubeObject>>;

async function answer(providerNodeRights: string, observed: Objects, more: object = {}): Promise<Objects> {
  const composite = aCluster({ status: { controlPlaneEndpoint: ENDPOINT } as unknown as JsonObject });
  const reply = await run(
    frozen(aRequest({ composite, observed, input: { ...INPUT, providerNodeRights }, ...more })),
    aWorld('2026-01-01T00:00:00Z'),
  );
  return Object.fromEntries([...reply.build().resources].map(([key, { resource }]) => [key, resource]));
}

const made = await answer('Role', {}, { required: ABSENT });
const found = await answer('Role', made);
const secretOf = (objects: Objects) =>
  stringAt(objects['node-provider-config'], 'spec', 'credentials', 'secretRef', 'name');

function clientOf(secret: KubeObject | undefined): X509Certificate {
  const config: unknown = parse(Buffer.from(stringAt(secret, 'data', 'value') ?? '', 'base64').toString('utf8'));
  const [user] = at(config, 'users') as readonly unknown[];
  return new X509Certificate(Buffer.from(stringAt(user, 'user', 'client-certificate-data') ?? '', 'base64'));
}

test('it then has a kubeconfig of its own, of the user whose rights the documented roles are, in no group', () => {
  expect(secretOf(found)).toBe('prod-provider-node');
  expect(found['provider-node-kubeconfig']?.metadata).toMatchObject({ name: 'prod-provider-node' });
  expect(clientOf(found['provider-node-kubeconfig']).subject).toBe('CN=slipway:provider-node');
  const file = readFileSync(join(import.meta.dirname, '../../docs/install/workload-cluster.yaml'), 'utf8');
  const subjects = parseAllDocuments(file).flatMap(
    (document) => (document.toJS() as { readonly subjects?: readonly unknown[] }).subjects ?? [],
  );
  expect(new Set(subjects.map((one) => `${stringAt(one, 'kind')} ${stringAt(one, 'name')}`))).toEqual(
    new Set(['User slipway:provider-node']),
  );
});

test('the administrator keeps the other one', () => {
  expect(clientOf(found['kubeconfig']).subject).toBe('O=system:masters\nCN=kubernetes-admin');
});

test('both stay byte for byte until half of their time is over', async () => {
  expect(await answer('Role', found)).toEqual(found);
});

test('by default it has the kubeconfig of the administrator, and there is no second one', async () => {
  const usual = await answer('Administrator', await answer('Administrator', {}, { required: ABSENT }));
  expect(secretOf(usual)).toBe('prod-kubeconfig');
  expect(Object.keys(usual)).not.toContain('provider-node-kubeconfig');
});

test('a cluster that exists changes over once the Secret is there, which provider-node would wait for', async () => {
  const usual = await answer('Administrator', await answer('Administrator', {}, { required: ABSENT }));
  const asked = await answer('Role', usual);
  expect(secretOf(asked)).toBe('prod-kubeconfig');
  expect(asked['provider-node-kubeconfig']?.metadata).toMatchObject({ name: 'prod-provider-node' });
  expect(secretOf(await answer('Role', asked))).toBe('prod-provider-node');
});

test('a platform that changes its mind takes no Secret away that is in use', async () => {
  const back = await answer('Administrator', found);
  expect(secretOf(back)).toBe('prod-kubeconfig');
  expect(back['provider-node-kubeconfig']).toEqual(found['provider-node-kubeconfig']);
});
