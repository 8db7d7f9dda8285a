import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { X509Certificate } from 'node:crypto';
import { connect } from 'node:tls';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { connectFunction } from '#lib/wire/client.ts';
import { type Authority, certificateFolder, type Identity, newAuthority } from '../support/certificates.ts';
import { ask, clientOf, running, start } from './function-process.ts';

let authority: Authority;
let stranger: Authority;
let server: Identity;
let client: Identity;

beforeAll(async () => {
  authority = await newAuthority('crossplane');
  stranger = await newAuthority('somebody else');
  server = await authority.issue('function-echo');
  client = await authority.issue('crossplane-client');
});

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-tls-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

function certificates(): string {
  return certificateFolder(server, aFolder());
}

describe('clients that may call a function', () => {
  test.for([
    { name: 'with the folder as a flag', flags: (folder: string) => ['--tls-certs-dir', folder], env: () => ({}) },
    {
      name: 'with the other name of the flag',
      flags: (folder: string) => ['--tls-server-certs-dir', folder],
      env: () => ({}),
    },
    {
      name: 'with the environment variable, as Crossplane sets it',
      flags: () => [],
      env: (folder: string) => ({ TLS_SERVER_CERTS_DIR: folder }),
    },
  ])('a client whose certificate is signed by the authority: $name', async ({ flags, env }) => {
    const folder = certificates();
    const { address } = await running(flags(folder), { env: env(folder) });
    const answer = await clientOf(address, { tls: client }).run(ask());
    expect(answer.desired.resources.get('echo')?.resource).toMatchObject({ data: { name: 'one' } });
  });

  test('no other client: without a certificate, with one of another authority, or without TLS', async () => {
    const { address } = await running(['--tls-certs-dir', certificates()]);
    const foreign = { ...(await stranger.issue('crossplane-client')), ca: client.ca };
    await expect(clientOf(address, { tls: foreign }).run(ask(), { timeoutMs: 5000 })).rejects.toMatchObject({
      code: 'Unavailable',
    });
    await expect(clientOf(address).run(ask(), { timeoutMs: 5000 })).rejects.toMatchObject({ code: 'Unavailable' });
    expect(await helloWithoutCertificate(address)).toMatch(/certificate required|handshake failure/);
    // The same server still answers clients with a valid certificate.
    await expect(clientOf(address, { tls: client }).run(ask())).resolves.toMatchObject({ results: [] });
  });
});

/** The error of the server for a TLS client without a certificate. */
function helloWithoutCertificate(address: string): Promise<string> {
  const [host, port] = address.split(':');
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(port), ca: client.ca, ALPNProtocols: ['h2'] });
    socket.once('error', (error) => resolve(error.message));
    socket.once('close', () => resolve('closed'));
    socket.once('data', () => resolve('it talked to a stranger')).resume();
  });
}

describe('a function does not start without certificates', () => {
  test('none given: the error says what to set', async () => {
    const { code, stdout, stderr } = await start(['--address', '127.0.0.1:0', '--metrics-address', '']).ended;
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe(
      'function-echo: cannot start without certificates: give --tls-certs-dir or set TLS_SERVER_CERTS_DIR, or --insecure to serve without TLS\n',
    );
  });

  test('a folder without them', async () => {
    const folder = aFolder();
    const { code, stderr } = await start(['--metrics-address', '', '--tls-certs-dir', folder]).ended;
    expect(code).toBe(1);
    expect(stderr).toBe(`function-echo: cannot read certificate file "${folder}/ca.crt": ENOENT\n`);
  });

  test('a key that belongs to another certificate', async () => {
    const folder = certificates();
    writeFileSync(join(folder, 'tls.key'), client.key);
    const { code, stderr } = await start(['--metrics-address', '', '--tls-certs-dir', folder]).ended;
    expect(code).toBe(1);
    expect(stderr).toBe(`function-echo: cannot use the certificates in "${folder}": key values mismatch\n`);
  });

  test('--insecure is the only exception, and has priority over a folder', async () => {
    const { client: plain } = await running(['--insecure'], { env: { TLS_SERVER_CERTS_DIR: '/nowhere' } });
    await expect(plain.run(ask())).resolves.toMatchObject({ results: [] });
  });
});

describe('rotated certificates', () => {
  test('are used without interrupting calls, and a partly written folder changes nothing', async () => {
    const folder = certificates();
    const { address, logged, child } = await running(['--tls-certs-dir', folder]);
    const before = clientOf(address, { tls: client });
    await before.run(ask());

    const underWay = before.run(ask({ wait: true }));
    await logged('waiting');
    const next = await stranger.issue('function-echo');
    writeFileSync(join(folder, 'tls.crt'), next.cert);
    await logged('keeping the certificates in use');
    expect(await certificateOf(address)).toBe(fingerprint(server));

    certificateFolder(next, folder);
    await logged('certificates reloaded');
    expect(await certificateOf(address)).toBe(fingerprint(next));
    child.kill('SIGUSR2');
    await expect(underWay, 'the call that began before').resolves.toMatchObject({ results: [] });
    const answer = await clientOf(address, { tls: await stranger.issue('crossplane-client') }).run(ask());
    expect(answer.results).toEqual([]);
    const old = connectFunction(address, 'echo', { tls: client });
    onTestFinished(() => old.close());
    await expect(old.run(ask(), { timeoutMs: 5000 })).rejects.toMatchObject({ code: 'Unavailable' });
    await expect(before.run(ask(), { timeoutMs: 5000 }), 'on the connection that is open').rejects.toMatchObject({
      code: 'Unavailable',
    });
  });
});

const fingerprint = ({ cert }: Identity): string => new X509Certificate(cert).fingerprint256;

/** Fingerprint of the server certificate in a handshake. */
function certificateOf(address: string): Promise<string> {
  const [host, port] = address.split(':');
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port: Number(port), rejectUnauthorized: false, ALPNProtocols: ['h2'] }, () => {
      resolve(socket.getPeerCertificate().fingerprint256);
      socket.destroy();
    });
    socket.once('error', reject);
  });
}
