/** The client for controllers on a real Kubernetes API, which is killed in between. */
import 'reflect-metadata'; // before @peculiar/x509, which is built on it
import { webcrypto } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Duplex, PassThrough } from 'node:stream';
import { Pkcs10CertificateRequestGenerator } from '@peculiar/x509';
import { beforeAll, describe, expect, test } from 'vitest';
import { falseCondition, trueCondition } from '#lib/api/conditions.ts';
import { at, type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import { KubeClient } from '#lib/kube/client.ts';
import type { Endpoint } from '#lib/kube/endpoint.ts';
import { EVENTS, Events } from '#lib/kube/events.ts';
import { Informer } from '#lib/kube/informer.ts';
import { Lease, LEASES } from '#lib/kube/lease.ts';
import { forwarded, PODS } from '#lib/kube/port-forward.ts';
import { isStale } from '#lib/kube/refusal.ts';
import type { Resource } from '#lib/kube/resource.ts';
import { StatusWriter } from '#lib/kube/status.ts';
import { REAL_TIME, type Timing } from '#lib/kube/timing.ts';
import { watched, type WatchEvent } from '#lib/kube/watch.ts';
import type { Kubernetes } from '../e2e/lab/kubernetes.ts';
import { newAuthority } from '../support/certificates.ts';
import { forwardPorts } from '../support/forwarding.ts';
import { hasKubernetes, realKubernetes } from '../support/real-kubernetes.ts';

const CONFIG_MAPS: Resource = { apiVersion: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };
const NODES: Resource = { apiVersion: 'v1', kind: 'Node', plural: 'nodes', namespaced: false };
const BUDGETS: Resource = {
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  plural: 'poddisruptionbudgets',
  namespaced: true,
};
const DEFINITIONS: Resource = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
};
const THINGS: Resource = { apiVersion: 'test.slipway.dev/v1', kind: 'Thing', plural: 'things', namespaced: true };
const REVIEWS: Resource = {
  apiVersion: 'authorization.k8s.io/v1',
  kind: 'SelfSubjectAccessReview',
  plural: 'selfsubjectaccessreviews',
  namespaced: false,
};
const ACCOUNTS: Resource = { apiVersion: 'v1', kind: 'ServiceAccount', plural: 'serviceaccounts', namespaced: true };
const RBAC = 'rbac.authorization.k8s.io/v1';
const ROLES: Resource = { apiVersion: RBAC, kind: 'Role', plural: 'roles', namespaced: true };
const BINDINGS: Resource = { apiVersion: RBAC, kind: 'RoleBinding', plural: 'rolebindings', namespaced: true };
const DEPLOYMENTS: Resource = { apiVersion: 'apps/v1', kind: 'Deployment', plural: 'deployments', namespaced: true };
const REQUESTS: Resource = {
  apiVersion: 'certificates.k8s.io/v1',
  kind: 'CertificateSigningRequest',
  plural: 'certificatesigningrequests',
  namespaced: false,
};
const MANAGER = 'slipway-test';

/** Twenty seconds pass in one. */
const HURRIED: Timing = {
  now: () => Date.now() * 20,
  elapsed: () => REAL_TIME.elapsed() * 20,
  after: (seconds, run) => REAL_TIME.after(seconds / 20, run),
};

const configMap = (name: string, data: Readonly<Record<string, string>> = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace: 'default', name, labels: { of: name.startsWith('page-') ? 'many' : 'one' } },
  data,
});

describe.skipIf(!hasKubernetes('a real Kubernetes API'))('a real Kubernetes API', () => {
  const real = realKubernetes();
  let kubernetes: Kubernetes;
  let client: KubeClient;

  beforeAll(() => {
    ({ kubernetes, client } = real);
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

  test('takes one event for many of the same, about objects with and without a namespace', async () => {
    const about = await client.get(CONFIG_MAPS, { namespace: 'default', name: 'page-1' });
    const node = await client.get(NODES, { name: 'node-1' });
    const errors: unknown[] = [];
    const events = new Events({ client, timing: REAL_TIME, component: MANAGER, onError: (one) => errors.push(one) });
    for (let times = 0; times < 5; times += 1) await events.tell(about, 'Warning', 'Tried', 'it is only a test');
    expect(errors).toEqual([]);
    await events.tell(node, 'Normal', 'Tried', 'it is only a test');
    expect(errors).toEqual([]);
    const said = async (selection: string): Promise<number> =>
      (await client.list(EVENTS, { fields: `reason=Tried,${selection}` })).items.length;
    expect(await said('involvedObject.name=page-1,involvedObject.namespace=default')).toBe(1);
    expect(await said('involvedObject.name=node-1,involvedObject.namespace='), 'as kubectl describe asks').toBe(1);
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

  test('gives the lease of a replica that crashed to another one, by the time that passed', async () => {
    const name = { namespace: 'default', name: 'crashed' };
    const make = (holder: string, client: KubeClient): Lease =>
      new Lease({ client, timing: HURRIED, name, holder, manager: holder, onError: () => undefined });
    let isCut = false;
    const token = (): string => {
      if (isCut) throw new Error('the network is cut');
      return tokenOf(client.endpoint);
    };
    const [first, second] = [make('first', new KubeClient({ ...client.endpoint, token })), make('second', client)];
    await first.acquire();
    let isLost = false;
    void first.lost.then(() => (isLost = true));
    const taken = second.acquire();
    isCut = true;
    await taken;
    expect([isLost, first.isHeld, second.isHeld]).toEqual([true, false, true]);
    await second.stop();
  });

  test('sends bookmarks, from where another watch may begin', async () => {
    const parts = { client, timing: REAL_TIME, random: () => 0, lasts: { least: 10, most: 10 } };
    const { resourceVersion } = await client.list(CONFIG_MAPS);
    const seen: WatchEvent[] = [];
    for await (const event of watched(parts, CONFIG_MAPS, {}, resourceVersion, new AbortController().signal)) {
      seen.push(event);
      if (event.type === 'Open') await client.create(CONFIG_MAPS, configMap('watched'), { manager: MANAGER });
      if (event.type === 'Bookmark') break;
    }
    expect(seen.map(({ type }) => type)).toEqual(['Open', 'Set', 'Bookmark']);
    const { metadata } = await client.get(CONFIG_MAPS, { namespace: 'default', name: 'watched' });
    expect(Number(at(seen[2], 'resourceVersion'))).toBeGreaterThanOrEqual(Number(metadata?.resourceVersion));
  });

  test('is followed through seven quiet minutes, although nothing is heard meanwhile', async () => {
    const seen: string[] = [];
    const errors: unknown[] = [];
    const informer = new Informer({
      client,
      timing: HURRIED,
      random: () => 0.5,
      resource: ACCOUNTS,
      selection: { namespace: 'default', labels: 'of=quiet' },
      onChange: (_before, after) => seen.push(after?.metadata?.name ?? ''),
      onError: (one) => errors.push(one),
    });
    informer.start();
    await informer.synced;
    await until(() => informer.counts.silent >= 3); // each after 150 s
    const metadata = { namespace: 'default', name: 'late', labels: { of: 'quiet' } };
    await client.create(ACCOUNTS, { apiVersion: 'v1', kind: 'ServiceAccount', metadata }, { manager: MANAGER });
    await until(() => seen.length > 0);
    expect(seen).toEqual(['late']);
    expect(errors).toEqual([]);
    expect(informer.counts, 'it is not listed again').toMatchObject({ lists: 1, failures: 0, expired: 0 });
    await informer.stop();
  });

  test('keeps the conditions of others when a status is written', async () => {
    await client.create(DEFINITIONS, THING_DEFINITION, { manager: MANAGER });
    await eventually(async () => {
      const found = await client.get(DEFINITIONS, { name: 'things.test.slipway.dev' });
      return JSON.stringify(found.status).includes('"type":"Established"');
    });
    const name = { namespace: 'default', name: 'one' };
    const thing = { apiVersion: THINGS.apiVersion, kind: 'Thing', metadata: name };
    await eventually(() => client.create(THINGS, thing, { manager: MANAGER }).then(Boolean, () => false));
    const read = (): Promise<KubeObject> => client.get(THINGS, name);
    const writer = (manager: string): StatusWriter =>
      new StatusWriter({ client, timing: REAL_TIME, resource: THINGS, manager });
    const [ours, theirs] = [writer('ours'), writer('theirs')];
    await theirs.write(await read(), { conditions: [trueCondition('Theirs', 'Fine')], fields: { size: 1 } });
    await ours.write(await read(), { conditions: [falseCondition('Ours', 'Waits', 'for it')], fields: { count: 1 } });
    const before = await read();
    expect(before.status).toMatchObject({
      size: 1,
      count: 1,
      conditions: [
        { type: 'Theirs', status: 'True', reason: 'Fine', observedGeneration: 1 },
        { type: 'Ours', status: 'False', reason: 'Waits', message: 'for it', observedGeneration: 1 },
      ],
    });

    const sent = client.requests;
    await ours.write(before, { conditions: [falseCondition('Ours', 'Waits', 'for it')], fields: { count: 1 } });
    expect(client.requests - sent, 'nothing changed').toBe(0);

    await theirs.write(before, { conditions: [trueCondition('Theirs', 'Better')], fields: { size: 2 } });
    await ours.write(before, { conditions: [], without: ['Ours'], fields: { count: undefined } });
    expect(await read(), 'what they wrote meanwhile stays').toMatchObject({
      status: { size: 2, conditions: [{ type: 'Theirs' }] },
    });
    expect((await read()).status).not.toHaveProperty('count');

    await client.delete(THINGS, name);
    await client.create(THINGS, thing, { manager: MANAGER });
    const late = ours.write(before, { conditions: [trueCondition('Ours', 'Late')] });
    await expect(late, 'another object has the name now').rejects.toSatisfy(isStale);
    expect((await read()).status).toBeUndefined();
    const uid = { metadata: { uid: before.metadata?.uid ?? '' }, status: { late: true } };
    await expect(client.patch(THINGS, name, uid, { manager: MANAGER })).rejects.toSatisfy(isStale);
    await client.patch(THINGS, name, uid, { manager: MANAGER, subresource: 'status' });
    expect((await read()).status, 'a uid is no precondition below status').toEqual({ late: true });
    const version = { metadata: { resourceVersion: before.metadata?.resourceVersion ?? '' }, status: { late: false } };
    const stale = client.patch(THINGS, name, version, { manager: MANAGER, subresource: 'status' });
    await expect(stale).rejects.toSatisfy(isStale);
  });

  test('tells what a caller may do, and has objects of other kinds below some', async () => {
    const resourceAttributes = { verb: 'create', group: 'apps', resource: 'deployments' };
    const review = { apiVersion: REVIEWS.apiVersion, kind: REVIEWS.kind, spec: { resourceAttributes } };
    expect((await client.create(REVIEWS, review, { manager: MANAGER })).status).toMatchObject({ allowed: true });

    const name = { namespace: 'default', name: 'web' };
    const labels = { app: 'web' };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'example.org/main' }] } };
    const spec = { replicas: 0, selector: { matchLabels: labels }, template };
    const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: name, spec };
    await client.create(DEPLOYMENTS, deployment, { manager: MANAGER });
    const scale = { manager: MANAGER, subresource: 'scale' };
    expect(await client.patch(DEPLOYMENTS, name, { spec: { replicas: 3 } }, scale)).toMatchObject({ kind: 'Scale' });
    expect((await client.get(DEPLOYMENTS, name, 'scale')).spec).toEqual({ replicas: 3 });
  });

  test('signs a certificate request that is approved', async () => {
    const name = { name: 'test-user' };
    const spec = {
      request: await certificateRequest(),
      signerName: 'kubernetes.io/kube-apiserver-client',
      usages: ['client auth'],
    };
    const request = { apiVersion: REQUESTS.apiVersion, kind: REQUESTS.kind, metadata: name, spec };
    const made = await client.create(REQUESTS, request, { manager: MANAGER });
    const condition = { type: 'Approved', status: 'True', reason: 'Test', message: 'a test' };
    const approved = { ...made, status: { conditions: [condition] } };
    await client.put(REQUESTS, name, { subresource: 'approval', manager: MANAGER }, approved, 'approve it');
    expect((await client.get(REQUESTS, name)).status).toMatchObject({ conditions: [condition] });
  });

  test('connects to a port of a pod through its kubelet, for who may get and create port-forwards', async () => {
    const kubelet = createServer(await (await newAuthority()).issue('node-1'));
    const asked: string[] = [];
    kubelet.on('upgrade', ({ url = '' }) => asked.push(url));
    forwardPorts(kubelet, 'port', (port) => (port === 80 ? answering() : `nobody listens to port ${port}`));
    kubelet.listen(0, '127.0.0.1');
    await once(kubelet, 'listening');
    const status = {
      addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
      daemonEndpoints: { kubeletEndpoint: { Port: (kubelet.address() as AddressInfo).port } },
    };
    await client.patch(NODES, { name: 'node-1' }, { status }, { manager: MANAGER, subresource: 'status' });
    const pod = { namespace: 'default', name: 'guarded' };

    const stream = await forwarded(client.endpoint, pod, 80);
    stream.write('hello');
    expect(String((await once(stream, 'data'))[0])).toBe('you said hello');
    stream.destroy();
    const refused = await forwarded(client.endpoint, pod, 81);
    expect((await once(refused.resume(), 'error'))[0]).toMatchObject({ why: 'nobody listens to port 81' });
    await expect(forwarded(client.endpoint, { ...pod, name: 'nobody' }, 80)).rejects.toMatchObject({ status: 404 });
    expect(asked).toEqual(['/portForward/default/guarded?port=80', '/portForward/default/guarded?port=81']);

    for (const [nth, verbs] of [['get'], ['create'], ['get', 'create']].entries()) {
      const account = await accountThatMay(client, `forwarder-${nth}`, verbs);
      const outcome = forwarded(account, pod, 80).then(
        (stream) => void stream.destroy(),
        (thrown: unknown) => thrown,
      );
      expect(at(await outcome, 'status'), verbs.join(' and ')).toBe(verbs.length === 2 ? undefined : 403);
    }
    kubelet.closeAllConnections();
    kubelet.close();
  });

  test('is followed through a kill of its server and a compaction of etcd; what was deleted meanwhile is gone', async () => {
    const { signal } = new AbortController();
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
    await compact(kubernetes.etcd);
    await kubernetes.restartServer();
    await client.apply(CONFIG_MAPS, configMap('page-2', { key: 'two' }), { manager: MANAGER, force: true });
    await client.delete(CONFIG_MAPS, { namespace: 'default', name: 'page-3' });
    await until(() => seen.get('page-2') === 'two' && !seen.has('page-3'));
    expect(errors.every((one) => one instanceof Error)).toBe(true);
    expect(informer.counts.expired, 'its version was too old').toBeGreaterThan(0);
    expect(informer.list()).toHaveLength(1199);
    await informer.stop();
    const old = watched({ client, timing: REAL_TIME, random: Math.random }, CONFIG_MAPS, {}, '1', signal);
    await expect(Array.fromAsync(old)).rejects.toMatchObject({ status: 410, kubeReason: 'Expired' });
  });
});

/** The real clock runs; the time limit of the test ends what never comes. */
async function until(fact: () => boolean): Promise<void> {
  while (!fact()) await new Promise((resolve) => setTimeout(resolve, 50));
}

function tokenOf({ credentials }: Endpoint): string {
  const { authorization } = credentials.headers as Readonly<Record<string, string>>;
  return (authorization ?? '').replace('Bearer ', '');
}

async function eventually(fact: () => Promise<boolean>): Promise<void> {
  while (!(await fact())) await new Promise((resolve) => setTimeout(resolve, 50));
}

/** What happened until now is forgotten. */
async function compact(etcd: string): Promise<void> {
  const ask = async (path: string, body: JsonObject): Promise<unknown> =>
    (await fetch(`${etcd}${path}`, { method: 'POST', body: JSON.stringify(body) })).json();
  const written = await ask('/v3/kv/put', { key: btoa('another'), value: btoa('revision') });
  await ask('/v3/kv/compaction', { revision: stringAt(written, 'header', 'revision') ?? '', physical: true });
}

/** Says what it is told. */
function answering(): Duplex {
  const said = new PassThrough();
  return Duplex.from({
    readable: said,
    writable: new PassThrough().on('data', (data: Buffer) => said.write(`you said ${data.toString('utf8')}`)),
  });
}

/** The endpoint for a service account that may do this with port-forwards. */
async function accountThatMay(client: KubeClient, name: string, verbs: readonly string[]): Promise<Endpoint> {
  const metadata = { namespace: 'default', name };
  const write = { manager: MANAGER };
  await client.create(ACCOUNTS, { apiVersion: 'v1', kind: 'ServiceAccount', metadata }, write);
  const rules = [{ apiGroups: [''], resources: ['pods/portforward'], verbs }];
  await client.create(ROLES, { apiVersion: RBAC, kind: 'Role', metadata, rules }, write);
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name };
  const subjects = [{ kind: 'ServiceAccount', ...metadata }];
  await client.create(BINDINGS, { apiVersion: RBAC, kind: 'RoleBinding', metadata, roleRef, subjects }, write);
  const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
  const answer = await client.post(ACCOUNTS, metadata, 'token', request, `make a token for "${name}"`);
  const token = stringAt(answer, 'status', 'token') ?? '';
  return { ...client.endpoint, token: () => token };
}

async function certificateRequest(): Promise<string> {
  const keys = await webcrypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify']);
  const signingAlgorithm = { name: 'ECDSA', hash: 'SHA-256' };
  const request = await Pkcs10CertificateRequestGenerator.create({ name: 'CN=test-user', keys, signingAlgorithm });
  return Buffer.from(request.toString('pem')).toString('base64');
}

const THING_DEFINITION: KubeObject = {
  apiVersion: DEFINITIONS.apiVersion,
  kind: DEFINITIONS.kind,
  metadata: { name: 'things.test.slipway.dev' },
  spec: {
    group: 'test.slipway.dev',
    scope: 'Namespaced',
    names: { kind: 'Thing', plural: 'things' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              status: {
                type: 'object',
                'x-kubernetes-preserve-unknown-fields': true,
                properties: {
                  conditions: {
                    type: 'array',
                    'x-kubernetes-list-type': 'map',
                    'x-kubernetes-list-map-keys': ['type'],
                    items: {
                      type: 'object',
                      required: ['type'],
                      properties: { type: { type: 'string' } },
                      'x-kubernetes-preserve-unknown-fields': true,
                    },
                  },
                },
              },
            },
          },
        },
      },
    ],
  },
};
