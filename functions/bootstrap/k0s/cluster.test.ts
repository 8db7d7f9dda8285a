import { X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import { stringAt } from '#lib/api/json.ts';
import { aCluster } from '../../../test/support/claims.ts';
import { replyOf } from '../../../test/support/function-laws.ts';
import { aRequest } from '../../../test/support/request.ts';
import { run } from '../fn.ts';
import { clusterOf } from './k0s.fixture.ts';

test('authorities have the names that k0s uses, because it does not renew certificates of other authorities', async () => {
  const { secrets } = await clusterOf();
  const subjects = ['ca', 'etcd-ca', 'proxy-ca'].map((key) => {
    const pem = Buffer.from(stringAt(secrets[key], 'data', 'tls.crt') ?? '', 'base64');
    return new X509Certificate(pem).subject;
  });
  expect(subjects).toEqual(['CN=kubernetes-ca', 'CN=etcd-ca', 'CN=kubernetes-front-proxy-ca']);
});

test('nothing is created before the Secrets were looked up', async () => {
  const spec = { bootstrap: { provider: 'k0s', config: {} } };
  const reply = await replyOf(run, aRequest({ composite: aCluster({ spec, status: {} }) }));
  expect([...reply.resources.keys()]).toEqual(['node-provider-config']);
  expect([...reply.requirements.keys()]).toEqual(['ca', 'etcd-ca', 'proxy-ca', 'sa']);
});
