import { X509Certificate } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { SlipwayError } from '#lib/api/errors.ts';
import { type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import type { ReplyData } from '#lib/fn/reply.ts';
import type { Request } from '#lib/fn/request.ts';
import { aCluster } from '../../../test/support/claims.ts';
import { ENDPOINT, machineOf, machineRequest } from '../../../test/support/first-boot.ts';
import {
  expectIdempotent,
  expectNeverSmaller,
  expectOrderBlind,
  expectPure,
} from '../../../test/support/function-laws.ts';
import { aRequest, aWorld, frozen, type RequestParts } from '../../../test/support/request.ts';
import { run } from '../fn.ts';

const NAMES = {
  ca: 'prod-ca',
  'client-ca': 'prod-cca',
  'proxy-ca': 'prod-proxy',
  'etcd-ca': 'prod-etcd',
  'etcd-peer-ca': 'prod-peer-etcd',
  sa: 'prod-sa',
  token: 'prod-token',
  'agent-token': 'prod-agent-token',
};
const ONCE_MADE = Object.keys(NAMES);
const ABSENT = Object.fromEntries(ONCE_MADE.map((key) => [key, []]));

type Stage = Omit<RequestParts, 'composite'> & { readonly status?: JsonObject };

const requestOf = (provider: string, { status = {}, ...rest }: Stage) =>
  aRequest({ composite: aCluster({ spec: { bootstrap: { provider } }, status }), ...rest });
const answer = async (provider: string, stage: Stage): Promise<ReplyData> =>
  (await run(frozen(requestOf(provider, stage)), aWorld('2026-01-01T00:00:00Z'))).build();
const objects = ({ resources }: ReplyData): Record<string, KubeObject> =>
  Object.fromEntries([...resources].map(([key, { resource }]) => [key, resource]));
const decoded = (secret: KubeObject | undefined, key: string) =>
  Buffer.from(stringAt(secret, 'data', key) ?? '', 'base64').toString();

async function refused(request: Request): Promise<SlipwayError> {
  try {
    await run(request, aWorld());
  } catch (thrown) {
    if (thrown instanceof SlipwayError) return thrown;
    throw thrown;
  }
  throw new Error('it was not refused');
}

/** Secrets as the API server and Crossplane return them. */
function stored(reply: ReplyData): Record<string, KubeObject> {
  return Object.fromEntries(
    Object.entries(objects(reply)).map(([key, object]) => [
      key,
      { ...object, metadata: { ...object.metadata, uid: `uid-${key}`, resourceVersion: '7' } },
    ]),
  );
}

describe.for(['k3s', 'rke2'])('the Secrets of a cluster of %s are created step by step', async (provider) => {
  const asked = await answer(provider, {});
  const made = await answer(provider, { required: ABSENT });
  const secrets = stored(made);
  const read = await answer(provider, { observed: secrets });
  const status = { ...read.status, controlPlaneEndpoint: ENDPOINT };
  const found = await answer(provider, { observed: secrets, status });
  const complete = { observed: stored(found), status };
  const settled = await answer(provider, complete);

  test('every Secret is requested by its name in Cluster API where it has one, and nothing is created before', () => {
    expect(Object.fromEntries([...asked.requirements].map(([key, { matchName }]) => [key, matchName]))).toEqual(NAMES);
    expect([...asked.resources.keys()]).toEqual(['node-provider-config']);
  });

  test('once known to be absent they are created, immutable; once observed they stay byte for byte', () => {
    expect([...made.resources.keys()]).toEqual([...ONCE_MADE, 'node-provider-config']);
    for (const key of ONCE_MADE) {
      expect(objects(made)[key]).toMatchObject({ immutable: true, type: 'cluster.x-k8s.io/secret' });
      expect(objects(read)[key]).toEqual(objects(made)[key]);
    }
    expect(objects(settled)).toEqual(objects(found));
    expect(settled.ttl).toBe(600);
  });

  test('the kubeconfig trusts the server authority and is signed by the client authority', () => {
    const { clusters, users } = parse(decoded(objects(found)['kubeconfig'], 'value')) as {
      clusters: { cluster: Record<string, string> }[];
      users: { user: Record<string, string> }[];
    };
    const authority = Buffer.from(clusters[0]!.cluster['certificate-authority-data']!, 'base64').toString();
    expect(authority).toBe(decoded(secrets['ca'], 'tls.crt'));
    const client = new X509Certificate(Buffer.from(users[0]!.user['client-certificate-data']!, 'base64'));
    expect(client.verify(new X509Certificate(decoded(secrets['client-ca'], 'tls.crt')).publicKey)).toBe(true);
    expect(client.verify(new X509Certificate(authority).publicKey)).toBe(false);
  });

  test.for(ONCE_MADE)(
    '%s: a Secret that was created and is gone is an error, for the Cluster and for the machine that starts it',
    async (key) => {
      const { [key]: _gone, ...rest } = secrets;
      const cluster = aCluster({ spec: { bootstrap: { provider } }, status });
      const machine = machineRequest({ cluster, secrets }, machineOf('init', {}, {}, provider));
      const requests = [
        requestOf(provider, { observed: rest, required: ABSENT, status }),
        { ...machine, required: new Map([...machine.required, [key, []]]) },
      ];
      for (const request of requests) {
        const error = await refused(request);
        expect(error).toMatchObject({
          code: 'UnreadableSecret',
          message: expect.stringContaining('it was created and no longer exists'),
        });
        for (const secret of Object.values(secrets))
          for (const field of ['tls.key', 'value'].filter((one) => decoded(secret, one) !== ''))
            expect(error.message.includes(decoded(secret, field))).toBe(false);
      }
    },
  );

  test('the laws hold where nothing is created', async () => {
    for (const stage of [{}, { observed: secrets, required: ABSENT }, complete]) {
      await expectPure(run, requestOf(provider, stage));
      await expectOrderBlind(run, requestOf(provider, stage));
      await expectNeverSmaller(run, requestOf(provider, stage));
    }
    await expectIdempotent(run, requestOf(provider, complete));
  });
});
