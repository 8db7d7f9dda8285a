/** Words in `spec.bootstrap.config` that differ on each machine, ours and those of other tools. */
import { describe, expect, test } from 'vitest';
import { SlipwayError } from '#lib/api/errors.ts';
import { MACHINE_VARIABLES, reference } from '#lib/api/machine-variables.ts';
import { aBootstrappedCluster, firstBoot, machineOf } from '../../test/support/first-boot.ts';
import { refuseConfig } from './configs.ts';

function judged(provider: string, config: object): string {
  try {
    const asked = { ofCluster: config, role: 'control-plane', version: 'v1.35.4', owner: 'Cluster "a/b"' } as const;
    refuseConfig(provider, { ...config }, asked);
    return 'accepted';
  } catch (thrown) {
    return SlipwayError.from(thrown).message.replace('cannot accept Cluster "a/b": spec.bootstrap.config.', '');
  }
}

const IP = { 'node-ip': reference('SLIPWAY_ADDRESS') };
const REFERENCES = MACHINE_VARIABLES.map(reference).join(', ');

describe('flags of the kubelet have values of the machine', () => {
  test.for([
    { provider: 'kubeadm', config: { kubelet: { extraArgs: IP } } },
    { provider: 'k0s', config: { install: 'Skip', kubelet: { extraArgs: IP } } },
    { provider: 'canonical-kubernetes', config: { 'extra-node-kubelet-args': IP } },
    { provider: 'microk8s', config: { extraKubeletArgs: IP } },
    { provider: 'k3s', config: { install: 'Skip', 'kubelet-arg': [`node-ip=${IP['node-ip']}`] } },
    { provider: 'rke2', config: { install: 'Skip', 'kubelet-arg': [`node-ip=${IP['node-ip']}`] } },
  ])('with $provider, up to the script of the first boot', async ({ provider, config }) => {
    expect(judged(provider, config)).toBe('accepted');
    const bootstrapped = await aBootstrappedCluster({ spec: { bootstrap: { provider, config } } });
    const { text } = await firstBoot(bootstrapped, machineOf('control-plane', {}, config, provider));
    expect(text).toContain('SLIPWAY_ADDRESS="$(query address)"');
    expect(text).toMatch(/sed -i -e "s\|\\\$\{SLIPWAY_ADDRESS\}\|/);
  });

  test('and not with Talos, which runs no script', () => {
    expect(judged('talos', { kubelet: { extraArgs: IP } })).toBe(
      'kubelet.extraArgs.node-ip: ${SLIPWAY_ADDRESS} has another value on each machine; accepted: the value itself',
    );
  });

  test('and not in fields that one machine writes for all', () => {
    expect(judged('kubeadm', { apiServer: { extraArgs: { 'advertise-address': IP['node-ip'] } } })).toBe(
      'apiServer.extraArgs.advertise-address: ${SLIPWAY_ADDRESS} has another value on each machine; accepted: in kubelet.extraArgs',
    );
  });
});

test.for([
  '{{ ds.meta_data.local_ipv4 }}',
  '{{ds.meta_data["instance_id"]}}',
  '{{ v1.local_hostname }}',
  '${COREOS_EC2_IPV4_LOCAL}',
  '$COREOS_AZURE_IPV4_DYNAMIC',
])('%s, which Cluster API or its images replace, is refused with what to write', (word) => {
  expect(judged('kubeadm', { kubelet: { extraArgs: { 'node-ip': word } } })).toMatch(
    /^kubelet\.extraArgs\.node-ip: nothing replaces .* here; accepted: \$\{SLIPWAY_INSTANCE_ID\}, /,
  );
});

test.for(['${SLIPWAY_ADRESS}', '$SLIPWAY_ADDRESS', '${SLIPWAY_}', '${SLIPWAY_address}'])(
  '%s is no value of a machine',
  (word) => {
    expect(judged('kubeadm', { kubelet: { extraArgs: { 'node-ip': word } } })).toBe(
      `kubelet.extraArgs.node-ip: ${word} is no value of a machine; accepted: ${REFERENCES}`,
    );
  },
);

test('other texts with braces and dollars stay as they are', () => {
  expect(judged('kubeadm', { apiServer: { extraArgs: { 'audit-x': '{{ .Name }} ${HOME} $5' } } })).toBe('accepted');
});
