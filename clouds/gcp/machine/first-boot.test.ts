/** The two scripts that fetch first-boot data, run with a fake metadata service and a fake Secret Manager. */
import { existsSync, lstatSync, readFileSync, statSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { isBoothook } from '#lib/cloud/boothook.ts';
import { boothookScript, canFetch, firstBootHost } from '#lib/cloud/first-boot-host.fixture.ts';
import { type Answer, type Ran, runOnHost } from '#lib/cloud/played-store.fixture.ts';
import { bootStub } from './boot-stub.ts';
import { fetchScript } from './fetch-script.ts';
import { FETCHED, playGcp, version } from './secret-manager.fixture.ts';

const PLACE = { secret: 'fake' };
const TEXT = '#cloud-config\nhostname: Zoë\n';
const DENIED: Answer = { status: 403, body: { error: { message: 'Permission denied' } } };

const host = firstBootHost();
let calls: readonly string[] = [];

async function run(
  script: string,
  answers: readonly Answer[],
  places: (url: string) => Readonly<Record<string, string>>,
): Promise<Ran> {
  const played = await playGcp(...answers);
  const ran = await runOnHost(script, places(played.url));
  played.stop();
  calls = played.calls;
  return ran;
}

describe('the script of cloud-init', () => {
  const boot = (answers: readonly Answer[], changes: Readonly<Record<string, string>> = {}): Promise<Ran> =>
    run(boothookScript(bootStub(PLACE)), answers, (url) => ({
      'http://169.254.169.254/': url,
      'https://secretmanager.googleapis.com/': url,
      ...host.placesOfBoothook(),
      ...changes,
    }));

  test('is recognised, and only says where the data is', () => {
    expect(isBoothook(bootStub(PLACE))).toBe(true);
    expect(Buffer.from(bootStub(PLACE)).toString()).toContain('WHERE = {"secret":"fake"}');
  });

  test('fetches the data, stores it where only root and cloud-init can read it, and asks for nothing else', async () => {
    expect(await boot([version(TEXT)])).toEqual({ code: 0, log: '' });
    expect(readFileSync(host.link(), 'utf8')).toBe(TEXT);
    expect(lstatSync(host.link()).isSymbolicLink()).toBe(true);
    expect(statSync(host.data()).mode & 0o777).toBe(0o600);
    expect(calls).toEqual([FETCHED]);
  });

  test('unpacks data that was packed to fit', async () => {
    expect((await boot([version(gzipSync(TEXT))])).code).toBe(0);
    expect(readFileSync(host.data(), 'utf8')).toBe(TEXT);
  });

  test('waits for a role and a secret that do not exist yet', async () => {
    expect((await boot([DENIED, { status: 404, body: {} }, version(TEXT)])).code).toBe(0);
    expect(readFileSync(host.data(), 'utf8')).toBe(TEXT);
  });

  test('logs the name of the secret and the cause when it never arrives, and leaves no files behind', async () => {
    const { code, log } = await boot([DENIED], { 'SECONDS = 600': 'SECONDS = -1' });
    expect([code, existsSync(host.data())]).toEqual([1, false]);
    expect(log).toBe(
      `slipway: cannot fetch first-boot data fake: HTTP Error 403: Forbidden: ${JSON.stringify(DENIED.body)}\n`,
    );
  });

  test('makes no request on a later boot', async () => {
    await boot([version(TEXT)]);
    await boot([]);
    expect(calls).toEqual([]);
  });
});

describe.skipIf(!canFetch())('the script of Ignition', () => {
  const boot = (answers: readonly Answer[], changes: Readonly<Record<string, string>> = {}): Promise<Ran> =>
    run(fetchScript(PLACE), answers, (url) => ({
      'http://169.254.169.254/': url,
      'https://secretmanager.googleapis.com/': url,
      ...host.placesOfFetch(),
      ...changes,
    }));

  test.for([
    { name: 'as text', pack: (text: string) => Buffer.from(text) },
    { name: 'packed', pack: (text: string) => gzipSync(text) },
  ])('writes the files of the sealed part, which is $name, and asks for nothing else', async ({ pack }) => {
    expect(await boot([version(pack(host.sealed()))])).toEqual({ code: 0, log: '' });
    expect(readFileSync(host.file(), 'utf8')).toBe('fake-secret');
    expect(statSync(host.file()).mode & 0o777).toBe(0o600);
    expect(host.isMarkedFetched()).toBe(true);
    expect(host.isHalfFetched()).toBe(false);
    expect(calls).toEqual([FETCHED]);
  });

  test('waits for a role and a secret that do not exist yet', async () => {
    expect((await boot([DENIED, { status: 404, body: {} }, version(host.sealed())])).code).toBe(0);
    expect(readFileSync(host.file(), 'utf8')).toBe('fake-secret');
  });

  test('fails with name and cause when the data never arrives, and marks nothing', async () => {
    const { code, log } = await boot([DENIED], { '+ 600': '- 1' });
    expect([code, host.isMarkedFetched()]).toEqual([1, false]);
    expect(log).toMatch(/^slipway: cannot fetch first-boot data fake: curl: \(22\).*403/);
  });

  test('passes the token to curl on its standard input only', () => {
    const lines = fetchScript(PLACE).split('\n');
    expect(lines.filter((line) => line.includes('access_token') && line.includes('curl'))).toEqual([]);
  });
});
