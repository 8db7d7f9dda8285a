import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type ClientOptions, connectFunction } from '#lib/fn/client.ts';
import { certificateFolder, newAuthority } from '../support/certificates.ts';
import { aRequest } from '../support/request.ts';
import { type EchoProcess, startEcho } from './echo-process.ts';

const request = aRequest({ composite: { apiVersion: 'example.org/v1', kind: 'Echo', metadata: { name: 'n' } } });

async function call({ address }: EchoProcess, tls?: ClientOptions['tls']): Promise<boolean> {
  const client = connectFunction(await address, 'echo', tls === undefined ? {} : { tls });
  try {
    return (await client.run(request, { timeoutMs: 5000 })).desired.resources.has('echo');
  } finally {
    client.close();
  }
}

async function stopped({ child, ended }: EchoProcess): Promise<void> {
  child.kill('SIGTERM');
  await ended;
}

describe('a function with certificates', () => {
  it.for([
    ['--tls-certs-dir', (folder: string) => startEcho(['--tls-certs-dir', folder])],
    ['--tls-server-certs-dir', (folder: string) => startEcho(['--tls-server-certs-dir', folder])],
    ['TLS_SERVER_CERTS_DIR', (folder: string) => startEcho([], { TLS_SERVER_CERTS_DIR: folder })],
  ] as const)('takes them from %s and answers a client of the same authority', async ([, start]) => {
    const authority = await newAuthority();
    const echo = start(certificateFolder(await authority.issue('function-echo')));
    expect(await call(echo, await authority.issue('crossplane'))).toBe(true);
    await stopped(echo);
  });

  it('refuses a client without a certificate, one of another authority, and one without TLS', async () => {
    const authority = await newAuthority();
    const { ca } = await authority.issue('anybody');
    const echo = startEcho(['--tls-certs-dir', certificateFolder(await authority.issue('function-echo'))]);
    const stranger = await (await newAuthority('somebody else')).issue('crossplane');
    await expect(call(echo, { ...stranger, ca })).rejects.toMatchObject({ code: 'Unavailable' });
    await expect(call(echo)).rejects.toMatchObject({ code: 'Unavailable' });
    const bare = connectFunction(await echo.address, 'echo', { tls: { ca } });
    await expect(bare.run(request, { timeoutMs: 5000 })).rejects.toMatchObject({ code: 'Unavailable' });
    bare.close();
    expect(await call(echo, await authority.issue('crossplane'))).toBe(true);
    await stopped(echo);
  });

  it('takes up rotated certificates without being started again', async () => {
    const [before, after] = [await newAuthority('before'), await newAuthority('after')];
    const folder = certificateFolder(await before.issue('function-echo'));
    const echo = startEcho(['--tls-certs-dir', folder]);
    expect(await call(echo, await before.issue('crossplane'))).toBe(true);
    certificateFolder(await after.issue('function-echo'), folder);
    const client = await after.issue('crossplane');
    let taken = false;
    for (let i = 0; i < 30 && !taken; i += 1) {
      await sleep(500);
      taken = await call(echo, client).catch(() => false);
    }
    expect(taken).toBe(true);
    await stopped(echo);
  });
});

describe('a function without certificates', () => {
  it.for([
    [[], /cannot start without certificates: give --tls-certs-dir or set TLS_SERVER_CERTS_DIR, or --insecure/],
    [['--tls-certs-dir', '/nowhere'], /cannot read certificate file "\/nowhere\/ca.crt": ENOENT/],
  ] as const)('does not start with flags %j: one line, exit code 1', async ([flags, line]) => {
    const { code, stderr } = await startEcho(flags).ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(line);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});
