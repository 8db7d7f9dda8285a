import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as createPlainServer, type Socket } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { connect as connectTls, createServer as createTlsServer } from 'node:tls';
import { afterEach, describe, expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { newAuthority } from '../../test/support/certificates.ts';
import { forwardPorts, type Port, PROTOCOL } from '../../test/support/forwarding.ts';
import type { Endpoint } from './endpoint.ts';
import { forwarded } from './port-forward.ts';

const POD = { namespace: 'kube-system', name: 'etcd-one' };
const ends: (() => unknown)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

async function listening(server: Server | ReturnType<typeof createPlainServer>): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

async function api(port: Port): Promise<Endpoint & { readonly asked: readonly string[] }> {
  const asked: string[] = [];
  const server = createServer();
  server.on('upgrade', ({ url = '', headers }) => asked.push(`${url} ${headers.authorization}`));
  forwardPorts(server, 'ports', port);
  const credentials = { headers: { authorization: 'Bearer a-token' } };
  return { server: `http://127.0.0.1:${await listening(server)}`, credentials, asked };
}

describe('a port of a pod', () => {
  test('is asked for by its number, with the credentials of the endpoint', async () => {
    const endpoint = await api(() => 'nothing');
    (await forwarded(endpoint, POD, 2379)).on('error', () => undefined).destroy();
    expect(endpoint.asked).toEqual([
      '/api/v1/namespaces/kube-system/pods/etcd-one/portforward?ports=2379 Bearer a-token',
    ]);
  });

  test('gets all bytes and sends all bytes, many more than fit into a buffer', async () => {
    const bytes = randomBytes(5 * 1024 * 1024);
    const echo = createPlainServer((socket) => socket.pipe(socket));
    const port = await listening(echo);
    const stream = await forwarded(await api(() => connect(port, '127.0.0.1')), POD, 80);
    const received: Buffer[] = [];
    let size = 0;
    const all = new Promise<void>((resolve) =>
      stream.on('data', (data: Buffer) => {
        received.push(data);
        if ((size += data.length) === bytes.length) resolve();
      }),
    );
    for (let start = 0; start < bytes.length; start += 100_000) stream.write(bytes.subarray(start, start + 100_000));
    await all;
    expect(Buffer.concat(received).equals(bytes)).toBe(true);
    stream.destroy();
  });

  test('speaks TLS with a client certificate over it, as etcd does', async () => {
    const authority = await newAuthority();
    const server = await authority.issue('etcd');
    const etcd = createTlsServer({ ...server, requestCert: true }, (socket) =>
      socket.end(`hello ${String(socket.getPeerCertificate().subject.CN)}`),
    );
    const port = await listening(etcd);
    const socket = await forwarded(await api(() => connect(port, '127.0.0.1')), POD, 2379);
    const tls = connectTls({ socket, servername: 'localhost', ...(await authority.issue('slipway')) });
    expect(await text(tls)).toBe('hello slipway');
  });

  test('ends when the pod ends it', async () => {
    const greeter = createPlainServer((socket) => socket.end('bye'));
    const port = await listening(greeter);
    const stream = await forwarded(await api(() => connect(port, '127.0.0.1')), POD, 80);
    expect((await buffer(stream)).toString('utf8')).toBe('bye');
  });
});

describe('a port-forward fails', () => {
  const broken = async (behave: (socket: import('ws').WebSocket) => void): Promise<string> => {
    const server = createServer();
    new WebSocketServer({ server, handleProtocols: () => PROTOCOL }).on('connection', behave);
    const endpoint = { server: `http://127.0.0.1:${await listening(server)}`, credentials: {} };
    const stream = await forwarded(endpoint, POD, 2379);
    const [error] = (await once(stream.resume(), 'error')) as [Error];
    return error.message.replace(/"http:[^"]*"/, 'API');
  };

  test('with what the kubelet says of the port', async () => {
    const endpoint = await api(() => 'error forwarding port 2379 to pod: connection\nrefused');
    const stream = await forwarded(endpoint, POD, 2379);
    const [error] = (await once(stream.resume(), 'error')) as [Error];
    expect(error).toMatchObject({
      kind: 'NoConnection',
      message: `cannot reach port 2379 of Pod "kube-system/etcd-one" at "${endpoint.server}": error forwarding port 2379 to pod: connection refused`,
    });
  });

  test.for<{ title: string; behave: (socket: import('ws').WebSocket) => void; why: string }>([
    { title: 'when it is cut off', behave: (socket) => socket.terminate(), why: 'the connection was reset' },
    { title: 'when the server goes', behave: (socket) => socket.close(1001), why: 'the connection was reset' },
    {
      title: 'without the number of the port',
      behave: (socket) => socket.send(Buffer.from('\0hello')),
      why: 'the answer is not v4.channel.k8s.io',
    },
    {
      title: 'with another number',
      behave: (socket) => socket.send(Buffer.of(0, 1, 0)),
      why: 'the answer is not v4.channel.k8s.io',
    },
    {
      title: 'with a message of two megabytes',
      behave: (socket) => socket.send(Buffer.alloc(2 * 1024 * 1024)),
      why: 'Max payload size exceeded',
    },
  ])('$title', async ({ behave, why }) => {
    expect(await broken(behave)).toBe(`cannot reach port 2379 of Pod "kube-system/etcd-one" at API: ${why}`);
  });

  test('with what the API says when it refuses', async () => {
    const body = { kind: 'Status', message: 'pods "etcd-one" not found', reason: 'NotFound' };
    const server = createServer((_request, response) => response.writeHead(404).end(JSON.stringify(body)));
    const address = `http://127.0.0.1:${await listening(server)}`;
    await expect(forwarded({ server: address, credentials: {} }, POD, 2379)).rejects.toMatchObject({
      status: 404,
      kubeReason: 'NotFound',
      text: 'pods "etcd-one" not found',
    });
  });

  test('at a server that speaks another protocol', async () => {
    const server = createServer();
    const sockets = new WebSocketServer({ server, handleProtocols: () => false });
    ends.push(() => sockets.close());
    const address = `http://127.0.0.1:${await listening(server)}`;
    await expect(forwarded({ server: address, credentials: {} }, POD, 2379)).rejects.toMatchObject({
      why: 'Server sent no subprotocol',
    });
  });

  test('when nobody listens', async () => {
    const server = createServer();
    const address = `http://127.0.0.1:${await listening(server)}`;
    server.close();
    await expect(forwarded({ server: address, credentials: {} }, POD, 2379)).rejects.toMatchObject({
      why: 'connection refused',
    });
  });
});
