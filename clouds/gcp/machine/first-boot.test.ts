/** The two scripts that fetch first-boot data, run with a fake metadata service and a fake Secret Manager. */
import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isBoothook } from '#lib/cloud/boothook.ts';
import { type Answer, type Ran, runOnHost } from '#lib/cloud/played-store.fixture.ts';
import { bootStub } from './boot-stub.ts';
import { fetchScript } from './fetch-script.ts';
import { DESTROYED, FETCHED, playGcp, version } from './secret-manager.fixture.ts';

const PLACE = { secret: 'fake' };
const TEXT = '#cloud-config\nhostname: Zoë\n';
const DENIED: Answer = { status: 403, body: { error: { message: 'Permission denied' } } };

let folder = '';
let calls: readonly string[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-gcp-'));
  mkdirSync(join(folder, 'var/lib/cloud/instance'), { recursive: true });
  mkdirSync(join(folder, 'etc/cloud/cloud.cfg.d'), { recursive: true });
});

afterEach(() => rmSync(folder, { recursive: true }));

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
  const data = () => join(folder, 'var/lib/cloud/instance/slipway-first-boot.cfg');
  const link = () => join(folder, 'etc/cloud/cloud.cfg.d/95-slipway-first-boot.cfg');

  const boot = (answers: readonly Answer[], changes: Readonly<Record<string, string>> = {}): Promise<Ran> =>
    run(Buffer.from(bootStub(PLACE)).toString().replace('#cloud-boothook\n', ''), answers, (url) => ({
      'http://169.254.169.254/': url,
      'https://secretmanager.googleapis.com/': url,
      '"/var/lib': `"${folder}/var/lib`,
      '"/etc/cloud': `"${folder}/etc/cloud`,
      'time.sleep(5)': 'time.sleep(0.01)',
      ...changes,
    }));

  test('is recognised, and only says where the data is', () => {
    expect(isBoothook(bootStub(PLACE))).toBe(true);
    expect(Buffer.from(bootStub(PLACE)).toString()).toContain('WHERE = {"secret":"fake"}');
  });

  test('fetches the data, stores it where only root and cloud-init can read it, and destroys the version', async () => {
    expect(await boot([version(TEXT)])).toEqual({ code: 0, log: '' });
    expect(readFileSync(link(), 'utf8')).toBe(TEXT);
    expect(lstatSync(link()).isSymbolicLink()).toBe(true);
    expect(statSync(data()).mode & 0o777).toBe(0o600);
    expect(calls).toEqual([FETCHED, DESTROYED]);
  });

  test('unpacks data that was packed to fit', async () => {
    expect((await boot([version(gzipSync(TEXT))])).code).toBe(0);
    expect(readFileSync(data(), 'utf8')).toBe(TEXT);
  });

  test('waits for a role and a secret that do not exist yet', async () => {
    expect((await boot([DENIED, { status: 404, body: {} }, version(TEXT)])).code).toBe(0);
    expect(readFileSync(data(), 'utf8')).toBe(TEXT);
  });

  test('logs the name of the secret and the cause when it never arrives, and leaves no files behind', async () => {
    const { code, log } = await boot([DENIED], { 'SECONDS = 600': 'SECONDS = -1' });
    expect([code, existsSync(data())]).toEqual([1, false]);
    expect(log).toBe(
      `slipway: cannot fetch first-boot data fake: HTTP Error 403: Forbidden: ${JSON.stringify(DENIED.body)}\n`,
    );
  });

  test('continues the boot when the version cannot be destroyed', async () => {
    const { code, log } = await boot([version(TEXT), DENIED]);
    expect([code, existsSync(data())]).toEqual([0, true]);
    expect(log).toContain('slipway: cannot delete first-boot data fake: ');
  });

  test('makes no request on a later boot', async () => {
    await boot([version(TEXT)]);
    await boot([]);
    expect(calls).toEqual([]);
  });
});

const missing = ['curl', 'jq'].filter((name) => spawnSync(name, ['--version']).error !== undefined);
if (missing.length > 0)
  process.stdout.write(`skipped: fetching for Ignition: ${missing.join(' and ')} not installed\n`);

describe.skipIf(missing.length > 0)('the script of Ignition', () => {
  const file = () => join(folder, 'etc/kubernetes/fake.conf');
  const sealed = (): string =>
    JSON.stringify({
      storage: {
        files: [
          {
            path: file(),
            mode: 0o600,
            user: { id: process.getuid?.() ?? 0 },
            group: { id: process.getgid?.() ?? 0 },
            contents: { source: `data:;base64,${Buffer.from('fake-secret').toString('base64')}` },
          },
        ],
      },
    });

  const boot = (answers: readonly Answer[], changes: Readonly<Record<string, string>> = {}): Promise<Ran> =>
    run(fetchScript(PLACE), answers, (url) => ({
      'http://169.254.169.254/': url,
      'https://secretmanager.googleapis.com/': url,
      '/var/lib/slipway': join(folder, 'var'),
      'sleep 5': 'sleep 0',
      ...changes,
    }));

  test.for([
    { name: 'as text', pack: (text: string) => Buffer.from(text) },
    { name: 'packed', pack: (text: string) => gzipSync(text) },
  ])('writes the files of the sealed part, which is $name, and destroys the version', async ({ pack }) => {
    expect(await boot([version(pack(sealed()))])).toEqual({ code: 0, log: '' });
    expect(readFileSync(file(), 'utf8')).toBe('fake-secret');
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(existsSync(join(folder, 'var/first-boot-fetched'))).toBe(true);
    expect(existsSync(join(folder, 'var/first-boot-fetched.part'))).toBe(false);
    expect(calls).toEqual([FETCHED, DESTROYED]);
  });

  test('waits for a role and a secret that do not exist yet', async () => {
    expect((await boot([DENIED, { status: 404, body: {} }, version(sealed())])).code).toBe(0);
    expect(readFileSync(file(), 'utf8')).toBe('fake-secret');
  });

  test('fails with name and cause when the data never arrives, and marks nothing', async () => {
    const { code, log } = await boot([DENIED], { '+ 600': '- 1' });
    expect([code, existsSync(join(folder, 'var/first-boot-fetched'))]).toEqual([1, false]);
    expect(log).toMatch(/^slipway: cannot fetch first-boot data fake: curl: \(22\).*403/);
  });

  test('passes the token to curl on its standard input only', () => {
    const lines = fetchScript(PLACE).split('\n');
    expect(lines.filter((line) => line.includes('access_token') && line.includes('curl'))).toEqual([]);
  });
});
