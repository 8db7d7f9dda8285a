/** The two scripts that fetch first-boot data, run with a fake metadata service and a fake Key Vault. */
import { existsSync, lstatSync, readFileSync, statSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { isBoothook } from '#lib/cloud/boothook.ts';
import { boothookScript, canFetch, firstBootHost } from '#lib/cloud/first-boot-host.fixture.ts';
import { type Answer, type Ran, runOnHost } from '#lib/cloud/played-store.fixture.ts';
import { bootStub } from './boot-stub.ts';
import { fetchScript } from './fetch-script.ts';
import { IDENTITY, playAzure, secret } from './key-vault.fixture.ts';

const placeOf = (parts: number) => ({
  secret: 'https://fake.vault.azure.net/secrets/fake',
  parts,
  identity: IDENTITY,
  domain: 'vault.azure.net',
});
const TEXT = '#cloud-config\nhostname: Zoë\n';
const DENIED: Answer = { status: 403, body: { error: { code: 'Forbidden', message: 'Caller is not authorized' } } };
const WHOLE = '/secrets/fake';

/** Gzipped, in base64, in parts that end anywhere. */
function cut(text: string, parts: number): readonly string[] {
  const all = gzipSync(text).toString('base64');
  const size = Math.ceil(all.length / parts);
  return Array.from({ length: parts }, (_, n) => all.slice(n * size, (n + 1) * size));
}

const host = firstBootHost();
let calls: readonly string[] = [];

async function run(
  script: string,
  answers: readonly Answer[],
  places: (url: string) => Readonly<Record<string, string>>,
): Promise<Ran> {
  const played = await playAzure(...answers);
  const ran = await runOnHost(script, places(played.url));
  played.stop();
  calls = played.calls;
  return ran;
}

test('where vaults have another domain, the token is for that one', () => {
  const place = { ...placeOf(0), secret: 'https://fake.vault.azure.cn/secrets/fake', domain: 'vault.azure.cn' };
  const scripts = [Buffer.from(bootStub(place)).toString(), fetchScript(place)];
  for (const script of scripts) {
    expect(script).toContain('https://fake.vault.azure.cn/secrets/fake');
    expect(script).not.toContain('vault.azure.net');
  }
});

describe('the script of cloud-init', () => {
  const boot = (parts: number, answers: readonly Answer[], changes: Readonly<Record<string, string>> = {}) =>
    run(boothookScript(bootStub(placeOf(parts))), answers, (url) => ({
      'http://169.254.169.254/': url,
      'https://fake.vault.azure.net/': url,
      ...host.placesOfBoothook(),
      ...changes,
    }));

  test('is recognised, and only says where the data is', () => {
    expect(isBoothook(bootStub(placeOf(0)))).toBe(true);
    expect(Buffer.from(bootStub(placeOf(2))).toString()).toContain(`WHERE = ${JSON.stringify(placeOf(2))}`);
  });

  test('fetches the data, and stores it where only root and cloud-init can read it', async () => {
    expect(await boot(0, [secret(TEXT)])).toEqual({ code: 0, log: '' });
    expect(readFileSync(host.link(), 'utf8')).toBe(TEXT);
    expect(lstatSync(host.link()).isSymbolicLink()).toBe(true);
    expect(statSync(host.data()).mode & 0o777).toBe(0o600);
    expect(calls).toEqual([WHOLE]);
  });

  test('puts the parts of larger data together, in their order', async () => {
    expect((await boot(3, cut(TEXT, 3).map(secret))).code).toBe(0);
    expect(readFileSync(host.data(), 'utf8')).toBe(TEXT);
    expect(calls).toEqual([0, 1, 2].map((part) => `${WHOLE}-${part}`));
  });

  test('waits for a role and a secret that do not exist yet, also for one of several parts', async () => {
    const [first = '', second = ''] = cut(TEXT, 2);
    const answers = [DENIED, secret(first), { status: 404, body: {} }, secret(first), secret(second)];
    expect((await boot(2, answers)).code).toBe(0);
    expect(readFileSync(host.data(), 'utf8')).toBe(TEXT);
  });

  test('logs the address of the secret and the cause when it never arrives, and leaves no files behind', async () => {
    const { code, log } = await boot(0, [DENIED], { 'SECONDS = 600': 'SECONDS = -1' });
    expect([code, existsSync(host.data())]).toEqual([1, false]);
    expect(log).toMatch(/^slipway: cannot fetch first-boot data http.*\/secrets\/fake: HTTP Error 403: Forbidden: /);
  });

  test('makes no request on a later boot', async () => {
    await boot(0, [secret(TEXT)]);
    await boot(0, []);
    expect(calls).toEqual([]);
  });
});

describe.skipIf(!canFetch())('the script of Ignition', () => {
  const boot = (parts: number, answers: readonly Answer[], changes: Readonly<Record<string, string>> = {}) =>
    run(fetchScript(placeOf(parts)), answers, (url) => ({
      'http://169.254.169.254/': url,
      'https://fake.vault.azure.net/': url,
      ...host.placesOfFetch(),
      ...changes,
    }));

  test.for([
    { name: 'one secret', parts: 0, answers: () => [secret(host.sealed())] },
    { name: 'three secrets', parts: 3, answers: () => cut(host.sealed(), 3).map(secret) },
  ])('writes the files of the sealed part, which is $name', async ({ parts, answers }) => {
    expect(await boot(parts, answers())).toEqual({ code: 0, log: '' });
    expect(readFileSync(host.file(), 'utf8')).toBe('fake-secret');
    expect(host.isMarkedFetched()).toBe(true);
    expect(host.isHalfFetched()).toBe(false);
    expect(calls).toHaveLength(Math.max(parts, 1));
  });

  test('waits for a role and a secret that do not exist yet', async () => {
    expect((await boot(0, [DENIED, { status: 404, body: {} }, secret(host.sealed())])).code).toBe(0);
    expect(readFileSync(host.file(), 'utf8')).toBe('fake-secret');
  });

  test('fails with address and cause when the data never arrives, and marks nothing', async () => {
    const { code, log } = await boot(0, [DENIED], { '+ 600': '- 1' });
    expect([code, host.isMarkedFetched()]).toEqual([1, false]);
    expect(log).toMatch(/^slipway: cannot fetch first-boot data http.*\/secrets\/fake: curl: \(22\).*403/);
  });

  test('passes the token to curl on its standard input only', () => {
    const lines = fetchScript(placeOf(0)).split('\n');
    expect(lines.filter((line) => line.includes('access_token') && line.includes('curl'))).toEqual([]);
  });
});
