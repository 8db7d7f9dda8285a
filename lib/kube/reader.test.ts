import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect as connectTo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { KubeObject } from '#lib/api/json.ts';
import { type KubeApi, serveObjects, TOKEN } from '../../test/support/kube-api.ts';
import { connect } from './connect.ts';
import { KubeReader } from './reader.ts';

const MACHINE = { apiVersion: 'slipway.dev/v1alpha1', kind: 'Machine' };
const machine = (name: string, namespace = 'team-a'): KubeObject => ({ ...MACHINE, metadata: { name, namespace } });

let api: KubeApi;
afterEach(() => api.close());

async function serving(...given: Parameters<typeof serveObjects>): Promise<KubeReader> {
  api = await serveObjects(...given);
  return new KubeReader({ server: api.server, credentials: { headers: { authorization: `Bearer ${TOKEN}` } } });
}

function kubeconfig(): string {
  const file = join(mkdtempSync(join(tmpdir(), 'slipway-kube-')), 'config');
  writeFileSync(file, api.kubeconfig);
  return file;
}

describe('a list', () => {
  it('has every page, and sets the kind of each object, which the API omits', async () => {
    const reader = await serving([machine('a'), machine('b'), machine('c')], { page: 2 });
    expect(await reader.list(MACHINE, 'team-a')).toEqual([machine('a'), machine('b'), machine('c')]);
    expect(api.requests).toEqual([
      'GET /apis/slipway.dev/v1alpha1',
      'GET /apis/slipway.dev/v1alpha1/namespaces/team-a/machines?limit=500',
      'GET /apis/slipway.dev/v1alpha1/namespaces/team-a/machines?limit=500&continue=2',
    ]);
  });

  it('is for one namespace, or for all', async () => {
    const reader = await serving([machine('a'), machine('b', 'team-b')]);
    expect(await reader.list(MACHINE, 'team-b')).toEqual([machine('b', 'team-b')]);
    expect(await reader.list(MACHINE)).toHaveLength(2);
  });

  it('is empty for a kind that is not served', async () => {
    const reader = await serving([machine('a')]);
    expect(await reader.list({ ...MACHINE, kind: 'Cluster' })).toEqual([]);
    expect(await reader.list({ apiVersion: 'example.org/v1', kind: 'Thing' })).toEqual([]);
  });

  it('reports what was refused, where and why', async () => {
    const reader = await serving([machine('a')], { forbidden: ['Machine'] });
    await expect(reader.list(MACHINE)).rejects.toMatchObject({
      status: 403,
      message: `cannot list Machine at "${api.server}": machines is forbidden: User "jane" cannot list resource`,
    });
  });

  it('reports in one line that the API is unreachable', async () => {
    const reader = await serving([]);
    api.close();
    await expect(reader.list(MACHINE)).rejects.toThrow(
      /^cannot read slipway.dev\/v1alpha1 at "http:.*": connection refused/,
    );
  });
});

describe('a kubeconfig', () => {
  it('gives server and token of the context that was asked for, or of the current one', async () => {
    await serving([machine('a')]);
    for (const context of ['management', undefined])
      expect(await (await connect({ kubeconfig: kubeconfig(), context })).list(MACHINE)).toHaveLength(1);
    const stranger = await connect({ kubeconfig: kubeconfig(), context: 'stranger' });
    await expect(stranger.list(MACHINE)).rejects.toMatchObject({ status: 401 });
  });

  it('leads through its proxy', async () => {
    await serving([machine('a')]);
    const asked: string[] = [];
    const proxy = createServer().on('connect', ({ url = '' }, client: Socket) => {
      asked.push(url);
      const [host = '', port] = url.split(':');
      const server = connectTo(Number(port), host, () => client.write('HTTP/1.1 200 OK\r\n\r\n'));
      server.pipe(client).pipe(server);
    });
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const { port } = proxy.address() as AddressInfo;
    const file = kubeconfig();
    const { clusters, ...rest } = JSON.parse(readFileSync(file, 'utf8')) as { clusters: { cluster: object }[] };
    clusters[0]!.cluster = { ...clusters[0]!.cluster, 'proxy-url': `http://127.0.0.1:${port}` };
    writeFileSync(file, JSON.stringify({ ...rest, clusters }));
    expect(await (await connect({ kubeconfig: file })).list(MACHINE)).toHaveLength(1);
    expect(new Set(asked)).toEqual(new Set([api.server.replace('http://', '')]));
    proxy.close();
  });

  it('lists its contexts when the one that was asked for does not exist', async () => {
    await serving([]);
    await expect(connect({ kubeconfig: kubeconfig(), context: 'prod' })).rejects.toThrow(
      'cannot use context "prod": accepted: management, stranger',
    );
  });

  it('is reported as missing when none was given and none is where kubectl looks', async () => {
    await serving([]);
    vi.stubEnv('KUBECONFIG', '');
    vi.stubEnv('HOME', mkdtempSync(join(tmpdir(), 'home-')));
    try {
      await expect(connect({})).rejects.toThrow(/^cannot find a kubeconfig: .*; accepted: --kubeconfig FILE$/);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it('is reported by its path when it does not exist', async () => {
    await serving([]);
    await expect(connect({ kubeconfig: '/nowhere/config' })).rejects.toThrow(
      'cannot read kubeconfig "/nowhere/config": no such file',
    );
  });
});
