/** Scripts that update nodes: validated by shells, and run with fake programs. */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, test } from 'vitest';
import { Provisioning } from '#lib/api/fields/provisioning.ts';
import { updateScript as kubernetes } from '../../functions/bootstrap/kubeadm/update.ts';
import { updateScript as settings } from '../../functions/provisioning/update.ts';
import { runCommand } from './run.ts';
import { shellcheck, shellcheckProblem, syntaxProblem } from './shell.ts';

const PEM = "-----BEGIN CERTIFICATE-----\nnot'a real one\n-----END CERTIFICATE-----";
const FULL = Provisioning.parse({
  sysctls: { 'vm.max_map_count': '262144', 'net.ipv4.ip_local_port_range': '1024 65000' },
  kernelModules: ['br_netfilter', 'overlay'],
  caCertificates: [PEM],
});
const SCRIPTS = [
  { name: 'a Kubernetes version', script: kubernetes('v1.35.5', {}).script },
  { name: 'every setting', script: settings(FULL).script },
  { name: 'no setting', script: settings(Provisioning.parse({})).script },
];
/** It waits for other installations, and never asks for input. */
const INSTALL =
  'apt-get -qy -o DPkg::Lock::Timeout=300 -o Dpkg::Options::=--force-confold --allow-change-held-packages install';
const judge = shellcheck();

describe('a script for the node', () => {
  test.for(SCRIPTS)('is valid for sh: $name', ({ script }) => {
    expect(syntaxProblem(script)).toBeUndefined();
  });

  test.for(SCRIPTS)('has no shellcheck finding: $name', ({ script }, { skip }) => {
    if ('missing' in judge) skip(judge.missing);
    expect(shellcheckProblem('path' in judge ? judge.path : '', script)).toBeUndefined();
  });
});

describe('the script for a Kubernetes version, with fake programs', () => {
  it('installs and upgrades older packages, and only restarts the kubelet when it runs a second time', () => {
    const host = aHost({ version: '1.35.4' });
    host.run(kubernetes('v1.35.5', {}).script);
    expect(host.calls()).toEqual([
      'apt-get -q update',
      `${INSTALL} kubeadm=1.35.5-*`,
      'kubeadm upgrade node',
      'apt-get -q update',
      `${INSTALL} kubelet=1.35.5-* kubectl=1.35.5-*`,
      'systemctl daemon-reload',
      'systemctl restart kubelet',
    ]);
    host.become('1.35.5');
    host.run(kubernetes('v1.35.5', {}).script);
    expect(host.calls().slice(7)).toEqual(['systemctl restart kubelet']);
  });

  it('stops at the first failure, before it touches the kubelet', () => {
    const host = aHost({ version: '1.35.4', failing: 'apt-get' });
    expect(host.run(kubernetes('v1.35.5', {}).script)).toBe(false);
    expect(host.calls()).toEqual(['apt-get -q update']);
  });
});

/** A folder on PATH in which every command logs its calls. */
function aHost({ version, failing }: { readonly version: string; readonly failing?: string }) {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-node-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const bin = join(folder, 'bin');
  const log = join(folder, 'log');
  mkdirSync(bin);
  writeFileSync(log, '');
  const put = (name: string, body: string): void => {
    writeFileSync(join(bin, name), `#!/bin/sh\n${body}\n`);
    chmodSync(join(bin, name), 0o755);
  };
  const noted = (name: string): string => `echo "${name} $*" >>${log}${name === failing ? '\nexit 1' : ''}`;
  const become = (now: string): void => {
    put('kubeadm', `if [ "$1" = version ]; then echo v${now}; else ${noted('kubeadm')}; fi`);
    put('kubelet', `echo 'Kubernetes v${now}'`);
  };
  become(version);
  for (const name of ['apt-get', 'systemctl']) put(name, noted(name));
  return {
    become,
    run: (script: string): boolean =>
      runCommand('sh', ['-s'], { input: script, env: { PATH: `${bin}:/usr/bin:/bin` } }).ok,
    calls: (): readonly string[] =>
      readFileSync(log, 'utf8')
        .split('\n')
        .filter((line) => line !== ''),
  };
}
