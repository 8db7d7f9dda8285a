/**
 * Control planes of Canonical Kubernetes and of MicroK8s leave their stores: k8sd and the cluster agents are played, behind
 * real port-forwards and real TLS.
 */
import { afterEach, describe, expect, test } from 'vitest';
import type { KubeObject } from '#lib/api/json.ts';
import { membershipOf } from '#lib/node/membership.ts';
import { canonicalKubernetesEtcd } from '../../controllers/node/membership/canonical-kubernetes.ts';
import { K8sd } from '../../controllers/node/membership/k8sd.ts';
import { microk8sDqlite } from '../../controllers/node/membership/microk8s.ts';
import type { Store } from '../../controllers/node/membership/store.ts';
import { newIssuer } from '../support/authority.ts';
import { addressOf, AUTH, type Distribution, type Played, playMembers } from '../support/played-members.ts';

const NAMES = ['a', 'b', 'c', 'd'];
let played: Played;
afterEach(() => played.close());

/** Names of those that have left, as their WorkloadNodes say. */
const left = new Set<string>();
/** Addresses that the cloud tells, where they are others. */
const told = new Map<string, string>();
afterEach(() => {
  left.clear();
  told.clear();
});

function objectFor(name: string, kind: Distribution): KubeObject {
  const address = addressOf(NAMES.indexOf(name));
  const spec = { membership: { kind }, servingCertificates: { addresses: [told.get(name) ?? address] } };
  const status = { nodeRef: { name }, leftStore: left.has(name), addresses: [{ type: 'InternalIP', address }] };
  return { apiVersion: 'v1', kind: 'WorkloadNode', metadata: { name }, spec, status };
}

function storeFor(kind: Distribution, own: string, token = AUTH, names: readonly string[] = NAMES): Store {
  const { client } = played;
  const secret = () => Promise.resolve({ token });
  const peers = names.map((name) => objectFor(name, kind));
  if (kind === 'MicroK8s') return microk8sDqlite({ client, secret, object: objectFor(own, kind), peers });
  return canonicalKubernetesEtcd({ client, secret, own, peers });
}

/** As the controller does: looks, and acts only if the rules allow it. */
async function leave(kind: Distribution, name: string): Promise<string> {
  const store = storeFor(kind, name);
  const membership = membershipOf({ name }, await store.members(), kind);
  if (membership.way === 'Wait') return membership.message;
  if (membership.way === 'Left') return membership.way;
  const way = await store.leave(membership);
  left.add(name);
  return way;
}

describe.for(['CanonicalKubernetes', 'MicroK8s'] as const)('%s', (kind) => {
  test('a control plane is taken out by another one, and once only', async () => {
    played = await playMembers(kind, NAMES);
    expect(await leave(kind, 'b')).toBe('Left');
    expect(played.members.size).toBe(3);
    expect([...played.members]).not.toContain(kind === 'MicroK8s' ? '10.0.0.2:2379' : 'b');
    const acted = played.asked.filter(({ path }) => path !== '/health');
    expect(acted).toHaveLength(1);
    expect(acted[0]?.node, 'not by itself').not.toBe('b');
    expect(played.nodes.get('b')?.metadata?.annotations ?? {}, 'a Node keeps no record').toEqual({});
    expect(await leave(kind, 'b')).toBe('Left');
    expect(played.asked.filter(({ path }) => path !== '/health')).toHaveLength(1);
  });

  test('a Node that only calls itself a control plane is not counted, and not told the token', async () => {
    played = await playMembers(kind, NAMES);
    const store = storeFor(kind, 'a', AUTH, ['a', 'b']);
    expect((await store.members()).map(({ name }) => name)).toEqual(['a', 'b']);
    // k8sd is known by its own certificate, so whoever answers first with it may be asked.
    const asked = new Set(played.asked.map(({ node }) => node));
    expect([...asked]).toEqual(kind === 'MicroK8s' ? ['b'] : []);
  });

  test('a Node that says in an annotation that it has left counts as a member all the same', async () => {
    played = await playMembers(kind, NAMES);
    const { metadata, ...node } = played.nodes.get('b')!;
    const annotations = { 'node.slipway.dev/left-store': 'true' };
    played.nodes.set('b', { ...node, metadata: { ...metadata, annotations } });
    expect((await storeFor(kind, 'a').members()).map(({ name }) => name)).toEqual(NAMES);
  });

  test('the others do not count one that has left, although its Node is still there', async () => {
    played = await playMembers(kind, NAMES);
    await leave(kind, 'b');
    expect((await storeFor(kind, 'a').members()).map(({ name }) => name)).toEqual(['a', 'c', 'd']);
  });

  test('one whose Node somebody deleted is taken out all the same', async () => {
    played = await playMembers(kind, NAMES);
    played.nodes.delete('b');
    expect(await leave(kind, 'b')).toBe('Left');
    expect(played.members.size).toBe(3);
  });

  test('the last one stays, and nobody is asked', async () => {
    played = await playMembers(kind, ['a']);
    expect(await leave(kind, 'a')).toBe(`Node "a" is the last ${kind === 'MicroK8s' ? 'dqlite' : 'etcd'} member`);
    expect(played.asked).toEqual([]);
  });

  test('a broken one is asked last, and one without a ready pod not at all', async () => {
    played = await playMembers(kind, ['a', 'b', 'c']);
    const node = played.nodes.get('a')!;
    played.nodes.set('a', { ...node, status: { ...node.status, conditions: [{ type: 'Ready', status: 'Unknown' }] } });
    await storeFor(kind, 'b').leave({ member: { name: 'b' } });
    expect(new Set(played.asked.map((one) => one.node))).toEqual(new Set(['c']));
    played.unready.add('a').add('c');
    const pod = kind === 'MicroK8s' ? 'pod calico-node' : 'pod of DaemonSet "kube-system/k8sd-proxy"';
    await expect(storeFor(kind, 'd').members()).resolves.toBeDefined();
    played.nodes.delete('b');
    await expect(storeFor(kind, 'a').members()).rejects.toThrow(`no ready ${pod} on another control plane`);
  });

  test('a wrong token is refused, and never shown', async () => {
    played = await playMembers(kind, NAMES);
    const failure = storeFor(kind, 'b', 'HUNTER2').leave({ member: { name: 'b' } });
    await expect(failure).rejects.toThrow(/^cannot remove .*: (invalid token|.* invalid CAPI auth token "\*\*\*")$/);
    for (const token of ['', 'two\nlines'])
      await expect(storeFor(kind, 'b', token).members()).rejects.toThrow(
        'its Secret has no key token that a header can hold',
      );
  });
});

describe('Canonical Kubernetes', () => {
  test('what serves with another certificate than the one on the DaemonSet gets no token', async () => {
    played = await playMembers('CanonicalKubernetes', NAMES);
    played.announce((await newIssuer('k8sd', 'ECDSA')).cert);
    await expect(storeFor('CanonicalKubernetes', 'b').members()).rejects.toThrow(
      /^cannot reach k8sd of Node "[a-d]": its certificate is signed by an unknown authority$/,
    );
    expect(played.asked).toEqual([]);
    played.announce(undefined);
    await expect(storeFor('CanonicalKubernetes', 'b').members()).rejects.toThrow(
      'DaemonSet "kube-system/k8sd-proxy" has no annotation slipway.dev/k8sd-certificate with the certificate of k8sd',
    );
  });

  test('what etcd refuses is reported, and nothing is forced', async () => {
    played = await playMembers('CanonicalKubernetes', NAMES);
    played.refusals.push('failed to delete node from datastore: etcdserver: unhealthy cluster');
    await expect(storeFor('CanonicalKubernetes', 'b').leave({ member: { name: 'b' } })).rejects.toThrow(
      /^cannot remove Node "b" at k8sd of Node "a": failed to delete node from datastore: etcdserver: unhealthy cluster$/,
    );
    expect(played.members.size).toBe(4);
    expect(played.asked.map(({ body }) => body['force'])).toEqual([false]);
  });

  test('one that is out of etcd, and whose machine does not answer k8sd any more, is forced out of k8sd', async () => {
    played = await playMembers('CanonicalKubernetes', NAMES);
    played.members.delete('b');
    expect(await leave('CanonicalKubernetes', 'b')).toBe('Left');
    expect(played.asked.map(({ body }) => body['force'])).toEqual([false, true]);
    expect(played.daemons.has('b')).toBe(false);
  });

  test('a machine gets one token as long as that is valid', async () => {
    played = await playMembers('CanonicalKubernetes', ['a']);
    const asked = async (name: string, worker: boolean) =>
      K8sd.first({ client: played.client, token: AUTH }, (k8sd) => k8sd.joinToken(name, worker, 3600));
    const token = await asked('worker-0', true);
    expect(await asked('worker-0', true)).toBe(token);
    expect(played.asked[0]?.body).toEqual({ name: 'worker-0', worker: true, ttl: 3_600_000_000_000 });
    await expect(asked('a', false)).rejects.toThrow('already part of the cluster');
  });
});

describe('MicroK8s', () => {
  test('two do not become one: nobody moves the leadership', async () => {
    played = await playMembers('MicroK8s', ['a', 'b']);
    expect(await leave('MicroK8s', 'b')).toBe('dqlite would keep 1 of 2 members, and needs 2');
    expect(played.members.size).toBe(2);
  });

  test('an agent that serves for another address is not told the token', async () => {
    played = await playMembers('MicroK8s', NAMES);
    for (const name of NAMES) told.set(name, '10.9.9.9');
    await expect(storeFor('MicroK8s', 'b').members()).rejects.toThrow(
      /^cannot reach the cluster agent of Node "[a-d]": its certificate is for another name$/,
    );
    expect(played.asked).toEqual([]);
  });

  test('what a Node says of its address decides nothing: that of the cloud is asked, and removed', async () => {
    played = await playMembers('MicroK8s', NAMES);
    for (const [index, name] of NAMES.entries()) {
      const node = played.nodes.get(name)!;
      const addresses = [{ type: 'InternalIP', address: addressOf((index + 1) % NAMES.length) }];
      played.nodes.set(name, { ...node, status: { ...node.status, addresses } });
    }
    expect(await leave('MicroK8s', 'b')).toBe('Left');
    expect([...played.members]).toEqual(['10.0.0.1:2379', '10.0.0.3:2379', '10.0.0.4:2379']);
  });

  test('an agent without the token, on a machine of an earlier release, is followed by the next', async () => {
    played = await playMembers('MicroK8s', NAMES);
    played.tokenless.add('a').add('c');
    expect(await leave('MicroK8s', 'b')).toBe('Left');
    expect(played.members.size).toBe(3);
    const removals = played.asked.filter(({ path }) => path.endsWith('/dqlite/remove'));
    expect(removals.map(({ node }) => node)).toEqual(['a', 'c', 'd']);
    played.tokenless.add('d');
    await expect(
      storeFor('MicroK8s', 'b').leave({ member: { name: 'b' } }),
      'and the reason of the last is told',
    ).rejects.toThrow(
      /^cannot remove 10\.0\.0\.2:2379 from dqlite at the cluster agent of Node "d": .* failed to read token file$/,
    );
  });

  test('what dqlite refuses is reported', async () => {
    played = await playMembers('MicroK8s', NAMES);
    played.refusals.push('failed to run remove command: exit status 1');
    await expect(storeFor('MicroK8s', 'b').leave({ member: { name: 'b' } })).rejects.toThrow(
      /^cannot remove 10\.0\.0\.2:2379 from dqlite at the cluster agent of Node "a": Failed to remove from dqlite: failed to run remove command: exit status 1$/,
    );
    expect(played.nodes.get('b')?.metadata?.annotations).toBeUndefined();
  });
});
