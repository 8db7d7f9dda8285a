import { X509Certificate } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import type { ReplyData } from '#lib/fn/reply.ts';
import { aCluster } from '../../test/support/claims.ts';
import { ENDPOINT, ONCE_MADE } from '../../test/support/first-boot.ts';
import {
  expectIdempotent,
  expectNeverSmaller,
  expectOrderBlind,
  expectPure,
  textOf,
} from '../../test/support/function-laws.ts';
import { aRequest, aWorld, frozen, type RequestParts } from '../../test/support/request.ts';
import { run } from './fn.ts';

const ABSENT = Object.fromEntries(ONCE_MADE.map((key) => [key, []]));
const BASE = [...ONCE_MADE, 'node-provider-config'];

type Stage = Omit<RequestParts, 'composite'> & { readonly status?: JsonObject };

const request = ({ status = {}, ...rest }: Stage) => aRequest({ composite: aCluster({ status }), ...rest });

async function answer(stage: Stage, now = '2026-01-01T00:00:00Z'): Promise<ReplyData> {
  return (await run(frozen(request(stage)), aWorld(now))).build();
}

const objects = ({ resources }: ReplyData): Record<string, KubeObject> =>
  Object.fromEntries([...resources].map(([key, { resource }]) => [key, resource]));
const keys = ({ resources }: ReplyData) => [...resources.keys()];
const readyKeys = ({ resources }: ReplyData) =>
  [...resources].flatMap(([key, { ready }]) => (ready === 'True' ? [key] : []));
const condition = ({ conditions }: ReplyData) => conditions.find(({ type }) => type === 'CertificatesAvailable');
const decoded = (secret: KubeObject | undefined, key: string) =>
  Buffer.from(stringAt(secret, 'data', key) ?? '', 'base64').toString();

/** Secrets as the API server and Crossplane return them. */
function stored(reply: ReplyData): Record<string, KubeObject> {
  const marks = { resourceVersion: '7', ownerReferences: [{ uid: 'cluster-uid' }] };
  return Object.fromEntries(
    Object.entries(objects(reply)).map(([key, object]) => [
      key,
      { ...object, metadata: { ...object.metadata, ...marks, uid: `uid-${key}` } },
    ]),
  );
}

function clientOf(reply: ReplyData): X509Certificate {
  const config = parse(decoded(objects(reply)['kubeconfig'], 'value')) as {
    users: { user: { 'client-certificate-data': string } }[];
  };
  return new X509Certificate(Buffer.from(config.users[0]!.user['client-certificate-data'], 'base64'));
}

describe('the Secrets of a cluster are created step by step', async () => {
  const asked = await answer({});
  const made = await answer({ required: ABSENT });
  const secrets = stored(made);
  const read = await answer({ observed: secrets, required: ABSENT });
  const found = await answer({
    observed: secrets,
    status: read.status,
    desiredStatus: { controlPlaneEndpoint: ENDPOINT, infrastructure: { ready: true } },
  });
  const complete = { observed: stored(found), status: { ...read.status, controlPlaneEndpoint: ENDPOINT } };
  const settled = await answer(complete);

  test('nothing is created before the Secrets were looked up: each is requested by name', () => {
    expect(keys(asked)).toEqual(['node-provider-config']);
    expect(Object.fromEntries([...asked.requirements].map(([key, { matchName }]) => [key, matchName]))).toEqual({
      ca: 'prod-ca',
      'etcd-ca': 'prod-etcd',
      'proxy-ca': 'prod-proxy',
      sa: 'prod-sa',
      encryption: 'prod-encryption',
    });
    expect(condition(asked)).toMatchObject({ status: 'Unknown', reason: 'Reading' });
    expect(asked.compositeReady).toBe('False');
  });

  test('once known to be absent they are created, immutable, and nothing is recorded before they are stored', () => {
    expect(keys(made)).toEqual(BASE);
    for (const key of ONCE_MADE)
      expect(objects(made)[key]).toMatchObject({
        immutable: true,
        type: 'cluster.x-k8s.io/secret',
        metadata: { namespace: 'team-a', labels: { 'cluster.x-k8s.io/cluster-name': 'prod' } },
      });
    expect(condition(made)).toMatchObject({ status: 'False', reason: 'Creating' });
    expect(made.status).toEqual({});
    expect(readyKeys(made)).toEqual([]);
    expect(made.ttl).toBe(10);
  });

  test('once observed they are desired byte for byte as they are stored, and recorded', () => {
    for (const key of ONCE_MADE) expect(objects(read)[key]).toEqual(objects(made)[key]);
    expect(readyKeys(read)).toEqual(BASE);
    expect(condition(read)).toEqual({ type: 'CertificatesAvailable', status: 'True', reason: 'Available' });
    const hash = expect.stringMatching(/^sha256:[0-9a-f]{64}$/) as string;
    const record = (name: string) => ({ name: `prod-${name}`, origin: 'Made', fingerprint: hash });
    expect(read.status).toEqual({
      certificates: {
        caCertHash: hash,
        provider: 'kubeadm',
        secrets: {
          ca: record('ca'),
          'etcd-ca': record('etcd'),
          'proxy-ca': record('proxy'),
          sa: record('sa'),
          encryption: { name: 'prod-encryption', origin: 'Made' },
        },
      },
    });
  });

  test('without an endpoint there is no kubeconfig, and the Cluster is not ready', () => {
    expect(keys(read)).not.toContain('kubeconfig');
    expect(read.compositeReady).toBe('False');
  });

  test('the kubeconfig is created as soon as the step before sets the endpoint, in the same call', () => {
    expect(keys(found)).toEqual([...BASE, 'kubeconfig']);
    expect(decoded(objects(found)['kubeconfig'], 'value')).toContain('server: https://api.example.com:6443');
    const ca = new X509Certificate(decoded(secrets['ca'], 'tls.crt'));
    expect(clientOf(found).verify(ca.publicKey)).toBe(true);
    expect(objects(found)['kubeconfig'], 'it is issued again').not.toHaveProperty('immutable');
    expect(objects(found)['node-provider-config']!.spec).toEqual({
      credentials: { secretRef: { name: 'prod-kubeconfig', key: 'value' } },
    });
    expect(found.status, 'what the step before wrote is kept').toMatchObject({ infrastructure: { ready: true } });
    expect(found.status, 'an object that is not stored is not referred to').not.toHaveProperty('kubeconfigSecretRef');
  });

  test('a settled cluster gets the same answer again, all its objects are ready, and its time to live is long', async () => {
    expect(objects(settled)).toEqual(objects(found));
    expect(readyKeys(settled)).toEqual(keys(settled));
    expect(settled.compositeReady).toBe('Unspecified');
    expect(settled.status).toEqual({ ...read.status, kubeconfigSecretRef: { name: 'prod-kubeconfig' } });
    expect(settled.ttl).toBe(600);
    expect(textOf(await answer(complete))).toBe(textOf(settled));
  });

  test.for([
    { name: 'a day before half of its year has passed', now: '2026-07-01T00:00:00Z', same: true },
    { name: 'once less than half of its year is left', now: '2026-07-03T00:00:00Z', same: false },
    { name: 'long after it expired', now: '2029-01-01T00:00:00Z', same: false },
  ])('the kubeconfig is the same $name: $same', async ({ now, same }) => {
    const later = await answer(complete, now);
    const { kubeconfig: before, ...others } = objects(settled);
    const { kubeconfig: after, ...stayed } = objects(later);
    expect(decoded(after, 'value') === decoded(before, 'value')).toBe(same);
    expect(clientOf(later).validToDate.getTime()).toBeGreaterThan(Date.parse(now));
    expect(stayed, 'no other object is created again').toEqual(others);
    expect(readyKeys(later), 'a new certificate is no outage').toEqual(keys(later));
  });

  test('a new kubeconfig, once stored, is kept for another half of a year', async () => {
    const renewed = await answer(complete, '2026-07-03T00:00:00Z');
    const kept = await answer({ ...complete, observed: stored(renewed) }, '2026-12-31T00:00:00Z');
    expect(objects(kept)).toEqual(objects(renewed));
  });

  test('another endpoint creates another kubeconfig; an endpoint that is lost keeps it', async () => {
    const status = { ...read.status, controlPlaneEndpoint: { host: 'fd00::1', port: 443 } };
    const moved = await answer({ ...complete, status });
    expect(decoded(objects(moved)['kubeconfig'], 'value')).toContain('https://[fd00::1]:443');
    const lost = await answer({ ...complete, status: read.status });
    expect(objects(lost)).toEqual(objects(settled));
  });

  test('the laws hold at every step where nothing is created', async () => {
    for (const stage of [{}, { observed: secrets, required: ABSENT }, complete]) {
      await expectPure(run, request(stage));
      await expectOrderBlind(run, request(stage));
      await expectNeverSmaller(run, request(stage));
    }
    await expectIdempotent(run, request({ ...complete, required: ABSENT }));
    await expectNeverSmaller(run, request({ ...complete, required: ABSENT }));
  });
});
