/** etcd of Talos is left by its API, which speaks gRPC over mutual TLS. */
import { stringify } from 'yaml';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { KubeClient } from '#lib/kube/client.ts';
import { membershipOf } from '#lib/node/membership.ts';
import { type Issuer, newIssuer } from '../../../test/support/authority.ts';
import { LiveApi } from '../../../test/support/live-api.ts';
import { type Machine, TalosMachines } from '../../../test/support/talos-machines.ts';
import { NODES } from '../kinds.ts';
import { talosEtcd } from './talos.ts';
import type { Store } from './store.ts';

// Numbers of 64 bits that no other number type can hold.
const MACHINES: readonly Machine[] = ['a', 'b', 'c'].map((name, index) => ({
  name,
  address: `127.0.0.${index + 1}`,
  id: 0xffff_ffff_ffff_fff0n + BigInt(index),
}));

let authority: Issuer;
let stranger: Issuer;
const ends: (() => void)[] = [];
beforeAll(async () => {
  authority = await newIssuer('talos', 'ECDSA');
  stranger = await newIssuer('stranger', 'ECDSA');
});
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

async function talosconfig(issuer: Issuer): Promise<string> {
  const { cert, key } = await issuer.issue('admin', {});
  const [ca, crt, secret] = [authority.cert, cert, key].map((text) => Buffer.from(text).toString('base64'));
  return stringify({ context: 'prod', contexts: { prod: { ca, crt, key: secret } } });
}

async function begin(issuer = authority): Promise<{ machines: TalosMachines; store: Store; api: LiveApi }> {
  const machines = await TalosMachines.with(authority, MACHINES);
  const api = await LiveApi.with(await authority.issue('api', { ip: ['127.0.0.1'] }), NODES);
  ends.push(
    () => machines.close(),
    () => api.close(),
  );
  for (const { name, address } of MACHINES)
    api.put({
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name, labels: { 'node-role.kubernetes.io/control-plane': '' } },
      status: {
        addresses: [
          { type: 'Hostname', address: name },
          { type: 'InternalIP', address },
        ],
      },
    });
  const client = new KubeClient({ server: api.server, credentials: { ca: authority.cert } });
  ends.push(() => client.close());
  const secret = { talosconfig: await talosconfig(issuer) };
  return { machines, api, store: talosEtcd({ client, port: machines.port, secret: () => Promise.resolve(secret) }) };
}

async function leave(store: Store, name: string): Promise<string> {
  const membership = membershipOf({ name }, await store.members());
  if (membership.way !== 'Leave') return membership.way;
  return store.leave(membership);
}

test('the leader hands over, and leaves by its own machine', async () => {
  const { machines, store } = await begin();
  expect(await store.members()).toMatchObject([
    { name: 'a', isLeader: true, isHealthy: true },
    { name: 'b', isLeader: false, isHealthy: true },
    { name: 'c', isLeader: false, isHealthy: true },
  ]);
  expect(await leave(store, 'a')).toBe('Left');
  expect(machines.asked).toEqual(['a forfeit', `a leave ${MACHINES[0]!.id}`]);
  expect(await leave(store, 'a'), 'it has left').toBe('Left');
});

test('a machine that does not answer is removed by another one', async () => {
  const { machines, store } = await begin();
  machines.stop('c');
  expect((await store.members()).map(({ isHealthy }) => isHealthy)).toEqual([true, true, false]);
  expect(await leave(store, 'c')).toBe('Left');
  expect(machines.asked).toEqual([`a remove ${MACHINES[2]!.id}`]);
});

test('a machine whose Node was deleted is removed by another one', async () => {
  const { machines, store, api } = await begin();
  api.delete('Node', 'b');
  expect(await leave(store, 'b')).toBe('Left');
  expect(machines.asked).toEqual([`a remove ${MACHINES[1]!.id}`]);
});

test('nobody leaves while another machine does not answer, because etcd would lose its majority', async () => {
  const { machines, store } = await begin();
  machines.stop('c');
  expect(await leave(store, 'b')).toBe('Wait');
  expect(machines.asked).toEqual([]);
});

test('it says where it cannot get to', async () => {
  const { machines, store } = await begin();
  for (const { name } of MACHINES) machines.stop(name);
  await expect(store.members()).rejects.toThrow(
    `cannot reach the Talos API of a control plane: 127.0.0.1:${machines.port}: connection refused`,
  );
});

test('a talosconfig of another authority is refused, and not repeated', async () => {
  const { store } = await begin(stranger);
  const thrown = await store.members().then(
    () => '',
    (error: unknown) => String(error),
  );
  expect(thrown).toContain('cannot reach the Talos API of a control plane');
  expect(thrown).not.toContain('BEGIN');
});
