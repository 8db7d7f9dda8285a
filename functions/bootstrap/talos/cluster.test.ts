import { X509Certificate } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import type { ReplyData } from '#lib/fn/reply.ts';
import { aCluster } from '../../../test/support/claims.ts';
import {
  expectIdempotent,
  expectNeverSmaller,
  expectOrderBlind,
  expectPure,
} from '../../../test/support/function-laws.ts';
import { aRequest, aWorld, frozen, type RequestParts } from '../../../test/support/request.ts';
import { run } from '../fn.ts';

const ONCE = ['ca', 'etcd-ca', 'proxy-ca', 'sa', 'talos-ca', 'talos'];
const ABSENT = Object.fromEntries(ONCE.map((key) => [key, []]));

type Stage = Omit<RequestParts, 'composite'> & { readonly status?: JsonObject };
const request = ({ status = {}, ...rest }: Stage) =>
  aRequest({ composite: aCluster({ spec: { bootstrap: { provider: 'talos' } }, status }), ...rest });
const answer = async (stage: Stage, now = '2026-01-01T00:00:00Z'): Promise<ReplyData> =>
  (await run(frozen(request(stage)), aWorld(now))).build();

const objects = ({ resources }: ReplyData): Record<string, KubeObject> =>
  Object.fromEntries([...resources].map(([key, { resource }]) => [key, resource]));
const decoded = (secret: KubeObject | undefined, key: string): string =>
  Buffer.from(stringAt(secret, 'data', key) ?? '', 'base64').toString();

function contextOf(secret: KubeObject | undefined): { readonly ca: string; readonly crt: X509Certificate } {
  const config = parse(decoded(secret, 'talosconfig')) as { contexts: { prod: { ca: string; crt: string } } };
  const { ca, crt } = config.contexts.prod;
  return { ca: Buffer.from(ca, 'base64').toString(), crt: new X509Certificate(Buffer.from(crt, 'base64')) };
}

describe('the Secrets of a Talos cluster are created step by step', async () => {
  const asked = await answer({});
  const made = await answer({ required: ABSENT });
  const secrets = Object.fromEntries(ONCE.map((key) => [key, objects(made)[key]!]));
  const read = await answer({ observed: secrets, required: ABSENT });
  const complete = { observed: { ...secrets, talosconfig: objects(read)['talosconfig']! }, status: read.status };
  const settled = await answer(complete);

  test('nothing is created before the Secrets were looked up: each is requested by name', () => {
    expect(Object.fromEntries([...asked.requirements].map(([key, { matchName }]) => [key, matchName]))).toEqual({
      ca: 'prod-ca',
      'etcd-ca': 'prod-etcd',
      'proxy-ca': 'prod-proxy',
      sa: 'prod-sa',
      'talos-ca': 'prod-talos-ca',
      talos: 'prod-talos',
    });
    expect(Object.keys(objects(asked))).toEqual(['node-provider-config']);
  });

  test('once known to be absent they are created, each exactly once', () => {
    for (const key of ONCE) expect(objects(made)[key]).toMatchObject({ immutable: true });
    expect(objects(made)).not.toHaveProperty('talosconfig');
    expect(Object.keys(objects(made)['talos']!['data'] as JsonObject)).toEqual([
      'id',
      'secret',
      'bootstraptoken',
      'trustdtoken',
      'secretboxencryptionsecret',
    ]);
    expect(decoded(objects(made)['talos'], 'bootstraptoken')).not.toBe(decoded(objects(made)['talos'], 'trustdtoken'));
  });

  test('the Talos API has an authority of its own, under the label that Talos reads', () => {
    const cert = new X509Certificate(decoded(secrets['talos-ca'], 'tls.crt'));
    expect([cert.ca, cert.publicKey.asymmetricKeyType]).toEqual([true, 'ed25519']);
    expect(decoded(secrets['talos-ca'], 'tls.key')).toMatch(/^-----BEGIN ED25519 PRIVATE KEY-----\n/);
    for (const key of ['ca', 'etcd-ca', 'proxy-ca'])
      expect(decoded(secrets[key], 'tls.key')).toMatch(/^-----BEGIN EC PRIVATE KEY-----\n/);
    expect(decoded(secrets['sa'], 'tls.key')).toMatch(/^-----BEGIN RSA PRIVATE KEY-----\n/);
  });

  test('once observed, the talosconfig of an administrator is created from them', () => {
    const { ca, crt } = contextOf(objects(read)['talosconfig']);
    expect(ca).toBe(decoded(secrets['talos-ca'], 'tls.crt'));
    expect(crt.verify(new X509Certificate(ca).publicKey)).toBe(true);
    expect(crt.subject).toContain('O=os:admin');
    expect(objects(read)['talosconfig']).toMatchObject({ metadata: { name: 'prod-talosconfig' } });
    expect(objects(read)['talosconfig'], 'it is issued again').not.toHaveProperty('immutable');
  });

  test.for([
    { name: 'a day before half of its year has passed', now: '2026-07-01T00:00:00Z', same: true },
    { name: 'once less than half of its year is left', now: '2026-07-03T00:00:00Z', same: false },
  ])('the talosconfig is the same $name: $same', async ({ now, same }) => {
    const later = objects(await answer(complete, now));
    expect(decoded(later['talosconfig'], 'talosconfig') === decoded(complete.observed.talosconfig, 'talosconfig')).toBe(
      same,
    );
    expect(contextOf(later['talosconfig']).crt.validToDate.getTime()).toBeGreaterThan(Date.parse(now));
  });

  test.for([
    ['no YAML', '{'],
    ['another cluster’s', 'context: other\ncontexts: {other: {}}\n'],
    ['without a key', 'context: prod\ncontexts: {prod: {ca: eA==}}\n'],
  ])('a talosconfig that is %s is created again', async ([, text]) => {
    const spoilt = { ...complete.observed.talosconfig, data: { talosconfig: Buffer.from(text!).toString('base64') } };
    const mended = objects(await answer({ ...complete, observed: { ...complete.observed, talosconfig: spoilt } }));
    expect(contextOf(mended['talosconfig']).crt.subject).toContain('O=os:admin');
  });

  test('the talosconfig stays while the other Secrets cannot be observed', async () => {
    const { talosconfig } = complete.observed;
    expect(objects(await answer({ observed: { talosconfig } }))['talosconfig']!['data']).toEqual(talosconfig['data']);
  });

  test.for(ONCE)('%s, when recorded and gone, is never created again', async (key) => {
    const { [key]: _gone, ...rest } = complete.observed as Record<string, KubeObject>;
    await expect(answer({ ...complete, observed: rest, required: ABSENT })).rejects.toMatchObject({
      code: 'UnreadableSecret',
    });
  });

  test('a settled cluster gets the same answer again, and the laws hold', async () => {
    expect(objects(settled)['talosconfig']).toEqual(objects(read)['talosconfig']);
    // At steps that create nothing, because new keys differ every time.
    for (const stage of [{}, complete]) {
      await expectOrderBlind(run, request(stage));
      await expectNeverSmaller(run, request(stage));
    }
    await expectPure(run, request(complete));
    await expectIdempotent(run, request({ ...complete, required: ABSENT }));
  });
});
