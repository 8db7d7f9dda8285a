import { connect as http2, type ClientHttp2Session } from 'node:http2';
import { connect as tcp, type Socket } from 'node:net';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { Server } from '@grpc/grpc-js';
import { afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Authority, type Identity, newAuthority } from '../../test/support/certificates.ts';
import type { Certificates } from './certificates.ts';
import { Health, SERVICE } from './health.ts';
import { listen, listener } from './listener.ts';
import { secured } from './tls.ts';

let authority: Authority;
let server: Identity;
let client: Identity;
const servers: Server[] = [];
const REFUSED = /alert|closed|reset|disconnected/i;

beforeAll(async () => {
  authority = await newAuthority('crossplane');
  server = await authority.issue('function');
  client = await authority.issue('crossplane-client');
});

afterEach(() => {
  for (const one of servers.splice(0)) one.forceShutdown();
});

interface Served {
  readonly port: number;
  readonly rotate: (next: Certificates) => void;
}

async function served(limits = { handshake: 60_000, grace: 60_000 }): Promise<Served> {
  const grpc = new Server();
  new Health().addTo(grpc);
  servers.push(grpc);
  let current: Certificates = server;
  const listeners: ((next: Certificates, before: Certificates) => void)[] = [];
  const certificates = { current, onRotation: (one: (typeof listeners)[number]) => void listeners.push(one) };
  const port = listener({ connections: 10 }, secured(grpc, certificates, limits));
  const address = await listen(port, { host: '127.0.0.1', port: 0 });
  onTestFinished(() => void port.close());
  return {
    port: Number(address.split(':')[1]),
    rotate(next) {
      for (const one of listeners) one(next, current);
      current = next;
    },
  };
}

const options = (port: number, own: Identity = client): ConnectionOptions & { host: string; port: number } => ({
  host: '127.0.0.1',
  port,
  ca: client.ca,
  cert: own.cert,
  key: own.key,
  ALPNProtocols: ['h2'],
});

function handshake(given: ConnectionOptions): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect(given, () => resolve(socket));
    socket.once('error', reject);
    onTestFinished(() => void socket.destroy());
  });
}

async function session(port: number): Promise<ClientHttp2Session> {
  const socket = await handshake(options(port));
  const opened = http2('https://localhost', { createConnection: () => socket });
  opened.on('error', () => undefined);
  await new Promise((resolve) => void opened.once('remoteSettings', resolve));
  onTestFinished(() => opened.destroy());
  return opened;
}

const ended = (one: ClientHttp2Session | Socket): Promise<void> =>
  new Promise((resolve) => void one.once('close', () => resolve()));

describe('the handshake', () => {
  test.for(['TLSv1.3', 'TLSv1.2'] as const)('is done with %s and authenticated encryption', async (version) => {
    const { port } = await served();
    const socket = await handshake({ ...options(port), maxVersion: version });
    expect(socket.getProtocol()).toBe(version);
    expect(socket.getCipher().name).toMatch(/GCM|POLY1305/);
  });

  test.for<[string, ConnectionOptions]>([
    ['TLS 1.1', { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' }],
    ['TLS 1.2 with CBC', { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-SHA256:ECDHE-ECDSA-AES256-SHA' }],
    ['a protocol other than HTTP/2', { ALPNProtocols: ['http/1.1'] }],
  ])('is refused with %s, before and after a rotation of the certificate', async ([, given]) => {
    const { port, rotate } = await served();
    await expect(handshake({ ...options(port), ...given })).rejects.toThrow(REFUSED);
    rotate({ ...(await authority.issue('function')), ca: server.ca });
    await expect(handshake({ ...options(port), ...given })).rejects.toThrow(REFUSED);
  });

  test('that does not come to an end is ended', async () => {
    const { port } = await served({ handshake: 20, grace: 60_000 });
    const idle = tcp({ host: '127.0.0.1', port });
    await expect(ended(idle.resume())).resolves.toBeUndefined();
  });
});

describe('another authority', () => {
  test('closes connections of the old one, although nothing is wrong with them', async () => {
    const { port, rotate } = await served();
    const open = await session(port);
    const next = await newAuthority('another');
    const gone = ended(open);
    rotate(await next.issue('function'));
    await expect(gone).resolves.toBeUndefined();
  });

  test('closes them with calls that never end, once the time is up', async () => {
    const { port, rotate } = await served({ handshake: 60_000, grace: 20 });
    const open = await session(port);
    const watch = open.request({ ':method': 'POST', ':path': SERVICE.watch.path, 'content-type': 'application/grpc' });
    watch.on('error', () => undefined);
    watch.end(Buffer.alloc(5));
    await new Promise((resolve) => void watch.once('data', resolve));
    const gone = ended(open);
    rotate(await (await newAuthority('another')).issue('function'));
    await expect(gone).resolves.toBeUndefined();
  });

  test('ends sessions that could be resumed', async () => {
    const { port, rotate } = await served();
    const tickets: Buffer[] = [];
    const socket = connect({ ...options(port), maxVersion: 'TLSv1.2' });
    socket.on('error', () => undefined).on('session', (ticket) => tickets.push(ticket));
    await new Promise((resolve) => void socket.once('secureConnect', resolve));
    await expect.poll(() => tickets.length).toBeGreaterThan(0);
    rotate(await (await newAuthority('another')).issue('function'));
    const again = {
      ...options(port),
      maxVersion: 'TLSv1.2',
      session: tickets.at(-1),
      rejectUnauthorized: false,
    } as const;
    await expect(handshake(again)).rejects.toThrow(REFUSED);
  });

  test('refuses a handshake that began before', async () => {
    const { port, rotate } = await served();
    const raw = tcp({ host: '127.0.0.1', port });
    await new Promise((resolve) => void raw.once('connect', resolve));
    rotate(await (await newAuthority('another')).issue('function'));
    const late = connect({ ...options(port), socket: raw, rejectUnauthorized: false });
    late.on('error', () => undefined).resume();
    await expect(ended(late)).resolves.toBeUndefined();
  });

  test('keeps connections when only the certificate of the server changes', async () => {
    const { port, rotate } = await served();
    const open = await session(port);
    rotate({ ...(await authority.issue('function')), ca: server.ca });
    const check = open.request({ ':method': 'POST', ':path': SERVICE.check.path, 'content-type': 'application/grpc' });
    check.end(Buffer.alloc(5));
    const status = new Promise((resolve) => void check.once('trailers', (all) => resolve(all['grpc-status'])));
    check.resume();
    expect(await status).toBe('0');
    expect(open.closed).toBe(false);
  });
});
