/** The script that fetches the sealed part, run by sh with a fake metadata service and a fake Secrets Manager. */
import { spawnSync } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { at, type Json, stringAt } from '#lib/api/json.ts';
import { ignitionStub, isIgnitionStub } from '#lib/cloud/ignition-stub.ts';
import { fetchScript } from './fetch-script.ts';
import { hostOf, type Place } from './place.ts';
import { type Answer, type Ran, runOnHost } from '#lib/cloud/played-store.fixture.ts';
import { type ApiCall, playAws, ROLE } from './secrets-manager.fixture.ts';

const PLACE = { region: 'eu-west-1', host: hostOf('eu-west-1'), secret: 'slipway/team-a/prod/node/fake' };
const OPEN = { ignition: { version: '3.3.0' }, storage: { files: [{ path: '/etc/motd' }] } };

const stubOf = (open: object, place: Place = PLACE): Json =>
  JSON.parse(
    Buffer.from(
      ignitionStub(fetchScript(place), {
        open: Buffer.from(JSON.stringify(open)),
        sealed: Buffer.from('fake-sealed'),
        before: 'slipway-bootstrap.service',
      }),
    ).toString(),
  ) as Json;
const bytesOf = (resource: Json | undefined): Buffer =>
  Buffer.from((stringAt(resource, 'source') ?? '').replace('data:;base64,', ''), 'base64');
const files = (stub: Json): Json[] => at(stub, 'storage', 'files') as Json[];
const scriptOf = (stub: Json): string => bytesOf(at(files(stub)[0], 'contents')).toString();

describe('the configuration', () => {
  test('merges the open part, packed, in its own specification', () => {
    const stub = stubOf(OPEN);
    const [merged] = at(stub, 'ignition', 'config', 'merge') as Json[];
    expect(JSON.parse(gunzipSync(bytesOf(merged)).toString())).toEqual(OPEN);
    expect(at(stub, 'ignition', 'version')).toBe('3.3.0');
  });

  test('prevents the host from becoming a node before the files are there, and only says where they are', () => {
    const stub = stubOf(OPEN);
    const [unit] = at(stub, 'systemd', 'units') as Json[];
    expect(stringAt(unit, 'contents')).toMatch(
      /^Before=slipway-bootstrap\.service$[^]*^RequiredBy=slipway-bootstrap\.service$/m,
    );
    expect(scriptOf(stub)).toContain(`secret='${PLACE.secret}'`);
    expect(JSON.stringify(stub)).not.toContain(Buffer.from('fake-sealed').toString('base64'));
  });

  test('differs from other configurations', () => {
    expect(isIgnitionStub(Buffer.from(JSON.stringify(stubOf(OPEN))))).toBe(true);
    expect(isIgnitionStub(Buffer.from(JSON.stringify(OPEN)))).toBe(false);
  });
});

const missing = ['curl', 'jq'].filter((name) => spawnSync(name, ['--version']).error !== undefined);
if (missing.length > 0)
  process.stdout.write(`skipped: fetching for Ignition: ${missing.join(' and ')} not installed\n`);

describe.skipIf(missing.length > 0)('on the host', () => {
  let folder = '';
  let calls: readonly ApiCall[] = [];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-ignition-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  const BYTES = Buffer.from([0, 255, 13, 10, 37, 123, 123, 39]);
  const file = (path: string, bytes: Buffer, mode: number) => ({
    path: join(folder, path),
    mode,
    user: { id: uid },
    group: { id: gid },
    contents: { source: `data:;base64,${bytes.toString('base64')}` },
  });
  const sealed = (): string =>
    JSON.stringify({
      storage: { files: [file('etc/a b', BYTES, 0o600), file('etc/deep/b.sh', Buffer.from('über\n'), 0o755)] },
    });

  /** Runs the script as the unit does, with paths of this machine instead of those of the instance. */
  async function boot(
    answers: readonly Answer[],
    changes: Readonly<Record<string, string>> = {},
    proxy?: Place['proxy'],
  ): Promise<Ran> {
    const played = await playAws(...answers);
    const places = {
      'http://169.254.169.254/': played.url,
      '"https://$host/"': played.url,
      '/var/lib/slipway': join(folder, 'var'),
      'sleep 5': 'sleep 0',
      ...(proxy === undefined ? {} : { [proxy.https ?? '']: played.url }),
      ...changes,
    };
    const ran = await runOnHost(scriptOf(stubOf(OPEN, { ...PLACE, proxy })), places);
    played.stop();
    calls = played.calls;
    return ran;
  }

  const written = (path: string) => ({
    bytes: readFileSync(join(folder, path)),
    mode: statSync(join(folder, path)).mode & 0o777,
  });
  const done = () => existsSync(join(folder, 'var/first-boot-fetched'));
  const denied = { status: 400, body: { __type: 'AccessDeniedException', Message: 'fake-role is not authorized' } };

  test.for([
    { name: 'as text', body: () => ({ SecretString: sealed() }) },
    { name: 'packed to fit', body: () => ({ SecretBinary: gzipSync(sealed()).toString('base64') }) },
  ])('writes every file byte for byte, and deletes the secret permanently: $name', async ({ body }) => {
    expect(await boot([{ status: 200, body: body() }])).toEqual({ code: 0, log: '' });
    expect(written('etc/a b')).toEqual({ bytes: BYTES, mode: 0o600 });
    expect(written('etc/deep/b.sh')).toEqual({ bytes: Buffer.from('über\n'), mode: 0o755 });
    expect(done()).toBe(true);
    expect(existsSync(join(folder, 'var/first-boot-fetched.part'))).toBe(false);
    expect(calls.map(({ action, body: asked }) => [action, asked])).toEqual([
      ['secretsmanager.GetSecretValue', { SecretId: PLACE.secret }],
      ['secretsmanager.DeleteSecret', { SecretId: PLACE.secret, ForceDeleteWithoutRecovery: true }],
    ]);
  });

  test('signs the request as AWS requires, including the session', async () => {
    await boot([{ status: 200, body: { SecretString: sealed() } }]);
    const { headers, body } = calls[0]!;
    expect(headers['authorization']).toBe(signatureOf(headers, JSON.stringify(body)));
    expect(headers['authorization']).toContain('x-amz-security-token');
    expect(headers['authorization']).toContain('x-amz-target');
  });

  test('waits for a secret that does not exist yet', async () => {
    const { code } = await boot([denied, denied, { status: 200, body: { SecretString: sealed() } }]);
    expect([code, done()]).toEqual([0, true]);
  });

  test('waits as long while the clock of the host jumps, as it does when it is set', async () => {
    const clock = join(folder, 'clock');
    // Every time it is asked, ten hours have passed.
    const jumping = `set -eu\ndate() { echo . >>'${clock}'; echo "$(($(wc -l <'${clock}') * 36000))"; }`;
    const { code, log } = await boot([denied, denied, { status: 200, body: { SecretString: sealed() } }], {
      'set -eu': jumping,
    });
    expect([code, log, done()]).toEqual([0, '', true]);
  });

  test('asks Secrets Manager by the proxy of the claim, and the metadata service without it', async () => {
    // Without TLS, so that this proxy sees the request.
    const changes = { HTTPS_PROXY: 'HTTP_PROXY', https_proxy: 'http_proxy', '"$api"': 'http://api.example.com/' };
    const proxy = { https: 'http://proxy/', none: [] };
    expect(await boot([{ status: 200, body: { SecretString: sealed() } }], changes, proxy)).toEqual({
      code: 0,
      log: '',
    });
    expect(calls.map(({ proxied }) => proxied)).toEqual([true, true]);
  });

  test('appends to the file of the image', async () => {
    mkdirSync(join(folder, 'etc'));
    writeFileSync(join(folder, 'etc/hosts'), '127.0.0.1 localhost\n');
    const { contents, ...rest } = file('etc/hosts', Buffer.from('10.0.0.1 api\n'), 0o644);
    const body = { SecretString: JSON.stringify({ storage: { files: [{ ...rest, append: [contents] }] } }) };
    expect((await boot([{ status: 200, body }])).code).toBe(0);
    expect(written('etc/hosts')).toEqual({ bytes: Buffer.from('127.0.0.1 localhost\n10.0.0.1 api\n'), mode: 0o644 });
  });

  test('reports at once that the curl of the image cannot sign, and makes no request', async () => {
    const { code, log } = await boot([], { 'curl --version': 'echo "curl 7.84.0 (fake)"' });
    expect([code, calls]).toEqual([1, []]);
    expect(log).toBe(
      'slipway: cannot fetch first-boot data: this image has a curl older than 7.86, which cannot sign for AWS\n',
    );
  });

  test('does not print data that was cut off', async () => {
    const half = { status: 500, body: '{"SecretString":"fake-half' };
    const { log } = await boot([half], { '+ 600': '- 1' });
    expect(log).toBe(`slipway: cannot fetch first-boot data ${PLACE.secret}: the answer broke off\n`);
  });

  test('logs the name of the secret and the cause when it never arrives, and writes nothing', async () => {
    const { code, log } = await boot([denied], { '+ 600': '- 1' });
    expect(code).toBe(1);
    expect(log).toContain(`slipway: cannot fetch first-boot data ${PLACE.secret}: `);
    expect(log).toContain(JSON.stringify(denied.body));
    expect([done(), existsSync(join(folder, 'etc'))]).toEqual([false, false]);
  });

  test('writes nothing when the secret is not a configuration, and the host does not become a node', async () => {
    const { code } = await boot([{ status: 200, body: { SecretString: '#cloud-config\n' } }]);
    expect(code).not.toBe(0);
    expect(done()).toBe(false);
  });

  test('continues the boot when the secret cannot be deleted', async () => {
    const { code, log } = await boot([{ status: 200, body: { SecretString: sealed() } }, denied]);
    expect([code, done()]).toEqual([0, true]);
    expect(log).toContain(`slipway: cannot delete first-boot data ${PLACE.secret}: `);
  });
});

/** AWS Signature Version 4 of the headers that were signed. */
function signatureOf(headers: ApiCall['headers'], body: string): string {
  const names = /SignedHeaders=([^,]+)/.exec(String(headers['authorization']))?.[1] ?? '';
  const date = String(headers['x-amz-date']);
  const scope = `${date.slice(0, 8)}/${PLACE.region}/secretsmanager/aws4_request`;
  const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
  const lines = names.split(';').map((name) => `${name}:${String(headers[name])}`);
  const canonical = ['POST', '/', '', ...lines, '', names, digest(body)].join('\n');
  const text = ['AWS4-HMAC-SHA256', date, scope, digest(canonical)].join('\n');
  const key = scope
    .split('/')
    .reduce<Buffer>(
      (last, part) => createHmac('sha256', last).update(part).digest(),
      Buffer.from(`AWS4${ROLE.SecretAccessKey}`),
    );
  const signature = createHmac('sha256', key).update(text).digest('hex');
  return `AWS4-HMAC-SHA256 Credential=${ROLE.AccessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
}
