/** Which edits of the first boot's settings a machine gets without being replaced, by the shipped rules. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/api/json.ts';
import { decision } from './shipped.fixture.ts';

const of = (provider: string, config: JsonObject): JsonObject => ({ bootstrap: { provider, action: 'Join', config } });
const kubelet = (settings: JsonObject): JsonObject => of('kubeadm', { kubeletConfiguration: settings });
const flags = (...list: string[]): JsonObject => of('k3s', { 'kubelet-arg': list });

describe('how the cloud sells the machine', () => {
  const sold = (capacityType?: string): JsonObject => ({
    machine: { class: 'standard-4', ...(capacityType === undefined ? {} : { capacityType }) },
  });

  test.for([
    { old: sold(), now: sold('on-demand'), want: 'Patch' },
    { old: sold('on-demand'), now: sold(), want: 'Patch' },
    { old: sold(), now: sold('spot'), want: 'Recreate' },
    { old: sold('spot'), now: sold('on-demand'), want: 'Recreate' },
    { old: sold('spot'), now: sold(), want: 'Recreate' },
  ])('$old.machine to $now.machine: $want', ({ old, now, want }) => {
    expect(decision({ old, now })).toBe(want);
  });
});

describe('settings of the kubelet', () => {
  test.for([
    { name: 'one is changed', old: kubelet({ maxPods: 110 }), now: kubelet({ maxPods: 60 }), want: 'Update' },
    { name: 'the first is added', old: of('kubeadm', {}), now: kubelet({ maxPods: 60 }), want: 'Update' },
    {
      name: 'one is changed in a group',
      old: kubelet({ evictionHard: { 'memory.available': '100Mi' } }),
      now: kubelet({ evictionHard: { 'memory.available': '200Mi', 'nodefs.available': '10%' } }),
      want: 'Update',
    },
    {
      name: 'one is removed: the cluster may have it',
      old: kubelet({ maxPods: 110 }),
      now: kubelet({}),
      want: 'Recreate',
    },
    {
      name: 'one is removed from a group',
      old: kubelet({ evictionHard: { 'memory.available': '100Mi', 'nodefs.available': '10%' } }),
      now: kubelet({ evictionHard: { 'memory.available': '200Mi' } }),
      want: 'Recreate',
    },
    { name: 'all are removed', old: kubelet({ maxPods: 110 }), now: of('kubeadm', {}), want: 'Recreate' },
    {
      name: 'the driver of control groups is changed',
      old: kubelet({ cgroupDriver: 'systemd' }),
      now: kubelet({ cgroupDriver: 'cgroupfs' }),
      want: 'Recreate',
    },
    {
      name: 'a policy for processors is added beside another change',
      old: kubelet({ maxPods: 110 }),
      now: kubelet({ maxPods: 60, cpuManagerPolicy: 'static' }),
      want: 'Recreate',
    },
    {
      name: 'one is changed beside a driver that stays',
      old: kubelet({ maxPods: 110, cgroupDriver: 'cgroupfs' }),
      now: kubelet({ maxPods: 60, cgroupDriver: 'cgroupfs' }),
      want: 'Update',
    },
    {
      name: 'kubeadm cannot patch them yet',
      old: { ...kubelet({ maxPods: 110 }), version: 'v1.24.3' },
      now: { ...kubelet({ maxPods: 60 }), version: 'v1.24.3' },
      want: 'Recreate',
    },
    {
      name: 'the host is Windows',
      old: { ...kubelet({ maxPods: 110 }), machine: { class: 'standard-4', os: 'windows' } },
      now: { ...kubelet({ maxPods: 60 }), machine: { class: 'standard-4', os: 'windows' } },
      want: 'Recreate',
    },
    {
      name: 'a flag of k3s is changed: a wrong one would stop the API with its server',
      old: flags('max-pods=110'),
      now: flags('max-pods=60'),
      want: 'Recreate',
    },
    {
      name: 'another bootstrapper has them where no script writes',
      old: of('k0s', { profile: 'small' }),
      now: of('k0s', { profile: 'large' }),
      want: 'Recreate',
    },
  ])('$want when $name', ({ old, now, want }) => {
    expect(decision({ old, now })).toBe(want);
  });
});

describe('mirrors of registries', () => {
  const mirror = (host: string, url: string): JsonObject => ({ host, mirrors: [url] });
  const [ONE, OTHER] = [mirror('docker.io', 'https://one.example.com'), mirror('quay.io', 'https://one.example.com')];
  const having = (provider: string, ...registries: JsonObject[]): JsonObject => ({
    ...of(provider, {}),
    provisioning: { format: 'cloud-init', registries },
  });
  test.for([
    { name: 'the first is added', old: having('kubeadm'), now: having('kubeadm', ONE), want: 'Update' },
    {
      name: 'a registry gets other mirrors, and another one comes before it',
      old: having('rke2', ONE),
      now: having('rke2', OTHER, mirror('docker.io', 'https://two.example.com')),
      want: 'Update',
    },
    {
      name: 'a registry is removed',
      old: having('kubeadm', ONE, OTHER),
      now: having('kubeadm', ONE),
      want: 'Recreate',
    },
    { name: 'its host has no shell', old: having('talos'), now: having('talos', ONE), want: 'Recreate' },
  ])('$want when $name', ({ old, now, want }) => {
    expect(decision({ old, now })).toBe(want);
  });
});
