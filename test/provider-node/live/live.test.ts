/**
 * The process itself, with its documented rights, between real Kubernetes APIs: whatever is killed, in whatever phase, each
 * run ends, and no pod is evicted twice.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { PROVIDER_NODE, refused } from '../../e2e/audit/rights.ts';
import type { Running } from '../../e2e/lab/processes.ts';
import { until } from '../../e2e/lab/waiting.ts';
import { hasKubernetes, realKubernetes } from '../../support/real-kubernetes.ts';
import { JOINING, PHASES } from './phases.ts';
import { canName, podRef, refTo, World } from './world.ts';

const ROTATED = 'slipway:rotated';

describe.skipIf(!hasKubernetes('provider-node between real Kubernetes APIs'))('provider-node between real APIs', () => {
  const real = realKubernetes();
  const running: Running[] = [];
  /** How many requests there were before the kubeconfig was another one. */
  let rotated: number | undefined;
  /** The same before and after the server began again: it refuses what it knows no role for yet. */
  let starting: readonly [number, number] = [0, 0];
  let world: World;

  beforeAll(async () => {
    world = await World.start(real);
  });
  afterEach(async () => {
    for (const one of running.splice(0)) await one.stop();
  });
  afterAll(() => world.stop());

  function provider(host?: string): Running {
    const started = world.startProvider(host);
    running.push(started);
    return started;
  }

  const once = (...pods: readonly string[]) => Object.fromEntries(pods.map((pod) => [`default/${pod}`, 1]));
  const evicted = (prefix: string) =>
    Object.fromEntries(Object.entries(world.evictions()).filter(([pod]) => pod.startsWith(`default/${prefix}`)));

  describe.skipIf(!canName())('of two replicas', () => {
    // That it takes 65 seconds at most is tested without the real clock (`lib/kube/lease.test.ts`).
    const held = (by: (holder: string) => boolean, seconds: number): Promise<string> =>
      until('another replica acts', { seconds }, async () => {
        const holder = await world.holder();
        return by(holder) ? { found: holder } : { yet: `it is "${holder}"` };
      });

    async function draining(name: string): Promise<void> {
      await world.machine(name);
      await world.pod(`${name}-slow`, name, { isHeld: true });
      await world.says(name, 'Ready', 'Available');
      await world.delete(name);
      await world.says(name, 'Drained', 'Draining');
    }

    test.for([
      ['is killed', 'kill', 65],
      ['stops', 'stop', 30],
    ] as const)(
      'the one that acts %s in the middle of a drain, and the other one goes on',
      async ([, how, seconds]) => {
        const replicas = new Map(['a', 'b'].map((host) => [host, provider(host)]));
        const first = await held((holder) => replicas.has(holder), 60);
        await draining(`replica-${how}`);
        await replicas.get(first)?.[how]();
        // One that was killed lets go of nothing: its lease has to run out.
        expect((await world.holder()) === first).toBe(how === 'kill');
        await held((holder) => holder !== first && holder !== '', seconds);
        await world.lookedAt(`replica-${how}`);
        await world.free(`replica-${how}-slow`);
        await world.isGone(`replica-${how}`);
        expect(evicted(`replica-${how}-`)).toEqual(once(`replica-${how}-slow`));
      },
    );
  });

  test('a Node with 110 pods is emptied, and so are 50 Nodes at once', async () => {
    provider();
    const pods = Array.from({ length: 110 }, (_, index) => `full-${index}`);
    await world.machine('full');
    await Promise.all(pods.map((pod) => world.pod(pod, 'full')));
    const names = Array.from({ length: 50 }, (_, index) => `many-${index}`);
    await Promise.all(
      names.map(async (name) => {
        await world.machine(name);
        await world.pod(`${name}-web`, name);
      }),
    );
    for (const name of ['full', ...names]) await world.says(name, 'Ready', 'Available');
    await Promise.all(['full', ...names].map((name) => world.delete(name)));
    for (const name of ['full', ...names]) await world.isGone(name);
    expect(evicted('full-')).toEqual(once(...pods));
    expect(evicted('many-')).toEqual(once(...names.map((name) => `${name}-web`)));
  });

  test('a budget that allows one pod lets one go after the other', async () => {
    provider();
    const labels = { app: 'pair' };
    for (const name of ['pair-1', 'pair-2']) await world.machine(name);
    await world.pod('pair-1-web', 'pair-1', { labels, isHeld: true });
    await world.pod('pair-2-web', 'pair-2', { labels });
    await world.workload.api.apply({
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'pair', namespace: 'default' },
      spec: { minAvailable: 1, selector: { matchLabels: labels } },
    });
    await until('the budget allows one', { seconds: 60 }, async () => {
      const budget = { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', namespace: 'default', name: 'pair' };
      const { status } = await world.workload.api.get(budget);
      return status?.['disruptionsAllowed'] === 1 ? { found: true } : { yet: JSON.stringify(status) };
    });
    for (const name of ['pair-1', 'pair-2']) await world.says(name, 'Ready', 'Available');
    await world.delete('pair-1');
    await world.says('pair-1', 'Drained', 'Draining');
    await world.delete('pair-2');
    await world.says('pair-2', 'Drained', 'BlockedByBudget');
    await world.pod('pair-3-web', 'elsewhere', { labels });
    await world.free('pair-1-web');
    for (const name of ['pair-1', 'pair-2']) await world.isGone(name);
    expect(evicted('pair-')).toEqual(once('pair-1-web', 'pair-2-web'));
  });

  test('a pod whose budget never lets it go is held, or cut off, as the object says; it is evicted in no case', async () => {
    provider();
    const labels = { app: 'never' };
    await world.workload.api.apply({
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'never', namespace: 'default' },
      spec: { maxUnavailable: 0, selector: { matchLabels: labels } },
    });
    await world.machine('never', { spec: { drain: { timeout: '3s', onTimeout: 'Hold' } } });
    await world.pod('never-web', 'never', { labels });
    await world.says('never', 'Ready', 'Available');
    await world.delete('never');
    await world.says('never', 'Drained', 'TimedOut');
    await world.lookedAt('never');
    await world.says('never', 'Drained', 'TimedOut');
    await world.management.patch(refTo('never'), { spec: { drain: { onTimeout: 'Continue' } } });
    await world.isGone('never');
    expect(evicted('never-')).toEqual({});
    expect(await world.workload.api.find(podRef('never-web')), 'only its machine ends it').toBeDefined();
    expect(await world.told('never', 'NotDrained')).toMatch(/not drained within 3s \(spec\.drain\.timeout\)/);
  });

  test('a pod whose DaemonSet is gone is evicted, one whose DaemonSet is there stays, and one in a namespace that ends is left to it', async () => {
    provider();
    const { api } = world.workload;
    const template = { metadata: { labels: { app: 'agent' } }, spec: { containers: [{ name: 'a', image: 'a' }] } };
    const spec = { selector: { matchLabels: { app: 'agent' } }, template };
    await api.apply({
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name: 'agent', namespace: 'default' },
      spec,
    });
    await api.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'ending' } });
    await world.machine('odd');
    await world.pod('odd-orphan', 'odd', { daemonSet: 'gone' });
    await world.pod('odd-agent', 'odd', { daemonSet: 'agent' });
    await world.pod('odd-last', 'odd', { namespace: 'ending' });
    await world.says('odd', 'Ready', 'Available');
    // Nothing here empties namespaces, so that it stays as it is.
    await api.delete({ apiVersion: 'v1', kind: 'Namespace', name: 'ending' });
    await world.delete('odd');
    await world.says('odd', 'Drained', 'Draining');
    await world.lookedAt('odd');
    expect(await api.find(podRef('odd-last', 'ending'))).toBeDefined();
    await api.delete(podRef('odd-last', 'ending'));
    await world.isGone('odd');
    expect(evicted('odd-')).toEqual(once('odd-orphan'));
    expect(await api.find(podRef('odd-agent'))).toBeDefined();
  });

  describe('in every phase', () => {
    test('it survives its own end, that of either API, another kubeconfig, and a clock that is set', async () => {
      let only = provider();
      const machines = PHASES.map((phase) => ({ phase, name: `phase-${phase.name}` }));
      for (const { phase, name } of machines) await phase.begin(world, name);
      await JOINING.begin(world, 'phase-joining');
      const stands = async (): Promise<void> => {
        for (const { phase, name } of machines) {
          await world.lookedAt(name);
          await world.says(name, phase.condition, phase.reason);
        }
        await world.lookedAt('phase-joining');
        await world.says('phase-joining', 'Ready', 'WaitingForNode');
        expect(await JOINING.isAdmitted(world)).toBe(true);
      };
      await stands();

      await only.kill();
      only = provider();
      await stands();

      process.kill(only.pid, 'SIGUSR2');
      await stands();
      expect(await JOINING.expires(world), 'it is an hour ahead').toBeGreaterThan(Date.now() + 45 * 60_000);
      process.kill(only.pid, 'SIGHUP');
      await stands();

      await world.workload.running().kill();
      const down = world.requests().length;
      await world.workload.restart();
      starting = [down, world.requests().length];
      await stands();

      await real.kubernetes.server().kill();
      await real.kubernetes.restartServer();
      await stands();

      rotated = world.requests().length;
      await world.rotate(ROTATED);
      await stands();
      const since = world.requests().length;
      await stands();
      const users = new Set(
        world
          .requests()
          .slice(since)
          .map(({ user }) => user.username),
      );
      expect(users).toContain(ROTATED);
      expect(users, 'the old credentials are not used any longer').not.toContain(PROVIDER_NODE);

      await only.kill();
      provider();
      for (const { phase, name } of machines) await phase.release(world, name);
      await world.register('phase-joining');
      for (const { name } of machines) await world.isGone(name);
      await world.says('phase-joining', 'Ready', 'Available');
      expect(await JOINING.isAdmitted(world), 'the token is gone').toBe(false);
      const pods = machines.flatMap(({ phase, name }) => phase.evicted.map((pod) => `${name}-${pod}`));
      expect(evicted('phase-')).toEqual(once(...pods));
      expect(world.runs(), 'updaters ran once').toBe(1);
    });
  });

  test('in all of that, its roles refused it nothing but what the namespace did, and it deleted no pod but its own', () => {
    const requests = world.requests();
    const forbidden = [
      ...refused([...requests.slice(0, starting[0]), ...requests.slice(starting[1], rotated)], PROVIDER_NODE),
      ...refused(requests, ROTATED),
    ];
    expect(forbidden.filter((what) => what !== 'create pods/eviction in ending')).toEqual([]);
    const own = requests.filter(({ user }) => user.username.startsWith('slipway:'));
    const deleted = own.filter(({ verb, objectRef }) => verb === 'delete' && objectRef?.resource === 'pods');
    // Pods of updates: it made them, and takes them away where no kubelet did.
    expect(deleted.filter(({ objectRef }) => objectRef?.name?.startsWith('slipway-update-') !== true)).toEqual([]);
  });
});
