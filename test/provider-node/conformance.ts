/**
 * What every implementation of WorkloadNodes has to do, behaviour by behaviour. It tests the simulator, plain
 * decisions, and the real controller, so that they do not diverge.
 */
import { afterEach, describe, expect, test } from 'vitest';
import { type Json, type JsonObject, type KubeObject, at, stringAt } from '#lib/api/json.ts';
import { describeDrains } from './drains.ts';
import type { ServingRequest } from '#lib/node/situation.ts';
import { describeManaged } from './managed.ts';
import type { Ability, NodeScene, Player, Scene, Stage } from './player.ts';
import { said, strangersAmong } from './said.ts';

const READY: NodeScene = {};
/** A pod, so that a drain takes a while. */
const BUSY = { node: READY, pods: [{ name: 'web' }] };
/** Seconds within which every implementation has reconciled. */
const SOON = 15;
/** Seconds within which a Node is empty if all its pods accept eviction, or updaters have run. */
const WHILE = 60;

export function describeProviderNode(player: Player): void {
  const stages = new Set<Stage>();
  afterEach(() => {
    const strangers = [...stages].flatMap((stage) => strangersAmong(stage.object()));
    stages.clear();
    expect(strangers, 'every condition is one of the contract').toEqual([]);
  });
  describeManaged(player);
  describeDrains(player);

  const begin = async (scene: Scene = {}, seconds = SOON): Promise<Stage> => {
    const stage = await player.begin(scene);
    await stage.pass(seconds);
    stages.add(stage);
    return stage;
  };
  const cannot = (ability: Ability): boolean => !player.abilities.has(ability);

  describe(`${player.name}: looking for a Node`, () => {
    test('a WorkloadNode waits for the Node by name until it registers, and then reports it', async () => {
      const stage = await begin();
      expect(said(stage, 'Ready')).toBe('False WaitingForNode: waiting for Node "general-0" to register');
      expect(said(stage, 'Synced')).toBe('True ReconcileSuccess');
      stage.register(READY);
      await stage.pass(SOON);
      expect(said(stage, 'Ready')).toBe('True Available');
      expect(said(stage, 'NodeHealthy')).toBe('True KubeletReady');
      expect(stage.object()?.status).toMatchObject({
        nodeRef: { name: 'general-0' },
        nodeInfo: { kubeletVersion: 'v1.35.4' },
        addresses: expect.arrayContaining([expect.objectContaining({ type: 'InternalIP' })]) as Json,
        nodeConditions: [expect.objectContaining({ type: 'Ready', status: 'True' })] as Json,
      });
    });

    test('the Node is not ready while its kubelet is not', async () => {
      const stage = await begin({ node: { ready: false } });
      expect(said(stage, 'Ready')).toBe('False NodeNotReady: Node "general-0" is not ready');
      expect(said(stage, 'NodeHealthy')).toBe('False KubeletNotReady: Node "general-0" is not ready');
      stage.change({ ready: true });
      await stage.pass(SOON);
      expect(said(stage, 'Ready')).toBe('True Available');
    });

    test('the health of the Node is not known while its kubelet is not heard of', async () => {
      const stage = await begin({ node: READY });
      stage.stopMachine();
      await stage.pass(SOON);
      const why = 'the kubelet of Node "general-0" does not respond';
      expect(said(stage, 'Ready')).toBe(`False NodeUnknown: ${why}`);
      expect(said(stage, 'NodeHealthy')).toBe(`Unknown KubeletUnknown: ${why}`);
    });

    test('a Node that is not ready for a moment is no failure, one that stays so is', async () => {
      const stage = await begin({ node: READY });
      stage.change({ ready: false });
      await stage.pass(SOON);
      expect(said(stage, 'NodeHealthy')).toBe('True KubeletReady');
      expect(said(stage, 'Ready')).toBe('True Available');
      await stage.pass(WHILE);
      expect(said(stage, 'NodeHealthy')).toBe('False KubeletNotReady: Node "general-0" is not ready');
    });

    test('an unreachable Node is reported as such, and found when it is reachable again', async () => {
      const stage = await begin({ node: READY });
      stage.cut(40);
      stage.edit({ labels: { a: 'b' } });
      await stage.pass(SOON);
      expect(said(stage, 'Synced')).toMatch(/^False ReconcileError: .*connection refused/);
      await stage.pass(WHILE);
      expect(said(stage, 'Synced')).toBe('True ReconcileSuccess');
      expect(labelsOf(stage)).toMatchObject({ a: 'b' });
    });

    test.skipIf(cannot('answers'))('a report whose answer was lost is corrected once it is wrong', async () => {
      const stage = await begin({ node: READY });
      stage.cut(30);
      stage.loseAnswer?.(4 * WHILE);
      await stage.pass(30);
      expect(said(stage, 'Synced')).toMatch(/^False ReconcileError: .*connection refused/);
      await stage.pass(8 * WHILE);
      expect(said(stage, 'Synced')).toBe('True ReconcileSuccess');
    });
  });

  describe(`${player.name}: labels and taints on a Node`, () => {
    const wanted = {
      labels: { team: 'a' },
      annotations: { note: 'one' },
      taints: [{ key: 'dedicated', value: 'gpu', effect: 'NoSchedule' }],
    };
    const others: NodeScene = {
      labels: { zone: 'z' },
      annotations: { kubelet: 'k' },
      taints: [{ key: 'theirs', effect: 'NoExecute' }],
    };

    test('are added beside those of others', async () => {
      const stage = await begin({ node: others, spec: wanted });
      expect(labelsOf(stage)).toMatchObject({ zone: 'z', team: 'a' });
      expect(stage.node()?.metadata?.annotations).toMatchObject({ kubelet: 'k', note: 'one' });
      expect(taintsOf(stage)).toEqual(['dedicated:NoSchedule', 'theirs:NoExecute']);
    });

    test('are removed when they are no longer in the spec, and no others are', async () => {
      const stage = await begin({ node: others, spec: wanted });
      stage.edit({ labels: { team: null, other: 'x' }, annotations: { note: null }, taints: [] });
      await stage.pass(SOON);
      expect(labelsOf(stage)).toMatchObject({ zone: 'z', other: 'x' });
      expect(labelsOf(stage)).not.toHaveProperty('team');
      expect(stage.node()?.metadata?.annotations).toMatchObject({ kubelet: 'k' });
      expect(stage.node()?.metadata?.annotations).not.toHaveProperty('note');
      expect(taintsOf(stage)).toEqual(['theirs:NoExecute']);
    });

    test('keep new pods off it as long as the object says so', async () => {
      const stage = await begin({ node: READY, spec: { unschedulable: true } });
      expect(isCordoned(stage)).toBe(true);
      stage.edit({ unschedulable: false });
      await stage.pass(SOON);
      expect(isCordoned(stage)).toBe(false);
    });

    test.skipIf(cannot('scripts'))('leave a Node cordoned that a user cordoned', async () => {
      const stage = await begin({ node: { unschedulable: true }, scripts: ['sysctls'] });
      expect(isCordoned(stage)).toBe(true);
      stage.edit({ update: anUpdate({ disruptive: true }) });
      await stage.pass(2 * WHILE);
      expect(updateOf(stage)).toBe('one Succeeded');
      expect(isCordoned(stage)).toBe(true);
    });
  });

  describe.skipIf(cannot('calls'))(`${player.name}: a cluster that has to be started by a call`, () => {
    const start = {
      kind: 'Talos',
      secretRef: { name: 'prod-talosconfig', key: 'talosconfig' },
      addresses: ['10.0.0.7'],
    };

    test('is called until the machine accepts the call, before its Node is looked for', async () => {
      const stage = await begin({ spec: { start }, refusedCalls: 2 }, 3);
      expect(said(stage, 'Ready')).toBe(
        'False WaitingForStart: waiting for the Talos API at 10.0.0.7 to accept the call that starts the cluster: connection refused',
      );
      await stage.pass(40);
      expect(stage.object()?.status).toMatchObject({ started: true });
      expect(said(stage, 'Ready')).toMatch(/^False WaitingForNode/);
      expect(stage.events.filter((event) => event === 'called')).toHaveLength(3);
    });

    test('is not called again', async () => {
      const stage = await begin({ spec: { start } });
      stage.register(READY);
      stage.edit({ labels: { a: 'b' } });
      await stage.pass(WHILE);
      expect(said(stage, 'Ready')).toBe('True Available');
      expect(stage.events.filter((event) => event === 'called')).toHaveLength(1);
    });
  });

  describe(`${player.name}: a machine that joins by a token`, () => {
    const join: JsonObject = { kind: 'Kubeadm', secretRef: { name: 'general-0-join-token', key: 'token' } };
    const spec = { join };
    const joinToken = 'fake42.0123456789abcdef';

    test('has its token accepted before its Node is there, and no longer after', async () => {
      const stage = await begin({ spec, joinToken });
      expect(said(stage, 'Ready')).toMatch(/^False WaitingForNode/);
      expect(Object.keys(stage.tokens())).toEqual(['fake42']);
      expect(stage.object()?.status?.['join']).toMatchObject({ tokenSecret: 'bootstrap-token-fake42' });
      stage.register(READY);
      await stage.pass(SOON);
      expect(stage.tokens()).toEqual({});
      expect(stage.object()?.status?.['join']).toEqual({ joined: true });
      expect(said(stage, 'Ready')).toBe('True Available');
    });

    test('has its token extended for as long as it takes, and never for more than its life', async () => {
      const stage = await begin({ spec, joinToken });
      for (let minutes = 0; minutes < 60; minutes += 5) {
        expect(stage.tokens()['fake42']).toBeGreaterThan(7 * 60);
        expect(stage.tokens()['fake42']).toBeLessThanOrEqual(15 * 60);
        await stage.pass(5 * 60);
      }
    });

    test('is not joined a second time, whatever happens to its Node', async () => {
      const stage = await begin({ spec, joinToken, node: READY });
      stage.change({ ready: false });
      stage.edit({ labels: { a: 'b' } });
      await stage.pass(20 * 60);
      expect(stage.tokens()).toEqual({});
      expect(stage.object()?.status?.['join']).toEqual({ joined: true });
    });

    test('waits for its token, and says where', async () => {
      const stage = await begin({ spec });
      const where = 'key "token" of Secret "team-a/general-0-join-token"';
      expect(said(stage, 'Ready')).toBe(`False WaitingForJoinToken: waiting for ${where}`);
      expect(said(stage, 'Synced'), 'to wait for a Secret is no error').toBe('True ReconcileSuccess');
      stage.bringToken(joinToken);
      await stage.pass(SOON);
      expect(Object.keys(stage.tokens())).toEqual(['fake42']);
    });

    test.for(['HUNTER2', `${joinToken}\nx`, 'a/../b.0123456789abcdef', 'fake42.0123456789ABCDEF'])(
      'has nothing else written into its cluster, and nobody reads it: %j',
      async (hostile) => {
        const stage = await begin({ spec, joinToken: hostile });
        const where = 'key "token" of Secret "team-a/general-0-join-token"';
        expect(said(stage, 'Ready')).toBe(
          `False WaitingForJoinToken: cannot use ${where}: it is not a bootstrap token`,
        );
        expect(stage.tokens()).toEqual({});
      },
    );

    test('takes its token with it when its object is deleted before it joined', async () => {
      const stage = await begin({ spec, joinToken });
      stage.delete();
      await stage.pass(SOON);
      expect(stage.object()).toBeUndefined();
      expect(stage.tokens()).toEqual({});
    });

    test('lets a token expire that other machines join by too, and does not bring it back', async () => {
      const shared = { join: { ...join, shared: true } };
      const stage = await begin({ spec: shared, joinToken, oldToken: joinToken });
      stage.register(READY);
      await stage.pass(SOON);
      expect(stage.tokens()['fake42']).toBeLessThanOrEqual(15 * 60);
      await stage.pass(15 * 60);
      expect(stage.tokens()).toEqual({});
      const late = await begin({ spec: shared, joinToken });
      expect(late.tokens(), 'somebody deleted it').toEqual({});
    });
  });

  describe(`${player.name}: an update in place`, () => {
    test.skipIf(cannot('scripts'))(
      'that disrupts the Node cordons it, drains it and uncordons it, and reports each phase',
      async () => {
        const stage = await begin(
          { ...BUSY, scripts: ['sysctls'], spec: { update: anUpdate({ disruptive: true }) } },
          3,
        );
        expect(updateOf(stage)).toBe('one Draining');
        expect(said(stage, 'Ready')).toBe('False Updating: update one: evicting pods from Node "general-0"');
        expect(said(stage, 'Drained')).toMatch(/^False Draining/);
        expect(isCordoned(stage)).toBe(true);
        await stage.pass(2 * WHILE);
        expect(updateOf(stage)).toBe('one Succeeded');
        expect(said(stage, 'Updated')).toBe('True Succeeded');
        expect(said(stage, 'Ready')).toBe('True Available');
        expect(cordons(stage)).toEqual(['cordoned', 'uncordoned']);
      },
    );

    test.skipIf(cannot('scripts'))('without disruption leaves the Node available', async () => {
      const stage = await begin({ node: READY, scripts: ['sysctls'], spec: { update: anUpdate() } }, 2 * WHILE);
      expect(updateOf(stage)).toBe('one Succeeded');
      expect(cordons(stage)).toEqual([]);
    });

    test('waits, drained, while another function changes the machine', async () => {
      const update = anUpdate({ disruptive: true, hold: true, updaters: [] });
      const stage = await begin({ node: READY, spec: { update } }, 2 * WHILE);
      expect(updateOf(stage)).toBe('one Drained');
      expect(said(stage, 'Drained')).toBe('True Drained');
      expect(isCordoned(stage)).toBe(true);
      stage.edit({ update: { ...update, hold: false } });
      await stage.pass(SOON);
      expect(updateOf(stage)).toBe('one Succeeded');
      expect(isCordoned(stage)).toBe(false);
    });

    test.skipIf(cannot('scripts'))('waits for the scripts of its updaters', async () => {
      const stage = await begin({ node: READY, scripts: [], spec: { update: anUpdate() } });
      expect(said(stage, 'Updated')).toBe('False Running: update one: waiting for the script of updater sysctls');
    });

    test.skipIf(cannot('scripts'))('that failed leaves the Node cordoned, and is not tried again', async () => {
      const scene = { node: READY, scripts: ['sysctls'], failing: 'sysctls' };
      const stage = await begin({ ...scene, spec: { update: anUpdate({ disruptive: true }) } }, 2 * WHILE);
      const why = 'update one: updater sysctls failed on Node "general-0": exit code 1';
      expect(said(stage, 'Updated')).toBe(`False Failed: ${why}`);
      expect(said(stage, 'Ready')).toBe(`False UpdateFailed: ${why}`);
      stage.edit({ labels: { a: 'b' } });
      await stage.pass(2 * WHILE);
      expect(updateOf(stage)).toBe('one Failed');
      expect(cordons(stage)).toEqual(['cordoned']);
    });

    test.skipIf(cannot('scripts'))('runs once for an id, and again for another', async () => {
      const stage = await begin({ ...BUSY, scripts: ['sysctls'], spec: { update: anUpdate() } }, 2 * WHILE);
      expect(updateOf(stage)).toBe('one Succeeded');
      stage.edit({ update: anUpdate({ id: 'two', disruptive: true }) });
      await stage.pass(3);
      expect(updateOf(stage)).toBe('two Draining');
      await stage.pass(2 * WHILE);
      expect(updateOf(stage)).toBe('two Succeeded');
    });

    test.skipIf(cannot('scripts') || cannot('restart'))(
      'goes on when its provider was stopped in the middle, and leaves nothing behind',
      async () => {
        for (const seconds of [1, 3, 16, 30]) {
          const spec = { update: anUpdate({ disruptive: true }) };
          const stage = await begin({ ...BUSY, scripts: ['sysctls'], spec }, seconds);
          await stage.restart();
          await stage.pass(2 * WHILE);
          expect(updateOf(stage), `stopped after ${seconds} s`).toBe('one Succeeded');
          expect(at(stage.object(), 'status', 'update', 'pod')).toBeUndefined();
          expect(cordons(stage)).toEqual(['cordoned', 'uncordoned']);
        }
      },
    );

    test.skipIf(cannot('scripts'))('ends when the kubelet reports the wanted version', async () => {
      const update = anUpdate({ version: 'v1.35.5' });
      const scene = { node: READY, scripts: ['sysctls'], spec: { update } };
      const stage = await begin({ ...scene, versionAfter: 'v1.35.5' }, 2 * WHILE);
      expect(updateOf(stage)).toBe('one Succeeded');
      const late = await begin(scene, 2 * WHILE);
      expect(said(late, 'Updated')).toBe('False Verifying: update one: the kubelet reports v1.35.4, expected v1.35.5');
    });

    test('that takes too long fails, and reports its phase', async () => {
      const update = anUpdate({ disruptive: true, hold: true, timeout: '5m' });
      const stage = await begin({ node: READY, scripts: ['sysctls'], spec: { update } }, 280);
      expect(updateOf(stage)).toBe('one Drained');
      await stage.pass(40);
      expect(said(stage, 'Updated')).toBe('False Failed: update one: not done within 5m, while Drained');
      expect(isCordoned(stage)).toBe(true);
    });
  });

  describe(`${player.name}: an object that is deleted`, () => {
    test('remains until its Node is drained and deleted', async () => {
      const stage = await begin(BUSY);
      stage.delete();
      await stage.pass(3);
      expect(said(stage, 'Ready')).toBe('False Deleting');
      expect(said(stage, 'Drained')).toBe('False Draining: evicting pods from Node "general-0"');
      expect(isCordoned(stage)).toBe(true);
      await stage.pass(WHILE);
      expect(stage.object()).toBeUndefined();
      expect(inOrder(stage)).toEqual(['cordoned', 'Node deleted', 'object gone']);
    });

    test('is gone at once when its Node never registered', async () => {
      const stage = await begin();
      stage.delete();
      await stage.pass(SOON);
      expect(stage.object()).toBeUndefined();
    });

    test('does not wait for pods on an unreachable Node', async () => {
      const stage = await begin({ node: READY });
      stage.stopMachine();
      await stage.pass(SOON);
      stage.delete();
      await stage.pass(WHILE);
      expect(stage.object()).toBeUndefined();
      expect(stage.node()).toBeUndefined();
    });

    test('is gone without a drain when its whole Cluster is deleted, reachable or not', async () => {
      for (const isCut of [false, true]) {
        const stage = await begin({ node: READY, spec: MEMBER });
        if (isCut) stage.cut(3600);
        stage.deleteCluster();
        stage.delete();
        await stage.pass(SOON);
        expect(stage.object()).toBeUndefined();
        expect(stage.events).not.toContain('left etcd');
      }
    });

    test('is drained although its kubeconfig is missing for a while, because that may be a mistake', async () => {
      const stage = await begin(BUSY);
      stage.loseKubeconfig();
      stage.delete();
      await stage.pass(SOON);
      expect(stage.object()).toBeDefined();
      expect(stage.node()).toBeDefined();
    });

    test('waits while the cluster is unreachable, and is let go after half an hour', async () => {
      const stage = await begin({ node: READY });
      stage.loseKubeconfig();
      stage.delete();
      await stage.pass(1780);
      expect(said(stage, 'Drained')).toMatch(
        /^False Unreachable: .*"team-a\/prod-kubeconfig" not found; deleted without a drain if its cluster cannot/,
      );
      expect(said(stage, 'Synced'), 'to wait for a Secret is no error').toBe('True ReconcileSuccess');
      await stage.pass(40);
      expect(stage.object()).toBeUndefined();
    });

    test.for([MEMBER, { drain: { timeout: '0s' } }])(
      'waits for ever while nothing can be reached: %j',
      async (spec) => {
        const stage = await begin({ node: READY, spec, etcd: ETCD });
        stage.cut(3600);
        stage.delete();
        await stage.pass(1800);
        expect(said(stage, 'Drained')).toMatch(/^False Unreachable: .*connection refused;.* waits /);
        expect(said(stage, 'Synced')).toMatch(/^False ReconcileError: .*connection refused/);
      },
    );
  });

  describe.skipIf(cannot('pods'))(`${player.name}: a drain`, () => {
    test('evicts all pods except those of a DaemonSet and those of the kubelet', async () => {
      const pods = [
        { name: 'web' },
        { name: 'log', daemonSet: 'log' },
        { name: 'orphan', daemonSet: 'gone' },
        { name: 'static', annotations: { 'kubernetes.io/config.mirror': 'x' } },
        { name: 'left-alone', labels: { 'cluster.x-k8s.io/drain': 'skip' } },
      ];
      const stage = await begin({ node: READY, pods, daemonSets: ['default/log'] });
      stage.delete();
      await stage.pass(WHILE);
      expect(stage.object()).toBeUndefined();
      expect(evicted(stage)).toEqual(['evicted orphan', 'evicted web']);
    });

    test('reports the pods whose budget refuses the eviction, and continues when it no longer does', async () => {
      const stage = await begin({ node: READY, pods: [{ name: 'web', refusals: 3 }, { name: 'db' }] });
      stage.delete();
      await stage.pass(3);
      expect(said(stage, 'Drained')).toMatch(
        /^False BlockedByBudget: cannot evict Pod "default\/web" since \S+Z: its disruption budget allows none$/,
      );
      expect(evicted(stage)).toEqual(['evicted db']);
      await stage.pass(3 * WHILE);
      expect(stage.object()).toBeUndefined();
    });

    test('that takes too long ends, and 0s waits without a limit', async () => {
      const scene = { node: READY, pods: [{ name: 'web', refusals: Infinity }] };
      const short = await begin({ ...scene, spec: { drain: { timeout: '2m' } } });
      short.delete();
      await short.pass(110);
      expect(short.object()).toBeDefined();
      await short.pass(30);
      expect(short.object()).toBeUndefined();
      const endless = await begin({ ...scene, spec: { drain: { timeout: '0s' } } });
      endless.delete();
      await endless.pass(3600);
      expect(said(endless, 'Drained')).toMatch(/^False BlockedByBudget/);
    });
  });

  describe.skipIf(cannot('certificates'))(`${player.name}: a kubelet that asks for a certificate to serve with`, () => {
    const spec = { servingCertificates: { approve: true, names: ['general-0'], addresses: ['10.0.0.7'] } };

    test('gets it for the names and addresses of its machine', async () => {
      const stage = await begin({ node: READY, spec, certificates: { requests: [aRequest()] } });
      expect(stage.events).toEqual(['approved csr-1']);
      expect(at(stage.object(), 'status', 'certificates')).toBeUndefined();
    });

    test('does not get it for another address, which a person has to decide', async () => {
      const requests = [aRequest({ addresses: ['10.0.0.8'] })];
      const stage = await begin({ node: READY, spec, certificates: { requests } });
      expect(stage.events).toEqual([]);
      const why = '10.0.0.8 is not an address of its machine';
      expect(stage.object()?.status).toMatchObject({ certificates: { pending: [{ request: 'csr-1', why }] } });
      expect(said(stage, 'Ready')).toBe('True Available');
    });

    test('is left to others where nobody asked to approve', async () => {
      const stage = await begin({ node: READY, certificates: { requests: [aRequest()] } });
      expect(stage.events).toEqual([]);
    });
  });

  describe.skipIf(cannot('certificates'))(`${player.name}: certificates that expire`, () => {
    test.for([
      ['2026-06-01T00:00:00Z', 'True Valid'],
      [
        '2026-01-20T00:00:00Z',
        'False ExpiresSoon: the certificate with which the Kubernetes API serves expires at 2026-01-20T00:00:00Z',
      ],
      [
        '2025-12-31T00:00:00Z',
        'False Expired: the certificate with which the Kubernetes API serves expired at 2025-12-31T00:00:00Z',
      ],
    ] as const)('at %s are reported on 1 January 2026 as %s', async ([apiServer, expected]) => {
      const kubeletServing = '2026-12-01T00:00:00Z';
      const certificates = { apiServer, kubeletServing, requests: [] };
      const stage = await begin({ node: READY, certificates });
      expect(said(stage, 'CertificatesValid')).toBe(expected);
      expect(stage.object()?.status).toMatchObject({ certificates: { apiServer, kubeletServing } });
      expect(said(stage, 'Ready'), 'the Node still works').toBe('True Available');
    });
  });

  describe.skipIf(cannot('etcd'))(`${player.name}: a member of etcd`, () => {
    const spec = MEMBER;

    test('is removed from etcd after the drain and before its Node is deleted', async () => {
      const stage = await begin({ node: READY, spec, etcd: ETCD });
      stage.delete();
      await stage.pass(WHILE);
      expect(inOrder(stage)).toEqual(['cordoned', 'left etcd', 'Node deleted', 'object gone']);
    });

    test('is known by the field of earlier releases as well', async () => {
      const stage = await begin({ node: READY, spec: { etcdMember: true }, etcd: ETCD });
      stage.delete();
      await stage.pass(WHILE);
      expect(inOrder(stage)).toEqual(['cordoned', 'left etcd', 'Node deleted', 'object gone']);
    });

    test('is removed although somebody else deleted its Node: the store still counts it', async () => {
      const stage = await begin({ node: READY, spec, etcd: ETCD });
      stage.loseNode();
      await stage.pass(SOON);
      stage.delete();
      await stage.pass(WHILE);
      expect(inOrder(stage)).toEqual(['Node deleted', 'left etcd', 'object gone']);
    });

    test('stays while the others would lose their majority, or while there are no others', async () => {
      const broken = ETCD.map((member) => ({ ...member, isHealthy: member.name === 'general-0' }));
      for (const [etcd, why] of [
        [broken, 'etcd would keep 0 healthy of 2 members, and needs 2'],
        [ETCD.slice(0, 1), 'Node "general-0" is the last etcd member'],
      ] as const) {
        const stage = await begin({ node: READY, spec, etcd });
        stage.delete();
        await stage.pass(1800);
        expect(said(stage, 'MembershipLeft')).toBe(`False WouldLoseQuorum: ${why}`);
        expect(said(stage, 'Drained')).toBe('True Drained');
        expect(stage.node()).toBeDefined();
      }
    });

    test('waits while another one leaves', async () => {
      const etcd = ETCD.map((member) =>
        member.name === 'general-2' ? { ...member, leaving: 'Asked' as const } : member,
      );
      const stage = await begin({ node: READY, spec, etcd });
      stage.delete();
      await stage.pass(1800);
      expect(said(stage, 'MembershipLeft')).toBe('False Waiting: Node "general-2" leaves etcd first');
    });
  });
}

function aRequest(parts: Partial<ServingRequest> = {}): ServingRequest {
  const kubelet = 'system:node:general-0';
  return {
    name: 'csr-1',
    uid: 'csr-uid',
    signer: 'kubernetes.io/kubelet-serving',
    username: kubelet,
    groups: ['system:nodes', 'system:authenticated'],
    usages: ['digital signature', 'server auth'],
    subject: { commonName: kubelet, organizations: ['system:nodes'] },
    names: ['general-0'],
    addresses: ['10.0.0.7'],
    others: 0,
    ...parts,
  };
}

const MEMBER = { membership: { kind: 'KubeadmEtcd', secretRef: { name: 'prod-etcd' } } };

const ETCD = ['general-0', 'general-1', 'general-2'].map((name, index) => ({
  name,
  isHealthy: true,
  isLeader: index === 0,
}));

function anUpdate(parts: JsonObject = {}): JsonObject {
  return {
    id: 'one',
    updaters: ['sysctls'],
    payloadSecretRef: { name: 'general-0-update' },
    disruptive: false,
    hold: false,
    ...parts,
  };
}

function updateOf(stage: Stage): string {
  const update = at(stage.object(), 'status', 'update');
  return `${stringAt(update, 'id')} ${stringAt(update, 'phase')}`;
}

function labelsOf(stage: Stage): Readonly<Record<string, string>> {
  return stage.node()?.metadata?.labels ?? {};
}

function taintsOf(stage: Stage): readonly string[] {
  const taints = (at(stage.node(), 'spec', 'taints') ?? []) as readonly KubeObject[];
  return taints.map((taint) => `${stringAt(taint, 'key')}:${stringAt(taint, 'effect')}`).toSorted();
}

function isCordoned(stage: Stage): boolean {
  return at(stage.node(), 'spec', 'unschedulable') === true;
}

function cordons({ events }: Stage): readonly string[] {
  return events.filter((event) => event === 'cordoned' || event === 'uncordoned');
}

function evicted({ events }: Stage): readonly string[] {
  return events.filter((event) => event.startsWith('evicted')).toSorted();
}

function inOrder({ events }: Stage): readonly string[] {
  return events.filter((event) => !event.startsWith('evicted'));
}
