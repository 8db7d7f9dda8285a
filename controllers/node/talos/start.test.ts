import { once } from 'node:events';
import { createSecureServer, type Http2SecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { stringify } from 'yaml';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Issuer, newIssuer } from '../../../test/support/authority.ts';
import { bootstrapTalos } from './start.ts';

let authority: Issuer;
let server: Http2SecureServer;
beforeAll(async () => {
  authority = await newIssuer('talos', 'ECDSA');
});
afterEach(() => server.close());

const base64 = (text: string): string => Buffer.from(text).toString('base64');

async function talosconfig(issuer = authority): Promise<string> {
  const { cert, key } = await issuer.issue('admin', {});
  const context = { ca: base64(authority.cert), crt: base64(cert), key: base64(key) };
  return stringify({ context: 'prod', contexts: { prod: context } });
}

/** A machine that answers every call with this status of gRPC. @returns its port, and what it was asked */
async function machine(status: string, message = ''): Promise<{ readonly port: number; readonly asked: string[] }> {
  const { cert, key } = await authority.issue('machine', { ip: ['127.0.0.1'] });
  const asked: string[] = [];
  server = createSecureServer({ cert, key, ca: authority.cert, requestCert: true, rejectUnauthorized: true });
  server.on('stream', (stream, headers) => {
    stream.on('data', (bytes: Buffer) => asked.push(`${headers[':path']} ${bytes.toString('hex')}`));
    stream.on('end', () => {
      stream.respond({ 'content-type': 'application/grpc' }, { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': status, 'grpc-message': message }));
      stream.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, asked };
}

describe('the call that starts a Talos cluster', () => {
  it('is one call without fields, with the certificate of the talosconfig', async () => {
    const { port, asked } = await machine('0');
    expect(await bootstrapTalos('127.0.0.1', await talosconfig(), port)).toBeUndefined();
    expect(asked).toEqual(['/machine.MachineService/Bootstrap 0000000000']);
  });

  it('was made before when etcd exists already: that is what was wanted', async () => {
    const { port } = await machine('6', 'etcd data directory is not empty');
    expect(await bootstrapTalos('127.0.0.1', await talosconfig(), port)).toBeUndefined();
  });

  it('is refused in the words of the machine', async () => {
    const { port } = await machine('9', 'bootstrap%20is%20not%20available%20yet');
    expect(await bootstrapTalos('127.0.0.1', await talosconfig(), port)).toBe('bootstrap is not available yet');
  });

  it('is refused to a certificate of another authority, and no part of the talosconfig is repeated', async () => {
    const { port } = await machine('0');
    const stranger = await talosconfig(await newIssuer('stranger', 'ECDSA'));
    const refusal = await bootstrapTalos('127.0.0.1', stranger, port);
    expect(refusal).toBeTypeOf('string');
    expect(refusal).not.toContain('BEGIN');
  });

  it.each(['', 'no yaml: [', 'context: constructor\ncontexts: {}', 'contexts: {}'])(
    'cannot be made with %j for a talosconfig',
    async (text) => {
      const { port, asked } = await machine('0');
      expect(await bootstrapTalos('127.0.0.1', text, port)).toBe('the Secret holds no talosconfig');
      expect(asked).toEqual([]);
    },
  );

  it('says in plain words that nothing listens', async () => {
    const { port } = await machine('0');
    server.close();
    expect(await bootstrapTalos('127.0.0.1', await talosconfig(), port)).toBe('connection refused');
  });
});
