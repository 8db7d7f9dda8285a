/** The client for controllers on a real Kubernetes API, which is killed in between. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type KubeObject } from '#lib/api/json.ts';
import { KubeClient } from '#lib/kube/client.ts';
import { EVENTS, Events } from '#lib/kube/events.ts';
import { Informer } from '#lib/kube/informer.ts';
import { endpointOf } from '#lib/kube/kubeconfig.ts';
import { Lease, LEASES } from '#lib/kube/lease.ts';
import { PODS } from '#lib/kube/port-forward.ts';
import { isStale } from '#lib/kube/refusal.ts';
import type { Resource } from '#lib/kube/resource.ts';
import { REAL_TIME } from '#lib/kube/timing.ts';
import { type Binaries, find } from '../e2e/binaries/find.ts';
import { PROGRAMS } from '../e2e/binaries/catalog.ts';
import { type Kubernetes, startKubernetes } from '../e2e/lab/kubernetes.ts';
import { Processes } from '../e2e/lab/processes.ts';

const NEEDED = ['etcd', 'kube-apiserver', 'kube-controller-manager'] as const;
const programs = Object.fromEntries(PROGRAMS.map((program) => [program.name, find(program)]));
const absent = NEEDED.filter((name) => programs[name] === undefined);
if (absent.length > 0)
  process.stdout.write(`skipped: a real Kubernetes API: ${absent.join(', ')} not found; npm run e2e -- --build\n`);

const CONFIG_MAPS: Resource = { apiVersion: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };
const NODES: Resource = { apiVersion: 'v1', kind: 'Node', plural: 'nodes', namespaced: false };
const BUDGETS: Resource = {
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  plural: 'poddisruptionbudgets',
  namespaced: true,
};
const MANAGER = 'slipway-test';

const configMap = (name: string, data: Readonly<Record<string, string>> = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace: 'default', name, labels: { of: name.startsWith('page-') ? 'many' : 'one' } },
  data,
});

describe.skipIf(absent.length > 0)('a real Kubernetes API', () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-kube-'));
  const processes = new Processes(join(folder, 'logs'));
  let kubernetes: Kubernetes;
  let client: KubeClient;

  beforeAll(async () => {
    kubernetes = await startKubernetes(programs as unknown as Binaries, processes, folder);
    client = new KubeClient(endpointOf(readFileSync(kubernetes.kubeconfig, 'utf8'), 'the kubeconfig', { local: true }));
  });
  afterAll(async () => {
    client.close();
    await processes.stopAll();
    rmSync(folder, { recursive: true, force: true });
  });

  test('is listed page by page, as of one moment', async () => {
    const names = Array.from({ length: 1200 }, (_, index) => `page-${index}`);
    for (let start = 0; start < names.length; start += 100)
      await Promise.all(
        names
          .slice(start, start + 100)
          .map((name) => client.create(CONFIG_MAPS, configMap(name), { manager: MANAGER })),
      );
    const before = client.requests;
    const { items } = await client.list(CONFIG_MAPS, { namespace: 'default', labels: 'of=many' });
    expect(items).toHaveLength(1200);
    expect(items[0]).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap' });
    expect(client.requests - before).toBe(3);
  });

  test('refuses a write over the field of somebody else, and one to another object of the name', async () => {
    await client.apply(CONFIG_MAPS, configMap('shared', { key: 'theirs' }), { manager: 'somebody' });
    const ours = client.apply(CONFIG_MAPS, configMap('shared', { key: 'ours' }), { manager: MANAGER });
    await expect(ours).rejects.toMatchObject({ status: 409, causes: [{ field: '.data.key' }] });
    const stale = client.patch(
      CONFIG_MAPS,
      { namespace: 'default', name: 'shared' },
      { metadata: { uid: 'another' }, data: { key: 'x' } },
      { manager: MANAGER },
    );
    await expect(stale).rejects.toSatisfy(isStale);
    const removed = client.delete(CONFIG_MAPS, { namespace: 'default', name: 'shared' }, 'another');
    await expect(removed).rejects.toMatchObject({ status: 409 });
    await client.delete(CONFIG_MAPS, { namespace: 'default', name: 'shared' });
    expect(await client.find(CONFIG_MAPS, { namespace: 'default', name: 'shared' })).toBeUndefined();
  });

  test('refuses the eviction of a pod whose budget allows none, and says so', async () => {
    await client.create(NODES, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-1' } }, { manager: MANAGER });
    const pod = (name: string): KubeObject => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { namespace: 'default', name, labels: { app: name } },
      spec: { nodeName: 'node-1', containers: [{ name: 'main', image: 'example.org/main' }] },
    });
    for (const name of ['guarded', 'free']) {
      await client.create(PODS, pod(name), { manager: MANAGER });
      const ready = { type: 'Ready', status: 'True' };
      await client.patch(
        PODS,
        { namespace: 'default', name },
        { status: { phase: 'Running', conditions: [ready] } },
        { manager: MANAGER, subresource: 'status' },
      );
    }
    await client.create(
      BUDGETS,
      {
        apiVersion: 'policy/v1',
        kind: 'PodDisruptionBudget',
        metadata: { namespace: 'default', name: 'guard' },
        spec: { minAvailable: 1, selector: { matchLabels: { app: 'guarded' } } },
      },
      { manager: MANAGER },
    );
    const evicted = (name: string) =>
      client.post(
        PODS,
        { namespace: 'default', name },
        'eviction',
        { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { namespace: 'default', name } },
        `evict Pod "default/${name}"`,
      );
    await expect(evicted('guarded')).rejects.toMatchObject({
      status: 429,
      kubeReason: 'TooManyRequests',
      causes: [{ reason: 'DisruptionBudget' }],
    });
    await expect(evicted('free')).resolves.toMatchObject({ status: 'Success' });
  });

  test('takes one event for many of the same', async () => {
    const about = await client.get(CONFIG_MAPS, { namespace: 'default', name: 'page-1' });
    const errors: unknown[] = [];
    const events = new Events({ client, timing: REAL_TIME, component: MANAGER, onError: (one) => errors.push(one) });
    for (let times = 0; times < 5; times += 1) await events.tell(about, 'Warning', 'Tried', 'it is only a test');
    expect(errors).toEqual([]);
    const { items } = await client.list(EVENTS, { namespace: 'default', fields: 'reason=Tried' });
    expect(items).toHaveLength(1);
  });

  test('gives a lease to one of two, and to the other one once it is released', async () => {
    const name = { namespace: 'default', name: 'leader' };
    const errors: unknown[] = [];
    const candidate = (holder: string) =>
      new Lease({ client, timing: REAL_TIME, name, holder, manager: holder, onError: (one) => errors.push(one) });
    const [first, second] = [candidate('first'), candidate('second')];
    await first.acquire();
    let took = false;
    const taken = second.acquire().then(() => (took = true));
    expect((await client.get(LEASES, name)).spec).toMatchObject({ holderIdentity: 'first' });
    expect(took).toBe(false);
    await first.stop();
    await taken;
    expect((await client.get(LEASES, name)).spec).toMatchObject({ holderIdentity: 'second', leaseTransitions: 1 });
    await second.stop();
    expect(errors).toEqual([]);
  });

  test('is followed through a kill of its server; what was deleted meanwhile is gone', async () => {
    const seen = new Map<string, string>();
    const errors: unknown[] = [];
    const informer = new Informer({
      client,
      timing: REAL_TIME,
      random: () => 0.01,
      resource: CONFIG_MAPS,
      selection: { namespace: 'default', labels: 'of=many' },
      onChange: (before, after) => {
        const { name = '' } = after?.metadata ?? before?.metadata ?? {};
        if (after === undefined) seen.delete(name);
        else seen.set(name, (after['data'] as Record<string, string> | undefined)?.['key'] ?? '');
      },
      onError: (one) => errors.push(one),
    });
    informer.start();
    await informer.synced;
    expect(seen.size).toBe(1200);
    expect(Object.isFrozen(informer.get('page-1', 'default')?.metadata?.labels)).toBe(true);

    await client.apply(CONFIG_MAPS, configMap('page-1', { key: 'one' }), { manager: MANAGER, force: true });
    await until(() => seen.get('page-1') === 'one');

    await kubernetes.server().kill();
    await until(() => errors.length > 0);
    await kubernetes.restartServer();
    await client.apply(CONFIG_MAPS, configMap('page-2', { key: 'two' }), { manager: MANAGER, force: true });
    await client.delete(CONFIG_MAPS, { namespace: 'default', name: 'page-3' });
    await until(() => seen.get('page-2') === 'two' && !seen.has('page-3'));
    expect(errors.every((one) => one instanceof Error)).toBe(true);
    await informer.stop();
  });
});

/** The real clock runs; the time limit of the test ends what never comes. */
async function until(fact: () => boolean): Promise<void> {
  while (!fact()) await new Promise((resolve) => setTimeout(resolve, 50));
}
