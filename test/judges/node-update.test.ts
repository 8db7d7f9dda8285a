/** Scripts that update nodes: validated by shells, and run with fake programs. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, test } from 'vitest';
import { Provisioning } from '#lib/api/fields/provisioning.ts';
import { versionScript as kubernetes } from '../../functions/bootstrap/kubeadm/version-update.ts';
import { kubeletScript as kubelet } from '../../functions/bootstrap/kubeadm/kubelet-update.ts';
import { registriesScript as mirrors } from '../../functions/bootstrap/registries-update.ts';
import { mirrorFiles } from '../../functions/bootstrap/runtime-files.ts';
import { updateScript as settings } from '../../functions/provisioning/update.ts';
import { StandIns } from '../support/stand-ins.ts';
import { runCommand } from './run.ts';
import { shellcheck, shellcheckProblem, syntaxProblem } from './shell.ts';

const PEM = "-----BEGIN CERTIFICATE-----\nnot'a real one\n-----END CERTIFICATE-----";
const FULL = Provisioning.parse({
  sysctls: { 'vm.max_map_count': '262144', 'net.ipv4.ip_local_port_range': '1024 65000' },
  kernelModules: ['br_netfilter', 'overlay'],
  caCertificates: [PEM],
});
const KUBELET = kubelet([
  { path: '/etc/kubernetes/patches/kubeletconfiguration00+merge.json', text: '{"maxPods":60}\n' },
]);
const CERTS = '/etc/containerd/certs.d';
const REGISTRY = { host: 'docker.io', mirrors: ["https://it's.example.com"], caCertificate: PEM };
const SCRIPTS = [
  { name: 'settings of the kubelet', script: KUBELET.script },
  { name: 'mirrors read before each pull', script: mirrors({ files: mirrorFiles(CERTS, [REGISTRY], 'it') }).script },
  {
    name: 'mirrors read at the start',
    script: mirrors({
      files: [],
      ofUnit: { unit: 'k3s', files: mirrorFiles(CERTS, [REGISTRY], 'it') },
      check: 'true || exit 1',
    }).script,
  },
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

describe('the script for settings of the kubelet, with fake programs', () => {
  /** kubeadm writes what the patch says; systemd says whether the kubelet stays up. */
  const hostWith = (restarts: string) => {
    const host = new StandIns();
    onTestFinished(() => host.remove());
    for (const folder of ['etc/kubernetes', 'var/lib/kubelet', 'run']) mkdirSync(host.at(folder), { recursive: true });
    writeFileSync(host.at('var/lib/kubelet/config.yaml'), 'maxPods: 110\n');
    host.programs('journalctl', 'sleep');
    host.program('seq', 'echo 1');
    host.program(
      'kubeadm',
      `echo "kubeadm $*" >>"$LOG"; cat ${host.at('etc/kubernetes/patches')}/* >${host.at('var/lib/kubelet/config.yaml')}`,
    );
    host.program(
      'systemctl',
      `case "$*" in *ActiveState*) echo active ;; *NRestarts*) echo ${restarts} ;; *) echo "systemctl $*" >>"$LOG" ;; esac`,
    );
    const script = KUBELET.script.replaceAll(/\/(etc\/kubernetes|var\/lib\/kubelet|run)\b/g, (path) => host.at(path));
    const config = (): string => readFileSync(host.at('var/lib/kubelet/config.yaml'), 'utf8');
    const restarted = (): number => host.log.filter((line) => line === 'systemctl restart kubelet.service').length;
    return { host, run: () => host.run(script), config, restarted };
  };

  it('restarts the kubelet once, and not when nothing changed; what an earlier claim patched is gone', () => {
    const { host, run, config, restarted } = hostWith('0');
    mkdirSync(host.at('etc/kubernetes/patches'));
    const earlier = host.at('etc/kubernetes/patches/kubeletconfiguration01+json.json');
    writeFileSync(earlier, '[]');
    expect(run()).toMatchObject({ status: 0 });
    expect(config()).toBe('{"maxPods":60}\n');
    expect(existsSync(earlier)).toBe(false);
    expect(run()).toMatchObject({ status: 0 });
    expect(restarted()).toBe(1);
    expect(readdirSync(host.at('run'))).toEqual([]);
  });

  it('gives a kubelet that does not stay up its former settings and patches, and fails', () => {
    const { host, run, config, restarted } = hostWith('2');
    const patches = host.at('etc/kubernetes/patches');
    mkdirSync(patches);
    for (const name of ['kubeletconfiguration01+json.json', 'kube-apiserver0+merge.json'])
      writeFileSync(join(patches, name), '{"maxPods":110}\n');
    const { status, stderr } = run();
    expect(status).toBe(1);
    expect(stderr).toContain('slipway: the kubelet does not run with these settings, and has its former ones again');
    expect(config()).toBe('maxPods: 110\n');
    expect(restarted()).toBe(2);
    expect(readdirSync(patches)).toEqual(['kube-apiserver0+merge.json', 'kubeletconfiguration01+json.json']);
    expect(readdirSync(host.at('run'))).toEqual([]);
  });

  it('restarts a kubelet whose settings were changed by a run that was interrupted', () => {
    const { host, run, restarted } = hostWith('0');
    mkdirSync(host.at('run/slipway-kubelet-former/patches'), { recursive: true });
    writeFileSync(host.at('run/slipway-kubelet-former/config.yaml'), 'maxPods: 100\n');
    writeFileSync(host.at('var/lib/kubelet/config.yaml'), '{"maxPods":60}\n');
    expect(run()).toMatchObject({ status: 0 });
    expect(restarted()).toBe(1);
  });
});

describe('a script that brings files, with fake programs', () => {
  it('restarts their service only if one of them changed, also after it was interrupted', () => {
    const host = new StandIns();
    onTestFinished(() => host.remove());
    mkdirSync(host.at('run'));
    host.programs('systemctl');
    const files = mirrorFiles(host.at('certs'), [REGISTRY], 'it');
    const script = mirrors({ files: [], ofUnit: { unit: 'k3s', files } }).script.replaceAll(
      '=/run',
      `=${host.at('run')}`,
    );
    const run = (): readonly string[] => {
      expect(host.run(script)).toMatchObject({ status: 0, stderr: '' });
      return host.log;
    };
    expect(run()).toEqual(['systemctl restart k3s.service']);
    expect(run()).toHaveLength(1);
    expect(readFileSync(host.at('certs/docker.io/ca.crt'), 'utf8')).toBe(PEM);
    expect(readFileSync(host.at('certs/docker.io/hosts.toml'), 'utf8')).toContain("it's.example.com");
    writeFileSync(host.at('run/slipway-registries-unit.pending'), '');
    expect(run()).toHaveLength(2);
    expect(readdirSync(host.at('run'))).toEqual([]);
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
