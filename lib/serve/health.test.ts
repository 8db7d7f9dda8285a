import { Client, credentials, Server, ServerCredentials } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Health, SERVICE } from './health.ts';

const server = new Server();
const health = new Health();
let client: Client;

beforeAll(async () => {
  health.addTo(server);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
});

afterAll(() => {
  client.close();
  server.forceShutdown();
});

function check(service: string): Promise<string> {
  const { path, requestSerialize, responseDeserialize } = SERVICE.check;
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(path, requestSerialize, responseDeserialize, { service }, (error, serving) => {
      if (error === null) resolve(serving ?? 'none');
      else reject(error);
    });
  });
}

describe('the gRPC health service', () => {
  it('is NOT_SERVING until the function serves, and again once it stops', async () => {
    expect(await check('')).toBe('NOT_SERVING');
    health.set('SERVING');
    expect(await check('')).toBe('SERVING');
    health.set('NOT_SERVING');
    expect(await check('')).toBe('NOT_SERVING');
  });

  it('knows only the whole server', async () => {
    await expect(check('some.Service')).rejects.toThrow('unknown service "some.Service"; accepted: the empty name');
  });

  it('reports every change to watchers, and ends their streams when the server stops', async () => {
    const { path, requestSerialize, responseDeserialize } = SERVICE.watch;
    const seen: string[] = [];
    const stream = client.makeServerStreamRequest(path, requestSerialize, responseDeserialize, { service: '' });
    const ended = new Promise<void>((resolve) => void stream.on('end', () => resolve()));
    await new Promise<void>((resolve) => {
      stream.on('data', (serving: string) => {
        if (seen.push(serving) === 1) health.set('SERVING');
        else resolve();
      });
    });
    health.end();
    await ended;
    expect(seen).toEqual(['NOT_SERVING', 'SERVING']);
  });
});
