import { X509Certificate } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { stringAt } from '#lib/api/json.ts';
import type { ReplyData } from '#lib/fn/reply.ts';
import { aCluster, withStatus } from '../../test/support/claims.ts';
import { ENDPOINT, ONCE_MADE } from '../../test/support/first-boot.ts';
import { aRequest, aWorld, frozen, type RequestParts } from '../../test/support/request.ts';
import { run } from './fn.ts';

const NOW = '2026-01-01T00:00:00Z';
const ABSENT = Object.fromEntries(ONCE_MADE.map((key) => [key, []]));

async function answer(parts: RequestParts, now = NOW): Promise<ReplyData> {
  return (await run(frozen(aRequest(parts)), aWorld(now))).build();
}

function decoded(object: KubeObject | undefined, key: string): string {
  return Buffer.from(stringAt(object, 'data', key) ?? '', 'base64').toString();
}

function condition({ conditions }: ReplyData) {
  return conditions.find(({ type }) => type === 'CertificatesAvailable');
}

const resourcesOf = ({ resources }: ReplyData): Record<string, KubeObject> =>
  Object.fromEntries([...resources].map(([key, { resource }]) => [key, resource]));

/** The Secret as Crossplane observes it: with the fields that the API server adds. */
function observed(reply: ReplyData): Record<string, KubeObject> {
  return Object.fromEntries(
    Object.entries(resourcesOf(reply)).map(([key, resource]) => [
      key,
      { ...resource, metadata: { ...resource.metadata, uid: `uid-${key}`, resourceVersion: '1' } },
    ]),
  );
}

const bare = (spec: JsonObject = {}) => aCluster({ spec, status: {} });
const withEndpoint = (status: JsonObject) => aCluster({ status: { ...status, controlPlaneEndpoint: ENDPOINT } });

function clientOf(secret: KubeObject | undefined): X509Certificate {
  const config = parse(decoded(secret, 'value')) as {
    users: { user: { 'client-certificate-data': string } }[];
  };
  return new X509Certificate(Buffer.from(config.users[0]!.user['client-certificate-data'], 'base64'));
}

describe('objects that are created once', () => {
  test.for([
    { algorithm: undefined, ca: 'prime256v1' },
    { algorithm: 'ECDSA-P256', ca: 'prime256v1' },
    { algorithm: 'ECDSA-P384', ca: 'secp384r1' },
    { algorithm: 'RSA-2048', ca: 2048 },
    { algorithm: 'RSA-3072', ca: 3072 },
    { algorithm: 'RSA-4096', ca: 4096 },
  ])(
    'authorities have the algorithm of the claim ($algorithm), service accounts always RSA',
    async ({ algorithm, ca }) => {
      const config = algorithm === undefined ? {} : { encryptionAlgorithm: algorithm };
      const made = resourcesOf(await answer({ composite: bare({ bootstrap: { config } }), required: ABSENT }));
      const types = ['ca', 'etcd-ca', 'proxy-ca'].map(
        (key) => new X509Certificate(decoded(made[key], 'tls.crt')).publicKey.asymmetricKeyDetails,
      );
      expect(types.map((type) => type?.namedCurve ?? type?.modulusLength)).toEqual([ca, ca, ca]);
      expect(decoded(made['sa'], 'tls.key')).toContain('BEGIN RSA PRIVATE KEY');
      const names = ['ca', 'etcd-ca', 'proxy-ca'].map(
        (key) => new X509Certificate(decoded(made[key], 'tls.crt')).subject,
      );
      expect(names).toEqual(['CN=kubernetes', 'CN=etcd-ca', 'CN=front-proxy-ca']);
    },
  );

  test('authorities are valid for as long as the claim says, from a day to a century, and ten years by default', async () => {
    for (const [given, end] of [
      [{ caCertificateValidityPeriod: '24h', certificateValidityPeriod: '24h' }, '2026-01-02T00:00:00Z'],
      [{ caCertificateValidityPeriod: '876000h' }, '2125-12-08T00:00:00Z'],
      [{}, '2035-12-30T00:00:00Z'],
    ] as const) {
      const made = resourcesOf(await answer({ composite: bare({ bootstrap: { config: given } }), required: ABSENT }));
      const ends = ['ca', 'etcd-ca', 'proxy-ca'].map(
        (key) => new X509Certificate(decoded(made[key], 'tls.crt')).validToDate,
      );
      expect(ends).toEqual(ends.map(() => new Date(end)));
    }
  });

  test('every key differs', async () => {
    const made = resourcesOf(await answer({ composite: bare(), required: ABSENT }));
    const keys = ['ca', 'etcd-ca', 'proxy-ca', 'sa'].map((key) => decoded(made[key], 'tls.key'));
    expect(new Set(keys).size).toBe(4);
  });

  test('a later change of the algorithm does not change stored keys', async () => {
    const stored = observed(await answer({ composite: bare(), required: ABSENT }));
    const changed = bare({ bootstrap: { config: { encryptionAlgorithm: 'RSA-2048' } } });
    expect(resourcesOf(await answer({ composite: changed, observed: stored }))['ca']!['data']).toEqual(
      stored['ca']!['data'],
    );
  });

  test('a supplied CA is used and not composed, and the rest is created', async () => {
    const { ca } = resourcesOf(await answer({ composite: bare(), required: ABSENT }));
    const theirs = { ...ca!, metadata: { name: 'prod-ca', namespace: 'team-a' } };
    const required = { ...ABSENT, ca: [theirs] };
    const made = await answer({ composite: bare(), required });
    expect([...made.resources.keys()]).toEqual(['etcd-ca', 'proxy-ca', 'sa', 'encryption', 'node-provider-config']);
    const kept = await answer({ composite: bare(), required, observed: observed(made) });
    expect(condition(kept)).toMatchObject({ status: 'True' });
    const known = withEndpoint(kept.status);
    const { resources } = await answer({ composite: known, required, observed: observed(made) });
    expect(resources.has('ca')).toBe(false);
    expect(
      clientOf(resources.get('kubeconfig')?.resource).verify(new X509Certificate(decoded(theirs, 'tls.crt')).publicKey),
    ).toBe(true);
  });

  test('one of our Secrets whose reference was lost is composed again, as it is', async () => {
    const made = resourcesOf(await answer({ composite: bare(), required: ABSENT }));
    const ours = { ...made['ca']!, metadata: { ...made['ca']!.metadata, ownerReferences: [{ uid: 'cluster-uid' }] } };
    const reply = await answer({ composite: bare(), required: { ...ABSENT, ca: [ours] } });
    expect(resourcesOf(reply)['ca']).toEqual(made['ca']);
  });
});

describe('objects that exist are never lost', () => {
  test('the kubeconfig is kept when the endpoint is missing', async () => {
    const made = observed(await answer({ composite: bare(), required: ABSENT }));
    const configured = observed(await answer({ composite: withEndpoint({}), observed: made }));
    const reply = await answer({ composite: bare(), observed: configured });
    expect(resourcesOf(reply)['kubeconfig']!['data']).toEqual(configured['kubeconfig']!['data']);
  });

  test('the kubeconfig is kept while the other Secrets cannot be observed', async () => {
    const made = observed(await answer({ composite: bare(), required: ABSENT }));
    const configured = observed(await answer({ composite: withEndpoint({}), observed: made }));
    const reply = await answer({ composite: bare(), observed: { kubeconfig: configured['kubeconfig']! } });
    expect(resourcesOf(reply)['kubeconfig']!['data']).toEqual(configured['kubeconfig']!['data']);
  });

  test('every reply repeats the records', async () => {
    const status = { certificates: { caCertHash: 'sha256:00' }, kubeconfigSecretRef: { name: 'prod-kubeconfig' } };
    const reply = await answer({ composite: withStatus(bare(), status) });
    expect(reply.status).toEqual(status);
  });
});
