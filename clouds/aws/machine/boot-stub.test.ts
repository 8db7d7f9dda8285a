/** The boot script itself, run by Python with a fake metadata service and a fake Secrets Manager. */
import { existsSync, lstatSync, readFileSync, statSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { JsonObject } from '#lib/api/json.ts';
import { Machine } from '#lib/api/kinds/machine.ts';
import { aMachine } from '../../../test/support/claims.ts';
import { isBoothook } from '#lib/cloud/boothook.ts';
import { boothookScript, firstBootHost } from '#lib/cloud/first-boot-host.fixture.ts';
import { sayableProxy } from '#lib/cloud/proxy.ts';
import { bootStub } from './boot-stub.ts';
import { hostOf, type Place } from './place.ts';
import { type Answer, type Ran, runOnHost } from '#lib/cloud/played-store.fixture.ts';
import { type ApiCall, playAws } from './secrets-manager.fixture.ts';

const PLACE = { region: 'eu-west-1', host: hostOf('eu-west-1'), secret: 'slipway/team-a/prod/node/fake' };
const TEXT = '#cloud-config\nhostname: Zoë\n';
/** The signature that botocore 1.44 computes for the first call at this time. */
const NOW = 'time.gmtime(1767225600)';
const SIGNATURE = '9f1d53de8973a50d84c4bd66813295bfb0fa4f758def108289e42497525a3cbb';

const host = firstBootHost();
let calls: readonly ApiCall[] = [];
let secrets: readonly Answer[] = [];

/** Runs the script as cloud-init does, with paths of this machine instead of those of the instance. */
async function boot(changes: Readonly<Record<string, string>> = {}, proxy?: Place['proxy']): Promise<Ran> {
  const played = await playAws(...secrets);
  const here = played.url;
  const places = {
    'http://169.254.169.254/': here,
    '"https://%s/" % WHERE["host"]': `"${here}"`,
    ...host.placesOfBoothook(),
    ...(proxy === undefined ? {} : { [proxy.https ?? '']: here }),
    ...changes,
  };
  const ran = await runOnHost(boothookScript(bootStub({ ...PLACE, proxy })), places);
  played.stop();
  calls = played.calls;
  return ran;
}

const data = () => host.data();
const link = () => host.link();
const denied = { __type: 'AccessDeniedException', Message: 'fake-role is not authorized' };

test('fetches the secret, stores it where only root and cloud-init can read it, and deletes it permanently', async () => {
  secrets = [{ status: 200, body: { SecretString: TEXT } }];
  expect(await boot()).toEqual({ code: 0, log: '' });
  expect(readFileSync(link(), 'utf8')).toBe(TEXT);
  expect(lstatSync(link()).isSymbolicLink()).toBe(true);
  expect(statSync(data()).mode & 0o777).toBe(0o600);
  expect(calls.map(({ action, body }) => [action, body])).toEqual([
    ['secretsmanager.GetSecretValue', { SecretId: PLACE.secret }],
    ['secretsmanager.DeleteSecret', { SecretId: PLACE.secret, ForceDeleteWithoutRecovery: true }],
  ]);
});

test('signs the request as AWS requires, including the session and the action', async () => {
  secrets = [{ status: 200, body: { SecretString: TEXT } }];
  await boot({ 'time.gmtime()': NOW });
  expect(calls[0]?.headers['authorization']).toBe(
    `AWS4-HMAC-SHA256 Credential=AKIAFAKE/20260101/eu-west-1/secretsmanager/aws4_request, SignedHeaders=content-type;host;x-amz-date;x-amz-security-token;x-amz-target, Signature=${SIGNATURE}`,
  );
});

test('unpacks data that was packed to fit', async () => {
  secrets = [{ status: 200, body: { SecretBinary: gzipSync(TEXT).toString('base64') } }];
  expect((await boot()).code).toBe(0);
  expect(readFileSync(data(), 'utf8')).toBe(TEXT);
});

test('waits for a secret that does not exist yet', async () => {
  secrets = [
    { status: 400, body: denied },
    { status: 400, body: { __type: 'ResourceNotFoundException' } },
    { status: 200, body: { SecretString: TEXT } },
  ];
  expect((await boot()).code).toBe(0);
  expect(readFileSync(data(), 'utf8')).toBe(TEXT);
});

test('logs the name of the secret and the cause when it never arrives, and leaves no files behind', async () => {
  secrets = [{ status: 400, body: denied }];
  const { code, log } = await boot({ 'SECONDS = 600': 'SECONDS = -1' });
  expect(code).toBe(1);
  expect(log).toBe(
    `slipway: cannot fetch first-boot data ${PLACE.secret}: HTTP Error 400: Bad Request: ${JSON.stringify(denied)}\n`,
  );
  expect(existsSync(data())).toBe(false);
});

test('continues the boot when the secret cannot be deleted', async () => {
  secrets = [
    { status: 200, body: { SecretString: TEXT } },
    { status: 400, body: denied },
  ];
  const { code, log } = await boot();
  expect([code, existsSync(data())]).toEqual([0, true]);
  expect(log).toContain(`slipway: cannot delete first-boot data ${PLACE.secret}: `);
});

test('asks Secrets Manager by the proxy of the claim, and the metadata service without it', async () => {
  secrets = [{ status: 200, body: { SecretString: TEXT } }];
  // Without TLS, so that this proxy sees the request.
  const changes = {
    HTTPS_PROXY: 'HTTP_PROXY',
    https_proxy: 'http_proxy',
    'API, headers': '"http://api.example.com/", headers',
  };
  expect(await boot(changes, { https: 'http://proxy/', none: [] })).toEqual({ code: 0, log: '' });
  expect(calls.map(({ proxied }) => proxied)).toEqual([true, true]);
});

test('says no proxy in user data that has a password or comes from a Secret', () => {
  const proxyOf = (proxy: JsonObject) =>
    sayableProxy(Machine.parse(aMachine({ spec: { provisioning: { proxy } } })))?.https;
  const https = 'http://proxy.example.com:3128';
  expect(proxyOf({ https })).toBe(https);
  expect(proxyOf({ https: 'http://user:fake@proxy.example.com:3128' })).toBeUndefined();
  expect(proxyOf({ httpsFrom: { secret: { name: 'prod-app', key: 'proxy' } } })).toBeUndefined();
  expect(proxyOf({ http: https })).toBeUndefined();
});

test('makes no request on a later boot', async () => {
  secrets = [{ status: 200, body: { SecretString: TEXT } }];
  await boot();
  expect(await boot()).toEqual({ code: 0, log: '' });
  expect(calls).toEqual([]);
});

test('differs from first-boot data by its first line, and is small', () => {
  expect(isBoothook(bootStub(PLACE))).toBe(true);
  expect(isBoothook(Buffer.from(TEXT))).toBe(false);
  expect(bootStub({ ...PLACE, secret: 'x'.repeat(512) }).length).toBeLessThan(16_384);
});

test('uses the domain of AWS in China', () => {
  expect(hostOf('cn-north-1')).toBe('secretsmanager.cn-north-1.amazonaws.com.cn');
});
