import { connect, type Server, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parseAddress } from './address.ts';
import { listen, listener } from './listener.ts';

async function listening(
  address: string,
  connections = 10,
): Promise<{ server: Server; port: number; taken: Socket[] }> {
  const taken: Socket[] = [];
  const server = listener({ connections }, (socket) => taken.push(socket.resume()));
  const bound = await listen(server, parseAddress(address)!);
  onTestFinished(() => {
    for (const socket of taken) socket.destroy();
    server.close();
  });
  return { server, port: Number(bound.split(':').at(-1)), taken };
}

function connected(host: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port }, () => resolve(socket));
    socket.once('error', reject);
    onTestFinished(() => void socket.destroy());
  });
}

const closed = (socket: Socket): Promise<unknown> =>
  new Promise((resolve) => void socket.resume().once('error', resolve).once('close', resolve));

describe('a port', () => {
  test.for([
    [':0', ['127.0.0.1', '::1']],
    ['[::]:0', ['127.0.0.1', '::1']],
    ['[::1]:0', ['::1']],
    ['0.0.0.0:0', ['127.0.0.1']],
  ] as const)('%s takes connections to %j', async ([address, hosts]) => {
    const { port } = await listening(address);
    for (const host of hosts) expect((await connected(host, port)).remotePort).toBe(port);
  });

  test('closes connections over its limit, and takes new ones once others have ended', async () => {
    const { server, port, taken } = await listening('127.0.0.1:0', 2);
    const first = await connected('127.0.0.1', port);
    await connected('127.0.0.1', port);
    const refused = new Promise((resolve) => void server.once('drop', resolve));
    await closed(await connected('127.0.0.1', port));
    await refused;
    expect(taken).toHaveLength(2);

    const ended = closed(taken[0]!);
    first.destroy();
    await ended;
    const another = new Promise((resolve) => void server.once('connection', resolve));
    await connected('127.0.0.1', port);
    await another;
    expect(taken).toHaveLength(3);
  });

  test('that is in use is an error with the address', async () => {
    const { port } = await listening('127.0.0.1:0');
    await expect(listening(`127.0.0.1:${port}`)).rejects.toThrow(
      `cannot listen on "127.0.0.1:${port}": listen EADDRINUSE`,
    );
  });
});
