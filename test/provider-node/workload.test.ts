/**
 * What provider-node does with objects of a workload cluster, on a real Kubernetes API: a scripted supervisor plays k3s,
 * RKE2 and k0s, and the real signer of Kubernetes issues certificates to a kubelet.
 */
import 'reflect-metadata'; // before @peculiar/x509, which is built on it
import { webcrypto } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Pkcs10CertificateRequestGenerator, SubjectAlternativeNameExtension } from '@peculiar/x509';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type JsonObject, type KubeObject, at } from '#lib/api/json.ts';
import { conditionOf } from '#lib/api/conditions.ts';
import { KubeClient } from '#lib/kube/client.ts';
import { headersOf } from '#lib/kube/endpoint.ts';
import { Informer } from '#lib/kube/informer.ts';
import type { Resource } from '#lib/kube/resource.ts';
import { REAL_TIME } from '#lib/kube/timing.ts';
import { LEAVE_ANNOTATIONS } from '#lib/node/members.ts';
import { membershipOf } from '#lib/node/membership.ts';
import { refusalOf } from '#lib/node/serving.ts';
import { approve } from '../../controllers/node/certificates/approval.ts';
import { REQUESTS } from '../../controllers/node/certificates/request.ts';
import { ServingRequests } from '../../controllers/node/certificates/serving.ts';
import { NODES } from '../../controllers/node/kinds.ts';
import { CONTROL_NODES, ETCD_MEMBERS, k0sEtcd } from '../../controllers/node/membership/k0s.ts';
import type { Store } from '../../controllers/node/membership/store.ts';
import { supervised } from '../../controllers/node/membership/supervised.ts';
import type { Kubernetes } from '../e2e/lab/kubernetes.ts';
import { until } from '../e2e/lab/waiting.ts';
import { newIssuer } from '../support/authority.ts';
import { hasKubernetes, realKubernetes } from '../support/real-kubernetes.ts';

const WRITE = { manager: 'test' };
const DEFINITIONS: Resource = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
};
const BINDINGS: Resource = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRoleBinding',
  plural: 'clusterrolebindings',
  namespaced: false,
};

describe.skipIf(!hasKubernetes('a real workload cluster'))('on a real workload cluster', () => {
  const real = realKubernetes();
  const { folder, processes, programs } = real;
  const ends: (() => Promise<void>)[] = [];
  let kubernetes: Kubernetes;
  let client: KubeClient;

  beforeAll(() => {
    ({ kubernetes, client } = real);
  });
  afterAll(async () => {
    for (const end of ends) await end();
  });

  /** Reacts to every object of a kind, as a supervisor does. */
  function supervise(resource: Resource, act: (object: KubeObject) => Promise<void>): void {
    const informer = new Informer({
      client,
      timing: REAL_TIME,
      random: Math.random,
      resource,
      onChange: (_before, after) => {
        if (after !== undefined) void act(after).catch(() => undefined);
      },
      onError: () => undefined,
    });
    informer.start();
    ends.push(() => informer.stop());
  }

  async function aNode(name: string, annotations: Readonly<Record<string, string>> = {}): Promise<void> {
    const labels = { 'node-role.kubernetes.io/etcd': 'true' };
    await client.create(NODES, { apiVersion: 'v1', kind: 'Node', metadata: { name, labels, annotations } }, WRITE);
    const conditions = [{ type: 'Ready', status: 'True', reason: 'Test', message: 'a test' }];
    await client.patch(NODES, { name }, { status: { conditions } }, { ...WRITE, subresource: 'status' });
  }

  /** As the controller does: again and again, until the Node is out or has to wait. */
  async function leave(store: Store, name: string): Promise<string> {
    return until(`${name} leaves`, { seconds: 30 }, async () => {
      const membership = membershipOf({ name }, await store.members());
      if (membership.way === 'Left') return { found: 'Left' };
      if (membership.way === 'Leave') return { yet: await store.leave(membership) };
      return membership.reason === 'Waiting' ? { yet: membership.message } : { found: membership.message };
    });
  }

  test.for(['K3s', 'RKE2'] as const)('Nodes of %s leave one after the other, and the last one stays', async (kind) => {
    const { remove, removed, member } = LEAVE_ANNOTATIONS[kind];
    const names = ['1', '2', '3'].map((number) => `${kind.toLowerCase()}-${number}`);
    for (const name of names) await aNode(name, { [member]: `${name}-id` });
    const asked: string[] = [];
    supervise(NODES, async ({ metadata: { name = '', annotations = {} } = {} }) => {
      if (annotations[remove] !== 'true' || annotations[removed] !== undefined) return;
      asked.push(name);
      const patch = { metadata: { annotations: { [removed]: annotations[member] ?? '' } } };
      await client.patch(NODES, { name }, patch, WRITE);
    });
    const store = supervised(client, kind);
    const others = (await store.members()).filter(({ name }) => !names.includes(name)).map(({ name }) => name);
    for (const name of others) await client.delete(NODES, { name });
    expect(await leave(store, names[0]!)).toBe('Left');
    expect(await leave(store, names[1]!)).toBe('Left');
    expect(await leave(store, names[2]!)).toBe(`Node "${names[2]}" is the last etcd member`);
    expect([...new Set(asked)]).toEqual(names.slice(0, 2));
  });

  test('a Node of k0s leaves by its EtcdMember, and its ControlNode goes last', async () => {
    await define(ETCD_MEMBERS);
    await define(CONTROL_NODES);
    const names = ['k0s-1', 'k0s-2'];
    for (const name of names) {
      await aNode(name);
      await client.create(CONTROL_NODES, objectOf(CONTROL_NODES, name), WRITE);
      await client.create(ETCD_MEMBERS, { ...objectOf(ETCD_MEMBERS, name), spec: {} }, WRITE);
      await setJoined(name, 'True');
    }
    supervise(ETCD_MEMBERS, async (object) => {
      const joined = conditionOf(object, 'Joined')?.status;
      if (at(object, 'spec', 'leave') === true && joined !== 'False')
        await setJoined(object.metadata?.name ?? '', 'False');
    });
    const store = k0sEtcd(client);
    expect(await leave(store, 'k0s-1')).toBe('Left');
    expect((await client.list(CONTROL_NODES)).items.map(({ metadata }) => metadata?.name)).toEqual(['k0s-2']);
    expect(await leave(store, 'k0s-2')).toBe('Node "k0s-2" is the last etcd member');
  });

  async function setJoined(name: string, status: string): Promise<void> {
    const conditions = [{ type: 'Joined', status }];
    await client.patch(ETCD_MEMBERS, { name }, { status: { conditions } }, { ...WRITE, subresource: 'status' });
  }

  async function define({ apiVersion, kind, plural }: Resource): Promise<void> {
    const [group = '', version = ''] = apiVersion.split('/');
    const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
    const served = { name: version, served: true, storage: true, schema, subresources: { status: {} } };
    const names = { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` };
    const spec = { group, scope: 'Cluster', names, versions: [served] };
    const metadata = { name: `${plural}.${group}` };
    await client.create(
      DEFINITIONS,
      { apiVersion: DEFINITIONS.apiVersion, kind: DEFINITIONS.kind, metadata, spec },
      WRITE,
    );
    await until(`${kind} is served`, { seconds: 30 }, async () => ({
      found: await client.list(resourceOf(apiVersion, kind, plural)),
    }));
  }

  test('a kubelet gets its certificate from the signer of Kubernetes, and no other than for its machine', async () => {
    await startSigner();
    await aNode('served');
    const changed: string[] = [];
    const requests = new ServingRequests({
      client,
      timing: REAL_TIME,
      random: Math.random,
      onRequest: (name) => changed.push(name),
    });
    ends.push(() => requests.stop());
    const spec = { servingCertificates: { approve: true, names: ['served'], addresses: ['10.0.0.7'] } };
    const object: KubeObject = { apiVersion: 'node.slipway.dev/v1alpha1', kind: 'WorkloadNode', spec };
    const node = await client.get(NODES, { name: 'served' });
    await asKubelet('served', 'good', ['10.0.0.7']);
    await asKubelet('served', 'stranger', ['10.0.0.7', '10.0.0.1']);
    await until('both requests are seen', { seconds: 30 }, async () => {
      const seen = await requests.of('served');
      return seen.requests.length === 2 ? { found: seen } : { yet: `${seen.requests.length}` };
    });
    const verdicts: Record<string, string | undefined> = {};
    for (const request of (await requests.of('served')).requests) {
      verdicts[request.name] = refusalOf(object, node, request);
      if (verdicts[request.name] === undefined) await approve(client, request.name, request.uid);
    }
    expect(verdicts).toEqual({ good: undefined, stranger: '10.0.0.1 is not an address of its machine' });
    const { kubeletServing } = await until('the certificate is issued', { seconds: 10 }, async () => {
      const seen = await requests.of('served');
      if (seen.kubeletServing !== undefined) return { found: seen };
      return { yet: JSON.stringify((await client.get(REQUESTS, { name: 'good' })).status ?? {}) };
    });
    expect(Date.parse(kubeletServing ?? '')).toBeGreaterThan(Date.now());
    expect(
      (await requests.of('served')).requests.map(({ name }) => name),
      'it is left to a person',
    ).toEqual(['stranger']);
    expect((await client.get(REQUESTS, { name: 'stranger' })).status ?? {}).not.toHaveProperty('conditions');
    expect(new Set(changed)).toEqual(new Set(['served']));
    await approve(client, 'stranger', 'another uid');
    expect((await client.get(REQUESTS, { name: 'stranger' })).status ?? {}).not.toHaveProperty('conditions');
  });

  test('the certificate of the Kubernetes API is seen on its connections', () => {
    expect(client.certificateEnds).toBeGreaterThan(Date.now());
  });

  async function startSigner(): Promise<void> {
    const authority = await newIssuer('kubernetes', 'RSA');
    const [cert, key] = [join(folder, 'signer.crt'), join(folder, 'signer.key')];
    writeFileSync(cert, authority.cert);
    writeFileSync(key, authority.key, { mode: 0o600 });
    processes.start({
      name: 'signer',
      program: programs['kube-controller-manager']!,
      args: [
        `--kubeconfig=${kubernetes.kubeconfig}`,
        '--controllers=certificatesigningrequest-signing-controller',
        `--cluster-signing-cert-file=${cert}`,
        `--cluster-signing-key-file=${key}`,
        '--leader-elect=false',
        '--secure-port=0',
      ],
    });
    const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'system:nodes' }];
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'system:node' };
    const binding = { ...objectOf(BINDINGS, 'nodes'), subjects, roleRef } as JsonObject as unknown as KubeObject;
    await client.create(BINDINGS, binding, WRITE);
  }

  /** The API server itself says who sent it. */
  async function asKubelet(node: string, name: string, addresses: readonly string[]): Promise<void> {
    const { endpoint } = client;
    const headers = {
      ...headersOf(endpoint),
      'Impersonate-User': `system:node:${node}`,
      'Impersonate-Group': 'system:nodes',
    };
    const kubelet = new KubeClient({ server: endpoint.server, credentials: { ...endpoint.credentials, headers } });
    const usages = ['digital signature', 'server auth'];
    const spec = { request: await pkcs10(node, addresses), signerName: 'kubernetes.io/kubelet-serving', usages };
    await kubelet.create(REQUESTS, { ...objectOf(REQUESTS, name), spec }, WRITE);
    kubelet.close();
  }
});

async function pkcs10(node: string, addresses: readonly string[]): Promise<string> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const request = await Pkcs10CertificateRequestGenerator.create({
    name: `O=system:nodes,CN=system:node:${node}`,
    keys: await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']),
    signingAlgorithm: algorithm,
    extensions: [
      new SubjectAlternativeNameExtension([
        { type: 'dns', value: node },
        ...addresses.map((value) => ({ type: 'ip', value }) as const),
      ]),
    ],
  });
  return Buffer.from(request.toString('pem')).toString('base64');
}

function objectOf({ apiVersion, kind }: Resource, name: string): KubeObject {
  return { apiVersion, kind, metadata: { name } };
}

function resourceOf(apiVersion: string, kind: string, plural: string): Resource {
  return { apiVersion, kind, plural, namespaced: false };
}
