/** Three real etcd processes with mutual TLS, as kubeadm runs them, behind port-forwards: members leave, the others go on. */
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { KubeObject } from '#lib/api/json.ts';
import { KubeClient } from '#lib/kube/client.ts';
import { REAL_TIME } from '#lib/kube/timing.ts';
import { membershipOf } from '#lib/node/membership.ts';
import type { EtcdMember } from '#lib/node/situation.ts';
import { kubeadmEtcd } from '../../controllers/node/membership/kubeadm-etcd.ts';
import type { Store } from '../../controllers/node/membership/store.ts';
import { find } from '../e2e/binaries/find.ts';
import { PROGRAMS } from '../e2e/binaries/catalog.ts';
import { freePorts } from '../e2e/lab/ports.ts';
import { Processes, type Running } from '../e2e/lab/processes.ts';
import { until } from '../e2e/lab/waiting.ts';
import { type Issuer, newIssuer } from '../support/authority.ts';
import { forwardPorts } from '../support/forwarding.ts';

const NAMES = ['a', 'b', 'c'] as const;
type Name = (typeof NAMES)[number];

const program = PROGRAMS.find(({ name }) => name === 'etcd');
const binary = program && find(program);
if (binary === undefined) process.stdout.write('skipped: real etcd: etcd not found; npm run e2e -- --build\n');

describe.skipIf(binary === undefined)('three members of etcd behind port-forwards', () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-etcd-'));
  const processes = new Processes(join(folder, 'logs'));
  const running = new Map<Name, Running>();
  const ready = new Set<Name>(NAMES);
  let authority: Issuer;
  let ports: Readonly<Record<string, number>>;
  let client: KubeClient;
  let store: Store;

  beforeAll(async () => {
    authority = await newIssuer('etcd-ca', 'ECDSA');
    ports = await freePorts(...NAMES.flatMap((name) => [name, `${name}-peer`]));
    for (const name of NAMES) running.set(name, await startMember(name));
    const api = createServer((_request, response) => {
      const items = [...ready].map(podOf);
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ kind: 'PodList', metadata: { resourceVersion: '1' }, items }));
    });
    forwardPorts(api, 'ports', (port, path) => {
      const name = NAMES.find((one) => path.includes(`/etcd-${one}/`));
      return name === undefined || port !== 2379 ? `no port ${port}` : connect(ports[name]!, '127.0.0.1');
    });
    api.listen(0, '127.0.0.1');
    await once(api, 'listening');
    const server = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
    client = new KubeClient({ server, credentials: {} });
    const secret = { 'tls.crt': authority.cert, 'tls.key': authority.key };
    store = kubeadmEtcd({ client, timing: REAL_TIME, secret: () => Promise.resolve(secret) });
    await all('three healthy members', (members) => members.filter(({ isHealthy }) => isHealthy).length === 3);
  });
  afterAll(async () => {
    client.close();
    await processes.stopAll();
    rmSync(folder, { recursive: true, force: true });
  });

  async function startMember(name: Name): Promise<Running> {
    const pair = await authority.issue(name, { dns: ['localhost'], ip: ['127.0.0.1'] });
    const file = (kind: string, text: string): string => {
      const path = join(folder, `${name}.${kind}`);
      writeFileSync(path, text, { mode: 0o600 });
      return path;
    };
    const [cert, key, ca] = [file('crt', pair.cert), file('key', pair.key), file('ca', authority.cert)];
    const [url, peer] = [`https://127.0.0.1:${ports[name]}`, `https://127.0.0.1:${ports[`${name}-peer`]}`];
    const cluster = NAMES.map((one) => `${one}=https://127.0.0.1:${ports[`${one}-peer`]}`).join(',');
    return processes.start({
      name: `etcd-${name}`,
      program: binary!,
      args: [
        `--name=${name}`,
        '--unsafe-no-fsync',
        `--data-dir=${join(folder, name)}`,
        `--listen-client-urls=${url}`,
        `--advertise-client-urls=${url}`,
        `--listen-peer-urls=${peer}`,
        `--initial-advertise-peer-urls=${peer}`,
        `--initial-cluster=${cluster}`,
        '--client-cert-auth',
        `--trusted-ca-file=${ca}`,
        `--cert-file=${cert}`,
        `--key-file=${key}`,
        '--peer-client-cert-auth',
        `--peer-trusted-ca-file=${ca}`,
        `--peer-cert-file=${cert}`,
        `--peer-key-file=${key}`,
        '--log-level=warn',
      ],
    });
  }

  async function all(what: string, when: (members: readonly EtcdMember[]) => boolean): Promise<readonly EtcdMember[]> {
    return until(what, { seconds: 60 }, async () => {
      const found: readonly EtcdMember[] = await store.members();
      return when(found) ? { found } : { yet: JSON.stringify(found) };
    });
  }

  /** etcd itself refuses for a few seconds after a member has started: the controller tries again as well. */
  async function leave(name: string): Promise<string> {
    return until(`${name} leaves`, { seconds: 30 }, async () => {
      const membership = membershipOf({ name }, await store.members());
      return { found: membership.way === 'Leave' ? await store.leave(membership) : membership.way };
    });
  }

  test('the leader hands over before it leaves, and is not listed any more', async () => {
    const leader = (await store.members()).find(({ isLeader }) => isLeader)?.name as Name;
    expect(NAMES).toContain(leader);
    expect(await leave(leader)).toBe('Left');
    ready.delete(leader);
    const left = await all('two healthy members with a leader', (members) => {
      const healthy = members.filter(({ isHealthy }) => isHealthy);
      return healthy.length === 2 && members.some(({ isLeader }) => isLeader);
    });
    expect(left.map(({ name }) => name).toSorted()).toEqual(NAMES.filter((name) => name !== leader));
    expect(membershipOf({ name: leader }, left), 'once more does nothing').toEqual({ way: 'Left' });
  });

  test('the one of two whose process was killed cannot be removed, and neither can the one that lives', async () => {
    const [first, second] = [...ready];
    await running.get(second!)?.stop();
    ready.delete(second!);
    await expect(store.members(), 'etcd has no majority').rejects.toThrow(/etcd/);
    running.set(second!, await startMember(second!));
    ready.add(second!);
    await all('both again', (members) => members.filter(({ isHealthy }) => isHealthy).length === 2);
    expect(await leave(first!)).toBe('Left');
    ready.delete(first!);
    await all('one member that leads', (members) => members.length === 1 && members[0]?.isLeader === true);
    expect(await leave(second!), 'the last member').toBe('Wait');
  });
});

function podOf(name: Name): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace: 'kube-system', name: `etcd-${name}` },
    spec: { nodeName: name },
    status: { conditions: [{ type: 'Ready', status: 'True' }] },
  };
}
