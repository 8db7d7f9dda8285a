/** The script that starts or joins a cluster, run by a shell with fake k8s and kubectl. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fileIn, MACHINE_KINDS, type MachineKind } from '../plans.fixture.ts';
import { canonicalPlans } from './canonical-kubernetes.fixture.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-k8s-'));
  for (const name of ['bin', 'kubernetes', 'done']) mkdirSync(join(folder, name));
  // k8sd writes this file even if the join fails later.
  fake(
    'k8s',
    `echo "$*" >>${folder}/calls
: >${folder}/kubernetes/kubelet.conf
exit "$(cat ${folder}/status 2>/dev/null || echo 0)"`,
  );
  fake('kubectl', ':');
  fake('sleep', ':');
});
afterEach(() => rmSync(folder, { recursive: true }));

function fake(name: string, script: string): void {
  writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, 'bin', name), 0o755);
}

async function ran(kind: MachineKind): Promise<number | null> {
  const script = (fileIn(await canonicalPlans.planOf(kind), '/etc/slipway/k8s-start.sh') ?? '')
    .replaceAll('/etc/kubernetes', join(folder, 'kubernetes'))
    .replaceAll('/etc/slipway', folder)
    .replaceAll('/var/lib/slipway', join(folder, 'done'))
    .replaceAll('/var/snap/k8s/common/var/lib/k8sd/state', folder)
    .replaceAll('/snap/k8s/current/bin/kubectl', join(folder, 'bin/kubectl'));
  writeFileSync(join(folder, 'k8s-join-token'), 'token');
  writeFileSync(join(folder, 'k8s-auth-token'), 'auth-token');
  writeFileSync(join(folder, 'cluster.crt'), 'BEGIN\nEND\n');
  const env = { PATH: `${join(folder, 'bin')}:/usr/bin:/bin` };
  return spawnSync('sh', ['-c', script], { encoding: 'utf8', env }).status;
}

const callsOf = (command: string): readonly string[] =>
  existsSync(join(folder, 'calls'))
    ? readFileSync(join(folder, 'calls'), 'utf8')
        .split(/\n(?!END)/)
        .filter((line) => line.startsWith(`${command} `))
    : [];

test.for(MACHINE_KINDS)('%s: tries again after a run that failed, and not after one that succeeded', async (kind) => {
  const command = kind === 'init' ? 'bootstrap' : 'join-cluster';
  writeFileSync(join(folder, 'status'), '1');
  expect(await ran(kind)).toBe(1);
  rmSync(join(folder, 'status'));
  expect(await ran(kind)).toBe(0);
  expect(callsOf(command)).toHaveLength(2);
  expect(await ran(kind)).toBe(0);
  expect(callsOf(command)).toHaveLength(2);
});

test('lets provider-node reach k8sd and recognise it, each time, as long as the machine is no node', async () => {
  await ran('init');
  expect(callsOf('kubectl').slice(1)).toEqual([
    `kubectl apply -f ${folder}/k8sd-proxy.yaml`,
    'kubectl annotate --overwrite --namespace kube-system daemonset/k8sd-proxy slipway.dev/k8sd-certificate=BEGIN\nEND',
  ]);
  expect(callsOf('x-capi')).toEqual(['x-capi set-auth-token auth-token']);
  await ran('control-plane');
  expect(callsOf('x-capi')).toHaveLength(1);
});
