import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { JsonObject } from '#lib/api/json.ts';
import { machineRequest } from '../../../test/support/first-boot.ts';
import { replyOf } from '../../../test/support/function-laws.ts';
import { aCluster } from '../../../test/support/claims.ts';
import { aRequest } from '../../../test/support/request.ts';
import { run } from '../fn.ts';
import { masked } from '../masked.fixture.ts';
import { fileIn, plansOf, refusedWith } from '../plans.fixture.ts';

const WINDOWS = { machine: { class: 'standard-4', os: 'windows' } };
const kubeadm = plansOf('kubeadm');

test('a worker on Windows joins with one file and PowerShell', async () => {
  const plan = await kubeadm.planOf('worker', { spec: WINDOWS });
  await expect(masked(plan)).toMatchFileSnapshot('../golden/worker-windows.yaml');
});

test('it receives the same as a worker on Linux, except for the address of containerd', async () => {
  const joined = async (spec: object) => {
    const text = fileIn(
      await kubeadm.planOf('worker', { spec: { ...spec, labels: { a: 'b' } } }),
      '/etc/kubernetes/kubeadm.yaml',
    );
    return parse(text ?? '') as { readonly nodeRegistration: Readonly<Record<string, unknown>> };
  };
  const [linux, windows] = [await joined({}), await joined(WINDOWS)];
  expect(windows.nodeRegistration['criSocket']).toBe('npipe:////./pipe/containerd-containerd');
  const { nodeRegistration, ...rest } = windows;
  const criSocket = linux.nodeRegistration['criSocket'];
  expect({ ...rest, nodeRegistration: { ...nodeRegistration, criSocket } }).toEqual(linux);
});

test('Linux gives the same plan whether it is stated or left out', async () => {
  const said = await kubeadm.planOf('worker', { spec: { machine: { class: 'standard-4', os: 'linux' } } });
  expect(said).toEqual(await kubeadm.planOf('worker'));
});

test('a provider without nodes on Windows refuses, and a control plane cannot run on Windows', async () => {
  const cluster = await kubeadm.clusterOf();
  const refusedFor = async (provider: string, kind: 'worker' | 'control-plane') =>
    (await refusedWith(machineRequest(cluster, plansOf(provider).machine(kind, {}, WINDOWS)))).message;
  expect(await refusedFor('kubeadm', 'control-plane')).toBe(
    'cannot accept Machine "team-a/prod-control-plane-0-aaaaa": spec.machine.os: "windows" is not accepted; accepted: linux, since no control plane runs on Windows',
  );
  for (const provider of ['k0s', 'k3s', 'rke2', 'microk8s', 'talos'])
    expect(await refusedFor(provider, 'worker')).toBe(
      `cannot accept Machine "team-a/prod-worker-0-aaaaa": spec.machine.os: "windows" is not accepted; accepted: linux with ${provider}`,
    );
});

test('an update in place runs no shell script on a node of Windows', async () => {
  const scriptsFor = async (spec: JsonObject) => {
    const update = {
      id: 'fa4e',
      disruptive: false,
      updaters: [{ name: 'kubeadm', fields: ['spec.version'], disruptive: true, runsOn: 'Node', timeout: '10m' }],
    };
    const composite = kubeadm.machine('worker', {}, { ...spec, update });
    const payload = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'x' } };
    return JSON.stringify(
      (await replyOf(run, aRequest({ composite, observed: { payload }, required: { cluster: [aCluster()] } }))).context,
    );
  };
  expect(await scriptsFor({})).toContain('#!/bin/sh');
  expect(await scriptsFor(WINDOWS)).not.toContain('#!/bin/sh');
});
