import { X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import { stringAt } from '#lib/api/json.ts';
import { aCluster } from '../../../test/support/claims.ts';
import { replyOf } from '../../../test/support/function-laws.ts';
import { aRequest } from '../../../test/support/request.ts';
import { run } from '../fn.ts';
import { microk8sPlans } from './microk8s.fixture.ts';

const textOf = (secret: object | undefined, key: string): string =>
  Buffer.from(stringAt(secret, 'data', key) ?? '', 'base64').toString();

test('a cluster keeps one authority, a token to join by and one for provider-node, created once', async () => {
  const { cluster, secrets } = await microk8sPlans.clusterOf();
  expect(Object.values(secrets).map(({ metadata }) => metadata?.name)).toEqual([
    'prod-ca',
    'prod-jointoken',
    'prod-capi-auth-token',
  ]);
  expect(Object.values(secrets).every((secret) => secret['immutable'] === true)).toBe(true);
  expect(textOf(secrets['token'], 'value')).toMatch(/^[0-9a-f]{32}$/);
  const again = await replyOf(run, aRequest({ composite: cluster, observed: secrets }));
  for (const key of ['ca', 'token', 'capi-auth-token'])
    expect(again.resources.get(key)?.resource['data']).toEqual(secrets[key]?.['data']);
});

test('its authority has an RSA key, because MicroK8s accepts no other', async () => {
  const { secrets } = await microk8sPlans.clusterOf();
  expect(new X509Certificate(textOf(secrets['ca'], 'tls.crt')).publicKey.asymmetricKeyType).toBe('rsa');
});

test('nothing is created before the Secrets were looked up', async () => {
  const spec = { bootstrap: { provider: 'microk8s', config: {} } };
  const reply = await replyOf(run, aRequest({ composite: aCluster({ spec, status: {} }) }));
  expect([...reply.resources.keys()]).toEqual(['node-provider-config']);
  expect([...reply.requirements.keys()]).toEqual(['ca', 'token', 'capi-auth-token']);
});
