/**
 * The script with which a machine joins, run by a shell: certificates and openssl are real, the network and the snap
 * are fake.
 */
import { spawnSync } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Issuer, newIssuer } from '../../../test/support/authority.ts';
import { fileIn, type Wanted } from '../plans.fixture.ts';
import { microk8sPlans } from './microk8s.fixture.ts';

/**
 * Like the certificate of a cluster agent on a control plane: the name of the endpoint, then the addresses of the
 * machine.
 */
const SERVER = { dns: ['kubernetes', 'api.example.com'], ip: ['127.0.0.1', '10.96.0.1', '10.0.0.7', '10.0.0.8'] };

let ours: Issuer;
let others: Issuer;
beforeAll(async () => {
  [ours, others] = await Promise.all([newIssuer('kubernetes', 'RSA'), newIssuer('kubernetes', 'RSA')]);
});

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-microk8s-'));
  for (const name of ['bin', 'shown', 'files', 'done', 'data/args', 'data/credentials', 'data/var/lock'])
    mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'files/ca.crt'), ours.cert);
  writeFileSync(join(folder, 'data/args/kube-apiserver'), '--secure-port=16443\n');
  writeFileSync(join(folder, 'data/credentials/client.config'), '    server: https://127.0.0.1:16443\n');
  fake('timeout', 'shift; exec "$@"');
  fake('sleep', ':');
  fake('snap', ':');
  fake('kubectl', ':');
  fake('systemctl', `echo "systemctl $*" >>${folder}/calls`);
  // A joining node copies the port of the other node, even if the join fails later.
  fake(
    'microk8s',
    `echo "$*" >>${folder}/calls
if [ "$1" = join ]; then echo --secure-port=6443 >${folder}/data/args/kube-apiserver; fi
if [ "$1" = join ]; then exit "$(cat ${folder}/status 2>/dev/null || echo 0)"; fi`,
  );
  // A file describes which node answers at an address; everything else is the real program.
  fake(
    'openssl',
    `if [ "$1" = s_client ]; then cat "${folder}/shown/$3"; else exec /usr/bin/env -i PATH=/usr/bin:/bin openssl "$@"; fi`,
  );
});
afterEach(() => rmSync(folder, { recursive: true }));

function fake(name: string, script: string): void {
  writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, 'bin', name), 0o755);
}

function shows(place: string, cert: string): void {
  writeFileSync(join(folder, 'shown', place), cert);
}

async function ran(
  kind: 'init' | 'control-plane' | 'worker',
  wanted?: Wanted,
): Promise<{ status: number | null; stderr: string }> {
  const script = (fileIn(await microk8sPlans.planOf(kind, wanted), '/etc/slipway/microk8s-start.sh') ?? '')
    .replaceAll('/var/snap/microk8s/common/slipway', join(folder, 'files'))
    .replaceAll('/var/snap/microk8s/current/var/kubernetes/backend', join(folder, 'files'))
    .replaceAll('/var/snap/microk8s/current', join(folder, 'data'))
    .replaceAll('/var/lib/slipway', join(folder, 'done'))
    .replaceAll('/snap/microk8s/current/kubectl', join(folder, 'bin/kubectl'))
    .replaceAll('tries=60', 'tries=3');
  writeFileSync(join(folder, 'files/info.yaml'), 'Address: 127.0.0.1:19001\nID: 1\n');
  const path = `${join(folder, 'bin')}:/usr/bin:/bin`;
  const { status, stderr } = spawnSync('sh', ['-c', script], { encoding: 'utf8', env: { PATH: path } });
  return { status, stderr };
}

const calls = (): readonly string[] =>
  existsSync(join(folder, 'calls')) ? readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n') : [];
const joins = () => calls().filter((line) => line.startsWith('join'));
const kubeconfig = () => readFileSync(join(folder, 'data/credentials/client.config'), 'utf8');
const hashOf = (cert: string) => createHash('sha256').update(new X509Certificate(cert).raw).digest('hex');

describe('a machine that joins', () => {
  test('pins the node that answered at the endpoint, at its own address', async () => {
    const [server, neighbour] = [await ours.issue('server', SERVER), await ours.issue('neighbour', SERVER)];
    shows('api.example.com:25000', server.cert);
    shows('10.0.0.7:25000', neighbour.cert);
    shows('10.0.0.8:25000', server.cert);
    expect(await ran('worker')).toEqual({ status: 0, stderr: '' });
    expect(joins()).toHaveLength(1);
    expect(joins()[0]).toMatch(new RegExp(`^join 10\\.0\\.0\\.8:25000/[0-9a-f]{32}/${hashOf(server.cert)} --worker$`));
  });

  test('moves its datastore to the open port before it joins, as a control plane', async () => {
    const server = await ours.issue('server', SERVER);
    for (const place of ['api.example.com:25000', '10.0.0.7:25000']) shows(place, server.cert);
    expect((await ran('control-plane')).status).toBe(0);
    expect(readFileSync(join(folder, 'files/update.yaml'), 'utf8')).toBe('Address: 127.0.0.1:2379\n');
    expect(joins()[0]).not.toContain('--worker');
  });

  test('opens its API to load balancers only after it joined, as a control plane', async () => {
    const server = await ours.issue('server', SERVER);
    for (const place of ['api.example.com:25000', '10.0.0.7:25000']) shows(place, server.cert);
    expect((await ran('control-plane')).status).toBe(0);
    expect(calls()).toEqual([
      'kubectl get --raw /readyz',
      joins()[0],
      'systemctl enable --now slipway-microk8s-api.socket',
    ]);
    expect(kubeconfig()).toBe('    server: https://127.0.0.1:6443\n');
  });

  test('finds its API after a run that ended while it joined', async () => {
    writeFileSync(join(folder, 'data/args/kube-apiserver'), '--secure-port=6443\n');
    expect((await ran('control-plane')).status).toBe(1);
    expect(calls().slice(0, 2)).toEqual([
      'systemctl enable --now slipway-microk8s-api.socket',
      'kubectl get --raw /readyz',
    ]);
    expect(kubeconfig()).toBe('    server: https://127.0.0.1:6443\n');
  });

  test('never joins an address that the claim names for the API, because several machines may answer there', async () => {
    const server = await ours.issue('server', { ...SERVER, ip: ['10.96.0.1', '10.1.2.3', '10.0.0.8'] });
    for (const place of ['api.example.com:25000', '10.1.2.3:25000', '10.0.0.8:25000']) shows(place, server.cert);
    for (const kind of ['control-plane', 'worker'] as const) {
      rmSync(join(folder, 'done'), { recursive: true });
      mkdirSync(join(folder, 'done'));
      expect((await ran(kind, { config: { extraSANs: ['k8s.example.com', '10.1.2.3'] } })).status).toBe(0);
    }
    expect(joins().map((call) => /^join ([^/]+)/.exec(call)?.[1])).toEqual(['10.0.0.8:25000', '10.0.0.8:25000']);
  });

  test.for(['init', 'control-plane'] as const)(
    '%s: stops at once where MicroK8s protects its memory, before a program prints the token',
    async (kind) => {
      writeFileSync(join(folder, 'data/var/lock/low-memory-guard.lock'), '');
      expect(await ran(kind)).toEqual({
        status: 1,
        stderr: 'slipway: MicroK8s runs no control plane on a machine with 512 MiB of memory or less\n',
      });
      expect(calls()).toEqual([]);
    },
  );

  test.for([
    { name: 'a node with a certificate of another authority', issuer: () => others, addresses: SERVER },
    {
      name: 'another node of the cluster',
      issuer: () => ours,
      addresses: { dns: ['prod-worker-1'], ip: ['10.0.0.7'] },
    },
  ])('sends nothing to $name', async ({ issuer, addresses }) => {
    const stranger = await issuer().issue('server', addresses);
    for (const place of ['api.example.com:25000', '10.0.0.7:25000']) shows(place, stranger.cert);
    const { status, stderr } = await ran('worker');
    expect(status).toBe(1);
    expect(stderr).toContain('slipway: the server at the endpoint does not belong to this cluster\n');
    expect(joins()).toEqual([]);
  });

  test('tries again while no node answers, and when joining fails, and then gives up', async () => {
    expect((await ran('worker')).status).toBe(1);
    const server = await ours.issue('server', SERVER);
    for (const place of ['api.example.com:25000', '10.0.0.7:25000']) shows(place, server.cert);
    writeFileSync(join(folder, 'status'), '6');
    expect((await ran('worker')).status).toBe(1);
    expect(joins()).toHaveLength(3);
  });

  test('does not join twice when the script is run again', async () => {
    const server = await ours.issue('server', SERVER);
    for (const place of ['api.example.com:25000', '10.0.0.7:25000']) shows(place, server.cert);
    await ran('worker');
    expect((await ran('worker')).status).toBe(0);
    expect(joins()).toHaveLength(1);
  });
});
