/** provider-node gives Hosts to HostClaims through a real API over HTTPS, and never changes what their owner wrote. */
import { expect, onTestFinished, test } from 'vitest';
import { conditionOf } from '#lib/api/conditions.ts';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { CROSSPLANE, NODE_API_VERSION } from '#lib/api/words.ts';
import { KubeClient } from '#lib/kube/client.ts';
import type { Resource } from '#lib/kube/resource.ts';
import { Hosts } from '../../controllers/node/hosts.ts';
import { HOST_CLAIMS, HOSTS } from '../../controllers/node/kinds.ts';
import { LiveApi } from '../support/live-api.ts';
import { SetTiming } from '../support/set-timing.ts';
import { authority } from './hostile/stage.ts';

const NAMESPACE = 'team-a';
/** Milliseconds of real time that a case has at most. */
const MOST = 60_000;

async function stage(...kinds: readonly Resource[]) {
  const issuer = await authority();
  const api = await LiveApi.with(await issuer.issue('api', { ip: ['127.0.0.1'] }), ...kinds);
  const timing = new SetTiming(Date.parse('2026-01-01T00:00:00Z'));
  const logged: string[] = [];
  const client = new KubeClient({ server: api.server, credentials: { ca: issuer.cert } });
  const hosts = new Hosts({ client, timing, random: () => 0.5, log: (message) => logged.push(message) });
  hosts.start();
  const passABit = async (): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, 10));
    const { next } = timing;
    if (api.isIdle && next !== undefined) timing.goTo(next);
  };
  onTestFinished(async () => {
    const over = new AbortController();
    const stopped = hosts.stop().finally(() => over.abort());
    while (!over.signal.aborted) await passABit();
    await stopped;
    client.close();
    api.close();
  });
  const until = async (what: string, isTrue: () => boolean): Promise<void> => {
    const end = Date.now() + MOST;
    while (!isTrue()) {
      if (Date.now() > end) throw new Error(`waited for: ${what}; logged: ${logged.join('; ')}`);
      await passABit();
    }
  };
  return { api, logged, until, timing };
}

const host = (name: string, spec: JsonObject = {}): KubeObject => ({
  apiVersion: NODE_API_VERSION,
  kind: 'Host',
  metadata: { name, namespace: NAMESPACE },
  spec: { size: 'large', ...spec },
});

const claim = (name: string): KubeObject => ({
  apiVersion: NODE_API_VERSION,
  kind: 'HostClaim',
  metadata: { name, namespace: NAMESPACE },
  spec: {
    forProvider: {
      region: 'eu-west',
      size: 'large',
      version: 'v1.35.4',
      rootDisk: { sizeGiB: 40, encrypted: true },
      role: 'worker',
      nodeName: name,
      userDataSecretRef: { name: `${name}-payload`, key: 'value' },
    },
  },
});

test('each claim gets a host of its own; a host that was left is free only when its owner prepared it again', async () => {
  const { api, until } = await stage(HOSTS, HOST_CLAIMS);
  const hostOf = (name: string) =>
    api.find('HostClaim', name, NAMESPACE)?.metadata?.annotations?.[CROSSPLANE.externalName];
  const isReady = (name: string) => conditionOf(api.find('HostClaim', name, NAMESPACE), 'Ready')?.status === 'True';
  const phaseOf = (name: string) => api.find('Host', name, NAMESPACE)?.status?.['phase'];
  const specs = () => api.list('Host').map(({ spec, metadata }) => [metadata?.name, spec]);
  for (const name of ['a', 'b']) api.put(host(name));
  const before = specs();
  for (const name of ['x', 'y', 'z']) api.put(claim(name));
  await until('two have a host', () => ['x', 'y', 'z'].filter(isReady).length === 2);
  expect(new Set(['x', 'y', 'z'].map(hostOf))).toEqual(new Set(['a', 'b', undefined]));
  await until('both hosts say so', () => phaseOf('a') === 'Bound' && phaseOf('b') === 'Bound');

  const left = ['x', 'y', 'z'].find((name) => hostOf(name) === 'a') ?? '';
  const waiting = ['x', 'y', 'z'].find((name) => hostOf(name) === undefined) ?? '';
  api.delete('HostClaim', left, NAMESPACE);
  await until('the claim is gone', () => api.find('HostClaim', left, NAMESPACE) === undefined);
  await until('its host says that it was left', () => phaseOf('a') === 'Released');
  expect(isReady(waiting)).toBe(false);
  expect(specs(), 'what the owner wrote').toEqual(before);

  const now = api.find('Host', 'a', NAMESPACE)!;
  api.put({ ...now, spec: { ...now.spec, prepared: 2 } });
  await until('the one that waited has it', () => isReady(waiting));
  expect(hostOf(waiting)).toBe('a');
  expect([...api.used].filter((right) => /^(create|delete|patch|update) .*hosts/.test(right))).toEqual([
    'update node.slipway.dev/hosts/status team-a',
  ]);
});

test('where nobody has activated the kinds, it is silent', async () => {
  const { logged, until, timing } = await stage();
  const start = timing.elapsed();
  await until('some minutes have passed', () => timing.elapsed() - start > 300_000);
  expect(logged).toEqual([]);
});
